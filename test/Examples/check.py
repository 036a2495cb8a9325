#!/usr/bin/env python3
"""Compares what an example prints with golden values.

    chic run … | check.py "mean y=0.2510~1e-3" "x[0]=0.1,0.2@1e-6" wrong=0

`name=values` looks for the last `name = values` in the output; `~r` allows a
relative error, `@a` an absolute one; without either the values must be equal. On
a device they may be as far off as closeness.py says, if that is more.
"""
import re
import sys

from closeness import granted

NUMBER = r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|inf|nan)"


def found(text, name, count):
    pattern = (r"(?<!\w)" + re.escape(name) + r"\s*=\s*(" + NUMBER
               + r"(?:,\s*" + NUMBER + r"){%d})" % (count - 1))
    hits = re.findall(pattern, text)
    return [float(v) for v in hits[-1].split(",")] if hits else None


def main():
    text = sys.stdin.read()
    failed = False
    for expectation in sys.argv[1:]:
        name, _, rest = expectation.rpartition("=")
        values, sign, tolerance = re.match(r"([^~@]*)([~@]?)(.*)", rest).groups()
        wanted = [float(v) for v in values.split(",")]
        got = found(text, name, len(wanted))
        if got is None:
            print(f"{name}: not printed")
            failed = True
            continue
        for g, w in zip(got, wanted):
            allowed = float(tolerance or 0) * (abs(w) if sign == "~" else 1)
            allowed = max(allowed, granted() * abs(w))
            if not abs(g - w) <= allowed:
                print(f"{name}: {g!r}, expected {w!r} within {allowed:.3g}")
                failed = True
    if failed:
        print("--- the output was ---\n" + text)
    sys.exit(failed)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Twenty small programs that no heuristic was made for, beside natural C++.

    held.py --build BUILD [NAME …] [--rounds 5] [--old BUILD2] [--out FILE]
    held.py --build BUILD [NAME …] --small

Runs each program of bench/held by one thread in turns: C++, Chi, Chi with
--unchecked, and Chi by the compiler of BUILD2. A program times itself: it
repeats its work and prints the fastest pass. All have to print the same check
value. A time is the least of the rounds, a ratio that of two such times.
Prints a table with the geometric means, and writes every single time to FILE.

--small runs all with small sizes and compares only the check values of C++ (if
there is a compiler), the interpreter, and the processor with and without
checks. Exits with 1 if a check value differs.
"""
import argparse
import datetime
import json
import math
import os
import pathlib
import re
import shutil
import sys

from measuring import ROOT, compile_ms, geometric_mean, machine, make_cpp, run_alone, show

PLACE = ROOT / "bench/held"
SMALL = {
    "bins": "--n 2000 --count 37",
    "bitonic": "--log 9",
    "compare": "--n 300",
    "complex": "--n 19",
    "components": "--n 24",
    "floyd": "--n 37",
    "horner": "--n 301 --degree 7",
    "intervals": "--n 20 --m 77",
    "kmeans": "--n 300 --k 5",
    "lu": "--count 40 --n 9",
    "mandelbrot": "--n 24 --most 60",
    "median": "--n 45",
    "options": "--n 301",
    "resize": "--n 37 --m 43 --rows 51 --columns 67",
    "scan": "--n 777",
    "spheres": "--n 24 --count 9",
    "spmv": "--n 300",
    "triangular": "--levels 4 --width 64",
    "waterman": "--n 70 --m 90",
    "wave": "--n 301 --steps 6",
}
NAMES = sorted(path.stem for path in PLACE.glob("*.cpp"))
# Relative, for check values with a point; others have to be equal.
TOLERANCE = 1e-4
# A rounding moves the edges of what these draw by a pixel.
TOLERANCES = {"mandelbrot": 1e-3, "spheres": 1e-3}


def run(argv):
    """{"ms", "check"}, or {"error"}."""
    status, out, err, _, _ = run_alone([str(word) for word in argv])
    ms = re.search(r"^([\d.]+) ms per pass$", out, re.M)
    check = re.search(r"^check: (\S+)$", out, re.M)
    if status or not ms or not check:
        return {"error": f"exit {status}: {(err or out).strip().splitlines()[-1:]}"}
    return {"ms": float(ms[1]), "check": check[1]}


def agree(name, a, b):
    if "." not in a + b:
        return a == b
    tolerance = TOLERANCES.get(name, TOLERANCE)
    return math.isclose(float(a), float(b), rel_tol=tolerance)


def wrong(name, records):
    """What is wrong with {form: record}; "" if all print one check value."""
    first = None
    for form, record in records.items():
        if "error" in record:
            return f"{form}: {record['error']}"
        first = first or (form, record["check"])
        if not agree(name, first[1], record["check"]):
            return f"{first[0]} prints check: {first[1]}, {form} {record['check']}"
    return ""


def compiler():
    """Whether there is one for the C++ programs."""
    return any(shutil.which(name) for name in (os.environ.get("CXX", ""), "clang++-22", "g++") if name)


def chi(build, name, *flags):
    return [build / "bin/chic", "run", PLACE / f"{name}.chi", *flags]


def compare_small(name, options):
    """What is wrong with a program in a small size."""
    sizes = [*SMALL[name].split(), "--repeats", "1"]
    forms = {"C++": [options.binaries / name]} if options.cpp else {}
    for form, flags in {"the interpreter": ["--arch=interp"], "Chi": ["--threads=1"],
                        "Chi with two threads": ["--threads=2"],
                        "Chi --unchecked": ["--threads=1", "--unchecked"]}.items():
        forms[form] = chi(options.build, name, *flags)
    return wrong(name, {form: run([*argv, *sizes]) for form, argv in forms.items()})


def measure(name, options):
    """The row of a program: the least times, their ratios, and every record."""
    forms = {"cpp": [options.binaries / name]} if options.cpp else {}
    forms["chi"] = chi(options.build, name, "--threads=1")
    forms["unchecked"] = [*forms["chi"], "--unchecked"]
    if options.old:
        forms["old"] = chi(options.old, name, "--threads=1")
    compiled, _, _ = compile_ms([*forms["chi"], "--repeats", "1"])
    for form, argv in forms.items():  # fills the cache
        run([*argv, "--repeats", "1"])
    rounds = []
    for k in range(options.rounds):
        order = list(forms) if k % 2 == 0 else list(reversed(forms))
        rounds.append({form: run(forms[form]) for form in order})
        if error := wrong(name, rounds[-1]):
            return {"name": name, "error": error}
    times = {form: [records[form]["ms"] for records in rounds] for form in forms}
    least = {form: min(of) for form, of in times.items()}
    ratios = {f"{a} / {b}": least[a] / least[b]
              for a, b in (("chi", "cpp"), ("chi", "unchecked"), ("chi", "old")) if b in least}
    return {"name": name, "ms": least, "ratios": ratios, "compile_ms": compiled, "rounds": times,
            "check": rounds[0]["chi"]["check"]}


def print_row(row, columns):
    if "error" in row:
        print(f"| {row['name']} | {row['error']} |", flush=True)
        return
    cells = [row["name"], *[show(row["ms"].get(form), "{:.4g}") for form in ("cpp", "chi")],
             *[show(row["ratios"].get(c)) for c in columns], show(row["compile_ms"], "{:.0f}")]
    print("| " + " | ".join(cells) + " |", flush=True)


def print_table(names, options):
    """Measures and prints row by row; the rows."""
    titles = {"chi / cpp": "× C++", "chi / unchecked": "checked / unchecked", "chi / old": "new / old"}
    columns = [c for c in titles if c != "chi / old" or options.old]
    heads = ["program", "C++ ms", "Chi ms", *[titles[c] for c in columns], "compile ms"]
    print(machine())
    print("| " + " | ".join(heads) + " |")
    print("|" + "---|" * len(heads))
    rows = []
    for name in names:
        rows.append(measure(name, options))
        print_row(rows[-1], columns)
    means = [[row["ratios"][c] for row in rows if c in row.get("ratios", {})] for c in columns]
    print("| " + " | ".join(["geometric mean", "", "", *[show(geometric_mean(m) if m else None) for m in means], ""])
          + " |")
    return rows


def small(names, options):
    failures = 0
    for name in names:
        if error := compare_small(name, options):
            print(f"{name}: {error}")
            failures += 1
    print(f"{len(names) - failures} of {len(names)} programs agree"
          + ("" if options.cpp else ", without C++ (found no compiler)"))
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="*", help="of: " + " ".join(NAMES))
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--old", type=pathlib.Path, help="the build folder of another compiler")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--small", action="store_true", help="only compare the check values, with small sizes")
    parser.add_argument("--binaries", type=pathlib.Path, default=ROOT / ".bench/held",
                        help="folder of the C++ programs")
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    for name in options.name:
        if name not in NAMES:
            parser.error(f"no program '{name}'; there are: {' '.join(NAMES)}")
    names = options.name or NAMES
    options.build, options.binaries = options.build.resolve(), options.binaries.resolve()
    options.old = options.old and options.old.resolve()
    options.cpp = compiler()
    if options.cpp:
        make_cpp(PLACE, options.binaries, names)
    if options.small:
        sys.exit(bool(small(names, options)))
    rows = print_table(names, options)
    if options.out:
        about = {"date": datetime.date.today().isoformat(), "machine": machine(), "rounds": options.rounds}
        options.out.write_text(json.dumps({**about, "rows": rows}, indent=1) + "\n")
    sys.exit(any("error" in row for row in rows))


if __name__ == "__main__":
    main()

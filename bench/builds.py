#!/usr/bin/env python3
"""Two builds of the compiler beside each other, on the cases of the bench.

    builds.py OLD NEW [CASE …] [--rounds 15] [--out FILE]

OLD and NEW are build folders, cases those of cases.json and gradients.json. Each round runs a case by both, the one that
begins changing from round to round. Prints for each case the ratio of the
medians and of the least times, new over old, and the quartiles of the rounds'
ratios, and writes every single time to FILE.
"""
import argparse
import datetime
import json
import pathlib
import platform
import statistics

import gradients
from bench import CASES, chi


def program(build, case):
    return (gradients.chi if case in gradients.CASES else chi)(build, case)


def times(programs, rounds):
    """{name: [ms]}; once before, unmeasured, to fill the cache."""
    for program in programs.values():
        program.run()
    found = {name: [] for name in programs}
    for k in range(rounds):
        for name in sorted(programs, reverse=bool(k % 2)):
            record = programs[name].run()
            if "error" in record:
                raise SystemExit(f"{name}: {record['error']}")
            found[name].append(record["ms"])
    return found


def ratios(found):
    old, new = found["old"], found["new"]
    rounds = [b / a for a, b in zip(old, new)]
    quarter = statistics.quantiles(rounds, n=4) if len(rounds) > 1 else rounds * 3
    return {"median": statistics.median(new) / statistics.median(old),
            "least": min(new) / min(old), "quartiles": [quarter[0], quarter[2]]}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("new", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("cases", nargs="*", default=list(CASES))
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--out", type=pathlib.Path)
    asked = parser.parse_args()
    records = {}
    for case in asked.cases or list(CASES):
        found = times({"old": program(asked.old, case), "new": program(asked.new, case)}, asked.rounds)
        records[case] = {**ratios(found), "ms": found}
        low, high = records[case]["quartiles"]
        print(f"{case:10} medians {records[case]['median']:.3f}  least "
              f"{records[case]['least']:.3f}  rounds {low:.3f} to {high:.3f}", flush=True)
    if asked.out:
        about = {"date": datetime.date.today().isoformat(), "machine": platform.processor(),
                 "rounds": asked.rounds}
        asked.out.write_text(json.dumps({**about, "cases": records}, indent=1) + "\n")


if __name__ == "__main__":
    main()

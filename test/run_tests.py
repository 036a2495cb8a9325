#!/usr/bin/env python3
"""Runs all tests: house checks, unit tests, lit; the last line sums them up.

    run_tests.py --build DIR [--only house|unit|lit] [--slowest N] [FILTER]

FILTER is a part of a test's name ("Parse/", "mpm88", "check_layers"). Prints
the output of what failed. Exits with 1 if anything did. --slowest lists where
the time goes.
"""
import argparse
import collections
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

TEST = pathlib.Path(__file__).resolve().parent
UNIT_LIMIT = 600  # seconds for one unit-test program
LIT_LIMIT = 300  # seconds for one lit test; with sanitizers three times as long


def run_house(filter_text, times):
    """Each test/house/check_*.py is one test: exit 0 is good."""
    passed, failed = 0, []
    for script in sorted((TEST / "house").glob("check_*.py")):
        if filter_text and filter_text not in f"house/{script.stem}":
            continue
        start = time.time()
        done = subprocess.run([sys.executable, script], capture_output=True,
                              text=True, stdin=subprocess.DEVNULL)
        times[f"house/{script.stem}"] = time.time() - start
        if done.returncode == 0:
            passed += 1
        else:
            failed.append((f"house/{script.stem}", done.stdout + done.stderr))
    return passed, failed


def unit_tests_of(program):
    """The names of the tests of a GoogleTest program."""
    listing = subprocess.run([program, "--gtest_list_tests"], capture_output=True,
                             text=True, stdin=subprocess.DEVNULL)
    if listing.returncode != 0:
        return None
    names, suite = [], ""
    for line in listing.stdout.splitlines():
        line = line.split("#")[0].rstrip()
        if line.startswith("  "):
            names.append(suite + line.strip())
        elif line.endswith("."):
            suite = line
    return names


def run_unit_program(program, filter_text):
    """Returns passed, failed of one program; a crash fails what did not end."""
    names = unit_tests_of(program)
    if names is None:
        return 0, [(f"unit/{program.name}", "the program does not start")]
    chosen = [n for n in names
              if filter_text in f"unit/{program.name}/{n}" and ".DISABLED_" not in n]
    if not chosen:
        return 0, []
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        argv = [program, f"--gtest_output=json:{report}", "--gtest_brief=1"]
        if len(chosen) < len(names):
            argv.append("--gtest_filter=" + ":".join(chosen))
        try:
            done = subprocess.run(argv, capture_output=True, text=True, cwd=folder,
                                  stdin=subprocess.DEVNULL, timeout=UNIT_LIMIT)
            output, status = done.stdout + done.stderr, done.returncode
        except subprocess.TimeoutExpired as late:
            output, status = f"over {UNIT_LIMIT} s\n{late.stdout or ''}", 1
        if not report.exists():
            return 0, [(f"unit/{program.name}", output)]
        passed, failed = 0, []
        for suite in json.loads(report.read_text())["testsuites"]:
            for test in suite["testsuite"]:
                if "failures" in test:
                    text = "\n".join(f["failure"] for f in test["failures"])
                    failed.append((f"unit/{program.name}/{suite['name']}.{test['name']}", text))
                elif test.get("result") == "COMPLETED":
                    passed += 1
        if status != 0 and not failed:  # at the end: a leak, a bad destructor
            failed.append((f"unit/{program.name}", output))
        return passed, failed


def run_unit(build, filter_text, times):
    passed, failed = 0, []
    for program in sorted((build / "unit").glob("*")):
        if not (program.is_file() and os.access(program, os.X_OK)):
            continue
        start = time.time()
        more, bad = run_unit_program(program, filter_text)
        times[f"unit/{program.name}"] = time.time() - start
        passed += more
        failed += bad
    return passed, failed


def lit_limit(build):
    cache = (build / "CMakeCache.txt").read_text()
    return LIT_LIMIT * (3 if re.search(r"^CHI_SANITIZE:\w+=.", cache, re.M) else 1)


def find_lit(build):
    cache = (build / "CMakeCache.txt").read_text()
    llvm = re.search(r"^LLVM_DIR:\w+=(.*?)/lib/cmake/llvm", cache, re.M)
    root = pathlib.Path(llvm[1] if llvm else "/usr/lib/llvm-22")
    for path in (root / "bin/lit", root / "build/utils/lit/lit.py"):
        if path.exists():
            return [sys.executable, str(path)]
    return ["lit"]


def run_lit(build, filter_text, times):
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        argv = find_lit(build) + ["-q", "-o", str(report),
                                  f"-j{os.cpu_count() or 1}", str(build / "test")]
        if importlib.util.find_spec("psutil"):  # lit needs it to stop a hung test
            argv.append(f"--timeout={lit_limit(build)}")
        if filter_text:
            argv += ["--filter", re.escape(filter_text), "--allow-empty-runs"]
        done = subprocess.run(argv, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if not report.exists():  # no test has such a name, or lit fell over
            none = filter_text and done.returncode == 0
            return 0, [] if none else [("lit", done.stdout + done.stderr)]
        passed, failed, skipped = 0, [], collections.Counter()
        for test in json.loads(report.read_text())["tests"]:
            name = "lit/" + test["name"].replace("chi :: ", "")
            times[name] = test.get("elapsed") or 0
            if test["code"] in ("PASS", "XFAIL", "FLAKYPASS"):
                passed += 1
            elif test["code"] not in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"):
                failed.append((name, test.get("output", test["code"])))
            elif "there is no" in test.get("output", ""):  # of a device (test/lit_format.py)
                skipped["/".join(name.split("/")[:2]), test["output"].strip()] += 1
        for (folder, reason), count in skipped.items():
            print(f"skipped {folder}: {count} tests: {reason}", flush=True)
        return passed, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=TEST.parent / "build")
    parser.add_argument("--only", choices=["house", "unit", "lit"])
    parser.add_argument("--slowest", type=int, default=0, metavar="N")
    parser.add_argument("filter", nargs="?", default="")
    options = parser.parse_args()
    build = options.build.resolve()
    # Drivers keep memory that nothing of ours could give back.
    os.environ.setdefault("LSAN_OPTIONS",
                          f"print_suppressions=0:suppressions={TEST / 'leaks_of_drivers.txt'}")
    times = {}  # seconds by name
    parts = {"house": lambda: run_house(options.filter, times),
             "unit": lambda: run_unit(build, options.filter, times),
             "lit": lambda: run_lit(build, options.filter, times)}
    passed, failed = 0, []
    for name, part in parts.items():
        if options.only and name != options.only:
            continue
        start = time.time()
        good, bad = part()
        for test, output in bad:
            print(f"FAILED {test}\n{output.rstrip()}\n", flush=True)
        print(f"{name}: {good} passed, {len(bad)} failed ({time.time() - start:.0f} s)", flush=True)
        passed += good
        failed += bad
    for name in sorted(times, key=times.get, reverse=True)[:options.slowest]:
        print(f"{times[name]:6.1f} s  {name}")
    for test, _ in failed:
        print(f"FAILED {test}")
    print(f"{passed} passed, {len(failed)} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()

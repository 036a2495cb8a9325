"""tape_budget_memory.py PROGRAM [OPTIONS]: resident memory with a tape, less that without it, is at most 1.05 times the
budget and 16 MB, and results are those of a budget that is never reached."""
import os
import subprocess
import sys

BUDGET = 40_000_000


def measure(verb, *options):
    """What it printed, and the most that it had, in bytes."""
    process = subprocess.Popen(["chic", verb, *sys.argv[1:], "--threads=1", *options], stdout=subprocess.PIPE, text=True)
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{options}: status {status}")
    return out, usage.ru_maxrss * 1024


def run(*options):
    return measure("run", *options)


run("--taped=false")                         # compiles it
_, without = run("--taped=false")
with_budget, peak = run()
plain, all_saved = run("--budget=4GB")
if with_budget != plain:
    sys.exit(f"{with_budget} is not {plain}")
if peak - without > 1.05 * BUDGET + 16e6:
    sys.exit(f"{peak - without} bytes with a budget of {BUDGET}")
_, planned = measure("plan")                 # it parses the program; of 480 MB of saves it keeps none
if planned - without > 80e6:
    sys.exit(f"{planned - without} bytes for a plan")
if all_saved - without < 4 * BUDGET:
    sys.exit(f"the tape saves only {all_saved - without} bytes: this is no test")

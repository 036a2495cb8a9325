"""plan.py PROGRAMS: each with its params. A run does what its plan says: turns run again, and the budget that just
does. Snapshots in the memory of a tenth cost as little as the closed form of Griewank and Walther says."""
import json
import math
import os
import re
import subprocess
import sys

failures = []


def plan(program, *options):
    done = subprocess.run(["chic", "plan", *program.split(), "--json", "--threads=1", *options],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{program} {options}: {done.stderr}")
    return json.loads(done.stdout)[0]


def run(program, *options):
    """Its status, what it printed, and how many turns ran again."""
    done = subprocess.run(["chic", "run", *program.split(), "--threads=1", *options], capture_output=True, text=True,
                          env={**os.environ, "CHI_TAPE": "1"})
    again = re.search(r"(\d+) turns run again", done.stderr)
    out = [line for line in done.stdout.splitlines() if "ms per gradient" not in line]
    return done.returncode, out, int(again[1]) if again else 0


def closed_form(steps, snapshots):
    """Turns that run again, with the one run of each that goes backward."""
    repeats = 0
    while math.comb(snapshots + repeats, snapshots) < steps:
        repeats += 1
    return repeats * steps - math.comb(snapshots + repeats, snapshots + 1) + steps


def expect(condition, *what):
    if not condition:
        failures.append(" ".join(map(str, what)))


for program in sys.argv[1:]:
    full = plan(program)
    least, whole = full["least"], full["full"]["bytes"]
    _, plain, _ = run(program, "--tape-memory=1GB")
    for budget in (least, (4 * least + whole) // 5, whole // 10, whole // 3, whole):
        if budget < least:
            continue
        planned = plan(program, f"--tape-memory={budget}")["budget"]
        status, out, again = run(program, f"--tape-memory={budget}")
        expect(status == 0 and planned["suffices"], program, budget, "does not do", planned)
        expect(again == planned.get("turns_run_again"), program, budget, planned, "but", again, "ran again")
        expect(out == plain, program, budget, "yields", out, "not", plain)
        expect(planned["peak"] <= budget, program, budget, planned)
        if planned.get("turns_run_again") and not planned["spilled"]:
            known = closed_form(full["turns"], planned["snapshots"])
            expect(again <= 1.1 * known, program, budget, planned, "the closed form says", known)
    status, _, _ = run(program, f"--tape-memory={least - 1}")
    expect(status == 1, program, "less than", least, "does")
    expect(not plan(program, f"--tape-memory={least - 1}")["budget"]["suffices"], program, "planned with", least - 1)
if failures:
    sys.exit("\n".join(failures))

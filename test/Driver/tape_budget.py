"""tape_budget.py PROGRAM: the number that an error says is the least that does, and host code prints once."""
import re
import subprocess
import sys


def run(budget):
    return subprocess.run(["chic", "run", sys.argv[1], "--threads=1", f"--budget={budget}"],
                          capture_output=True, text=True)


least = re.search(r"it needs (\d+) bytes", run("1kB").stderr)[1]
enough, more = run(least), run("1GB")
if enough.returncode or enough.stdout != more.stdout or enough.stdout.count("\n") != 1:
    sys.exit(f"with {least} bytes: {enough.stdout} {enough.stderr}\nwith 1 GB: {more.stdout} {more.stderr}")
for less in (int(least) - 1, int(least) // 2):
    said = run(less).stderr
    if f"it needs {least} bytes" not in said:
        sys.exit(f"with {less} bytes: {said}")

"""each_pass.py ROOT: each pass of chi-opt on each .mlir file of the tests.

A pass finds what it was not made for: it leaves that alone or says what is
wrong. `chi-opt --each-pass` runs them, in a process for each file.
"""
import os
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(sys.argv[1])


def passes():
    """As `chi-opt --list-passes` names them; pipelines follow."""
    said = subprocess.run(("chi-opt", "--list-passes"), capture_output=True, text=True, check=True)
    return re.findall(r"^  --([\w-]+) +- ", said.stdout.split("Pass Pipelines:")[0], re.M)


def registered():
    """The flags of all records of passes."""
    return {flag for file in (root / "src/chi").rglob("*Passes.td")
            for flag in re.findall(r'^def \w+\s*:\s*Pass<"([\w-]+)"', file.read_text(), re.M)}


names = passes()
missing = registered() - set(names)
files = sorted(map(str, (root / "test").rglob("*.mlir")), key=os.path.getsize, reverse=True)
count = os.cpu_count() or 1
runs = [subprocess.Popen(("chi-opt", "--each-pass=" + ",".join(names), *files[part::count]),
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for part in range(min(count, len(files)))]
outputs = [run.communicate()[0] for run in runs]
print("\n".join(outputs))
assert len(files) > 200 and len(registered()) > 40, "the tests are not found"
sys.exit(f"chi-opt does not know {missing}" if missing
         else any(run.returncode for run in runs))

"""Runs each program of this folder in the interpreter and on the CPU: it ends with the message of its first line,
"# : …", and with status 1 or 2.

    wrong.py COMMAND…
"""
import pathlib
import subprocess
import sys

bad = []
programs = sorted(pathlib.Path().glob("*.chi"))
for program in programs:
    wanted = program.read_text().splitlines()[0].removeprefix("# : ")
    for arch in ("interp", "cpu"):
        done = subprocess.run([*sys.argv[1:], str(program), f"--arch={arch}"], capture_output=True, text=True,
                              timeout=120)
        if done.returncode not in (1, 2) or wanted not in done.stderr:
            bad.append(f"{program.name} on {arch}: status {done.returncode}, expected `{wanted}`:\n{done.stderr}")
print("\n".join(bad))
sys.exit(bool(bad) or not programs)

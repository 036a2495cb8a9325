"""compare_arches.py FOLDER COUNT [FIRST]: the interpreter as oracle.

Makes COUNT meaningful programs (chi-fuzz) and runs each by the interpreter and
on the CPU with --float=strict, one thread: output, errors and exit status must
agree exactly, so must the recorded form (CHI_RECORD=1), also on the
mirror; with two threads the status and, where nothing is accumulated, the
output.
"""
import os
import pathlib
import subprocess
import sys

folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
first = int(sys.argv[3]) if len(sys.argv) > 3 else 0
folder.mkdir(parents=True, exist_ok=True)
bad, ran = [], 0
if os.environ.get("CHI_RECORD", "0") != "0":
    sys.exit(0)  # the other run has looked at all forms


def run(path, *flags, form="0"):
    done = subprocess.run(["chic", "run", path.name, "--float=strict", *flags], cwd=folder,
                          capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120,
                          env=os.environ | {"CHI_RECORD": form})
    return done.returncode, done.stdout, done.stderr


for number in range(first, first + count):
    text = subprocess.run(["chi-fuzz", "--print", str(4 * number + 2), "--seed", "7"],
                          capture_output=True, text=True, check=True).stdout
    path = folder / f"program{number}.chi"
    path.write_text(text)
    oracle = run(path, "--arch=interp", "--threads=1")
    if "error[E" in oracle[2]:
        continue  # refused when compiling: chi-fuzz itself looks after those
    ran += 1
    native = run(path, "--threads=1")
    if native != oracle:
        bad.append(f"{path}: interpreter {oracle}\n  cpu {native}")
    for form in ("1", "mirror"):
        recorded = run(path, "--threads=1", form=form)
        if recorded != oracle:
            bad.append(f"{path}: interpreter {oracle}\n  CHI_RECORD={form} {recorded}")
    two = run(path, "--threads=2")
    if two[0] != oracle[0]:
        bad.append(f"{path}: two threads {two}, interpreter {oracle}")
if not bad and ran < count // 4:
    bad.append(f"only {ran} of {count} programs meant something")
sys.exit("\n".join(bad) or 0)

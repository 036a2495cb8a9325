"""Objects are the same from run to run: nothing is ordered by an address, nor
by which thread compiled what.

    same_output.py CHIC FOLDER RUNS PROGRAM...

compiles each program RUNS times without a cache, under address randomisation
and with 1, 2, 3 ... kernels at a time, and prints the programs whose code
differs.
"""
import hashlib
import os
import subprocess
import sys


def code(chic, program, output, jobs):
    subprocess.run([chic, "build", "--no-cache", f"--jobs={jobs}", program, "-o", output],
                   check=True)
    with open(output, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def main():
    chic, folder, runs, *programs = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    output = os.path.join(folder, "program")
    differing = [p for p in programs
                 if len({code(chic, p, output, k + 1) for k in range(int(runs))}) > 1]
    for program in differing:
        print(f"{os.path.basename(program)}: other code each time")
    print(f"{len(programs)} programs, {len(differing)} differ")
    sys.exit(bool(differing))


if __name__ == "__main__":
    main()

"""Objects are the same from run to run: nothing is ordered by an address.

    same_output.py CHIC FOLDER RUNS PROGRAM...

compiles each program RUNS times without a cache, under address randomisation,
and prints the programs whose code differs.
"""
import hashlib
import os
import subprocess
import sys


def code(chic, program, output):
    subprocess.run([chic, "build", "--no-cache", program, "-o", output], check=True)
    with open(output, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def main():
    chic, folder, runs, *programs = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    output = os.path.join(folder, "program")
    differing = [p for p in programs
                 if len({code(chic, p, output) for _ in range(int(runs))}) > 1]
    for program in differing:
        print(f"{os.path.basename(program)}: other code each time")
    print(f"{len(programs)} programs, {len(differing)} differ")
    sys.exit(bool(differing))


if __name__ == "__main__":
    main()

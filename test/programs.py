"""What tests over all programs share: tools, files, and the line at the end."""
import os
import subprocess
import sys


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def check_each(programs, faults_of, counts, word):
    """Prints what `faults_of(program)` yields, then how many programs there were,
    what it counted meanwhile, and how many faults (`word`); ends the process."""
    faults = 0
    for program in programs:
        for fault in faults_of(program):
            faults += 1
            print(f"{os.path.basename(program)}: {fault}")
    numbers = {"programs": len(programs), **counts, word: faults}
    print(", ".join(f"{number} {name}" for name, number in numbers.items()))
    sys.exit(bool(faults))

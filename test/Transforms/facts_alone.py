"""A task needs no launch in the module to be analysed.

    facts_alone.py CHIC CHI_OPT FOLDER PROGRAM...

brings each program to where tasks have their facts (chi-launch-facts), takes all
launches out of the text, and runs the passes that prove things of tasks (which
checks go, which sums do not wrap, how accumulations are carried out, which
effects they have) on both: the tasks that come out are the same.
"""
import os
import re
import subprocess
import sys

TO_FACTS = ["--chi-structure", "--chi-inline", "--chi-number-random", "--chi-promote",
            "--chi-simplify-kernels", "--chi-outline-tasks", "--chi-launch-facts"]
PROOFS = ["--chi-exact-floats", "--chi-insert-checks", "--canonicalize", "--cse",
          "--chi-remove-checks", "--chi-speculate-loads", "--chi-choose-strategies",
          "--chi-simplify-kernels", "--chi-estimate-cost", "--chi-task-effects",
          "--chi-attach-device", "--chi-lanes", "--chi-buffer-stores", "--chi-schedule"]


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def tasks_of(text):
    """The text of each task."""
    return re.findall(r"^  chi\.task .*?^  \}$", text, re.M | re.S)


def main():
    chic, opt, folder, *programs = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    start, alone = (os.path.join(folder, name) for name in ("start.mlir", "alone.mlir"))
    differing = launches = tasks = 0
    for program in programs:
        with open(start, "w", encoding="utf-8") as file:
            file.write(run(chic, "emit-ir", program, "--stage=chi"))
        text = run(opt, start, *TO_FACTS)
        with open(start, "w", encoding="utf-8") as file:
            file.write(text)
        text, count = re.subn(r"^ *chi\.launch .*\n", "", text, flags=re.M)
        with open(alone, "w", encoding="utf-8") as file:
            file.write(text)
        expected, found = (tasks_of(run(opt, path, *PROOFS)) for path in (start, alone))
        launches, tasks = launches + count, tasks + len(expected)
        if expected != found:
            differing += 1
            print(f"{os.path.basename(program)} differs")
    print(f"{len(programs)} programs, {launches} launches, {tasks} tasks, {differing} differ")
    sys.exit(bool(differing))


if __name__ == "__main__":
    main()

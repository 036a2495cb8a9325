"""A task needs no launch in the module to be analysed.

    facts_alone.py CHIC CHI_OPT FOLDER PROGRAM...

brings each program to where tasks have their facts (chi-launch-facts), takes all
launches out of the text, and runs the passes that prove things of tasks (which
checks go, which sums do not wrap, how accumulations are carried out, which
effects they have) on both: the tasks that come out are the same.
"""
import os
import re
import sys
from programs import check_each, run, write

TO_FACTS = ["--chi-structure", "--chi-inline", "--chi-number-random", "--chi-promote",
            "--chi-simplify-kernels", "--chi-outline-tasks", "--chi-launch-facts"]
PROOFS = ["--chi-exact-floats", "--chi-insert-checks", "--canonicalize", "--cse",
          "--chi-remove-checks", "--chi-speculate-loads", "--chi-choose-strategies",
          "--chi-simplify-kernels", "--chi-estimate-cost", "--chi-task-effects",
          "--chi-attach-device", "--chi-lanes", "--chi-buffer-stores", "--chi-schedule"]


def tasks_of(text):
    """The text of each task."""
    return re.findall(r"^  chi\.task .*?^  \}$", text, re.M | re.S)


def main():
    chic, opt, folder, *programs = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    start, alone = (os.path.join(folder, name) for name in ("start.mlir", "alone.mlir"))
    counts = {"launches": 0, "tasks": 0}

    def faults(program):
        text = run(opt, write(start, run(chic, "emit-ir", program, "--stage=chi")), *TO_FACTS)
        without, count = re.subn(r"^ *chi\.launch .*\n", "", text, flags=re.M)
        expected, found = (tasks_of(run(opt, path, *PROOFS))
                           for path in (write(start, text), write(alone, without)))
        counts["launches"] += count
        counts["tasks"] += len(expected)
        if expected != found:
            yield "differs"

    check_each(programs, faults, counts, "differ")


if __name__ == "__main__":
    main()

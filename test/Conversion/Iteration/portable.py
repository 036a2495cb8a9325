"""Iterations are the same for all targets.

    portable.py CHIC CHI_OPT FOLDER PROGRAM...

brings each program to stage `lanes` and puts the iterations of its tasks in a
loop that is not the processor's (chi-test-lower-iteration): no operation of the
LLVM dialect is in it. That the functions made for the processor have none but
what their loops ask of the run time, chi-verify-stage says of stage `loops`.
"""
import os
import re
import sys
from programs import check_each, run, write


def main():
    chic, opt, folder, *programs = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "lanes.mlir")
    counts = {"tasks": 0}

    def faults(program):
        for stage, options in (
                ("lanes", ["--chi-test-lower-iteration"]),
                ("loops", ["--chi-verify-stage=after=convert-host-to-runtime"])):
            text = run(opt, write(path, run(chic, "emit-ir", program, f"--stage={stage}")),
                       *options)
            grids = re.findall(r"^  func\.func private @\S+\.grid\(.*?^  \}$", text, re.M | re.S)
            counts["tasks"] += len(grids)
            for grid in grids:
                if re.search(r"(?<![\w.])\"?llvm\.", grid):
                    yield grid.splitlines()[0]

    check_each(programs, faults, counts, "for one target")


if __name__ == "__main__":
    main()

"""Iterations are the same for all targets.

    portable.py CHIC CHI_OPT FOLDER PROGRAM...

brings each program to stage `lanes` and puts the iterations of its tasks in a
loop that is not the processor's (chi-test-lower-iteration): no operation of the
LLVM dialect is in it. That the functions made for the processor have none but
what their loops ask of the run time, chi-verify-stage says of stage `loops`.
"""
import os
import re
import subprocess
import sys


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main():
    chic, opt, folder, *programs = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "lanes.mlir")
    tasks = faults = 0
    for program in programs:
        for stage, options in (
                ("lanes", ["--chi-test-lower-iteration"]),
                ("loops", ["--chi-verify-stage=after=convert-host-to-runtime"])):
            with open(path, "w", encoding="utf-8") as file:
                file.write(run(chic, "emit-ir", program, f"--stage={stage}"))
            text = run(opt, path, *options)
            grids = re.findall(r"^  func\.func private @\S+\.grid\(.*?^  \}$", text, re.M | re.S)
            tasks += len(grids)
            for grid in grids:
                if re.search(r"(?<![\w.])\"?llvm\.", grid):
                    faults += 1
                    print(f"{os.path.basename(program)}: {grid.splitlines()[0]}")
    print(f"{len(programs)} programs, {tasks} tasks, {faults} for one target")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Runs an example compiled and interpreted: the results must have equal bits.

    same.py [--uniform] [--file NAME] FOLDER EXAMPLE.chi [--param value …]

`--uniform`: no iteration adds to an element that another adds to, so two
threads give the same bits too. `--file`: what the program saves (its `--out`)
is compared as well. With CHI_RECORD the direct form is the oracle; on a device
they may be as far from it as closeness.py says.
"""
import os
import pathlib
import subprocess
import sys

from closeness import same_file, same_text


FORM = os.environ.get("CHI_RECORD", "0")  # 0, 1 or mirror


def run(flags, program, folder, kind, file, form=FORM):
    command = ["chic", "run", *flags, *program]
    if file:
        path = pathlib.Path(folder) / f"{kind}-{file}"
        command += ["--out", str(path)]
    done = subprocess.run(command, capture_output=True, text=True,
                          env=os.environ | {"CHI_RECORD": form})
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr}")
    lines = [l for l in done.stdout.splitlines() if " ms per " not in l]
    return lines, path.read_bytes() if file else b""


def main():
    arguments = sys.argv[1:]
    uniform = arguments[0] == "--uniform"
    if uniform:
        arguments = arguments[1:]
    file = None
    if arguments[0] == "--file":
        file = arguments[1]
        arguments = arguments[2:]
    folder, program = arguments[0], arguments[1:]
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    where = "--threads=1" if FORM != "0" else "--arch=interp"
    oracle = run([where, "--float=strict"], program, folder, "interp", file,
                 form="0")
    for threads in (1, 2) if uniform else (1,):
        got = run(["--float=strict", f"--threads={threads}"], program, folder,
                  f"cpu{threads}", file)
        for a, b in zip(got[0], oracle[0]):
            if not same_text(a, b):
                sys.exit(f"{threads} threads print\n  {a}\nthe oracle\n"
                         f"  {b}")
        if len(got[0]) != len(oracle[0]) or not same_file(got[1], oracle[1]):
            sys.exit(f"{threads} threads and the oracle differ")


if __name__ == "__main__":
    main()

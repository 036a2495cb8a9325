"""One order of passes: chi-opt leads to what chic emits.

    same_stages.py CHIC CHI_OPT MATH FOLDER PROGRAM...

takes the text of each program at stage `chi` by chi-opt to each later stage, and
compares it with what `chic emit-ir` prints of that stage. MATH is the file of
the elementary functions. The input has its places, which loops and later stages
hold as data, and after each pass it is looked whether what it promises holds
(chi-verify-stage); the texts that are compared are printed without: those of block
arguments have no form in the text of an operation.
"""
import os
import subprocess
import sys

STAGES = ["simplified", "grad", "optimised", "lanes", "loops", "llvm"]
# A processor with registers of 32 bytes, whatever this one has.
TARGET, REGISTER_BYTES = "x86-64-v3", 32


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def library_of(math, folder):
    """The bytecode alone: a hash of what it was made of stands before it."""
    with open(math, "rb") as file:
        content = file.read()
    path = os.path.join(folder, "math.mlirbc")
    with open(path, "wb") as file:
        file.write(content[content.index(b"ML\xefR"):])
    return path


def emitted(chic, program, stage):
    return run(chic, "emit-ir", program, f"--stage={stage}", "--locations",
               f"--target-cpu={TARGET}")


def main():
    chic, opt, math, folder, *programs = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    differing, math = 0, library_of(math, folder)
    for program in programs:
        start, reached = (os.path.join(folder, name) for name in ("start.mlir", "reached.mlir"))
        with open(start, "w", encoding="utf-8") as file:
            file.write(emitted(chic, program, "chi"))
        for stage in STAGES:
            options = f"vector-bytes={REGISTER_BYTES} math={math} verify"
            text = emitted(chic, program, stage)
            if stage == "grad" and text != emitted(chic, program, "simplified"):
                differing += 1
                print(f"{os.path.basename(program)}: nothing is differentiated, "
                      "but grad is not simplified")
            with open(reached, "w", encoding="utf-8") as file:
                file.write(text)
            if run(opt, start, f"--chi-to-{stage}={options}") != run(opt, reached):
                differing += 1
                print(f"{os.path.basename(program)}: {stage} differs")
    print(f"{len(programs)} programs, {differing} differ")
    sys.exit(bool(differing))


if __name__ == "__main__":
    main()

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
import re
import sys
from programs import check_each, run, write

STAGES = ["simplified", "grad", "optimised", "lanes", "loops", "llvm"]
# A processor with registers of 32 bytes, whatever this one has.
TARGET, REGISTER_BYTES = "x86-64-v3", 32
HARDWARE = {"absf", "absi", "ceil", "copysign", "floor", "fma", "roundeven", "sqrt", "trunc"}


def library_of(math, folder):
    """The bytecode alone: a hash of its inputs precedes it."""
    with open(math, "rb") as file:
        content = file.read()
    path = os.path.join(folder, "math.mlirbc")
    with open(path, "wb") as file:
        file.write(content[content.index(b"ML\xefR"):])
    return path


def emitted(chic, program, stage):
    return run(chic, "emit-ir", program, f"--stage={stage}", "--locations",
               f"--target-cpu={TARGET}")


def needs_library(text):
    """Whether chic reads the library of elementary functions for a module at stage `optimised`: not for what processors
    have, nor for `%` alone, whose code is short."""
    return "chi.hypot" in text or set(re.findall(r"\bmath\.(\w+)", text)) - HARDWARE


def main():
    chic, opt, math, folder, *programs = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    start, reached = (os.path.join(folder, name) for name in ("start.mlir", "reached.mlir"))
    library = library_of(math, folder)

    def faults(program):
        write(start, emitted(chic, program, "chi"))
        options = f"vector-bytes={REGISTER_BYTES} verify"
        if needs_library(emitted(chic, program, "optimised")):
            options += f" math={library}"
        for stage in STAGES:
            text = emitted(chic, program, stage)
            if stage == "grad" and text != emitted(chic, program, "simplified"):
                yield "nothing is differentiated, but grad is not simplified"
            if run(opt, start, f"--chi-to-{stage}={options}") != run(opt, write(reached, text)):
                yield f"{stage} differs"

    check_each(programs, faults, {}, "differ")


if __name__ == "__main__":
    main()

"""same_everywhere.py PROGRAM [--scattered] [PARAM VALUE]...: one meaning.

The interpreter is the oracle: the program on the CPU with one thread and, unless
scattered updates leave the order open, with two, and its executable print
exactly the same with --float=strict. With CHI_RECORD the oracle is the
direct form.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

program, flags = sys.argv[1], sys.argv[2:]
isScattered = "--scattered" in flags
flags = [flag for flag in flags if flag != "--scattered"]


FORM = os.environ.get("CHI_RECORD", "0")  # 0, 1 or mirror


def output(*command, form=FORM):
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          timeout=250,
                          env=os.environ | {"CHI_RECORD": form})
    return done.returncode, done.stdout, done.stderr


with tempfile.TemporaryDirectory() as folder:
    built = str(pathlib.Path(folder) / "program")
    where = "--threads=1" if FORM != "0" else "--arch=interp"
    oracle = output("chic", "run", program, where, "--float=strict", *flags, form="0")
    ways = {"one thread": output("chic", "run", program, "--float=strict", "--threads=1", *flags)}
    if not isScattered:
        ways["two threads"] = output("chic", "run", program, "--float=strict", "--threads=2",
                                     *flags)
    build = output("chic", "build", program, "--float=strict", "-o", built)
    ways["built"] = build if build[0] else output(built, "--threads=1", *flags)

bad = [f"{way}: {found}" for way, found in ways.items() if found != oracle]
if oracle[0]:
    bad = [f"{oracle}"]
sys.exit("\n".join([f"oracle: {oracle}", *bad]) if bad else 0)

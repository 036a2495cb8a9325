"""same_everywhere.py PROGRAM [--scattered] [PARAM VALUE]...: one meaning.

The interpreter is the oracle: the program on the CPU with one thread and, unless
scattered updates leave the order open, with two, and its executable print the
same, to the letter, with --float=strict.
"""
import pathlib
import subprocess
import sys
import tempfile

program, flags = sys.argv[1], sys.argv[2:]
isScattered = "--scattered" in flags
flags = [flag for flag in flags if flag != "--scattered"]


def output(*command):
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          timeout=250)
    return done.returncode, done.stdout, done.stderr


with tempfile.TemporaryDirectory() as folder:
    built = str(pathlib.Path(folder) / "program")
    oracle = output("chic", "run", program, "--arch=interp", "--float=strict", *flags)
    ways = {"one thread": output("chic", "run", program, "--float=strict", "--threads=1", *flags)}
    if not isScattered:
        ways["two threads"] = output("chic", "run", program, "--float=strict", "--threads=2",
                                     *flags)
    build = output("chic", "build", program, "--float=strict", "-o", built)
    ways["built"] = build if build[0] else output(built, "--threads=1", *flags)

bad = [f"{way}: {found}" for way, found in ways.items() if found != oracle]
if oracle[0]:
    bad = [f"{oracle}"]
sys.exit("\n".join([f"interpreter: {oracle}", *bad]) if bad else 0)

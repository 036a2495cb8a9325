"""native_math.py PROGRAM RELATIVE-ERROR ENVIRONMENT...: with --math=native a
program prints what it prints with Chi's functions, within that error."""
import os
import subprocess
import sys

import closeness

program, error, *prefix = sys.argv[1:]
os.environ["CHI_TOLERANCE"] = error


def printed(*options):
    done = subprocess.run([*prefix, "chic", "run", program, *options], capture_output=True,
                          text=True, check=False)
    if done.returncode:
        sys.exit(f"{options}: exit {done.returncode}\n{done.stderr}")
    return done.stdout


ours, native = printed("--arch=cuda"), printed("--arch=cuda", "--math=native")
if ours == native:
    sys.exit("the same functions")
for k, (a, b) in enumerate(zip(native.splitlines(), ours.splitlines(), strict=True)):
    if not closeness.same_text(a, b):
        sys.exit(f"line {k + 1}: {a}, with Chi's functions {b}")
if printed("--arch=cuda") != ours:
    sys.exit("the cache gives code of the other option")

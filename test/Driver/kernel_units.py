"""kernel_units.py FOLDER"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir()
environment = {**os.environ, "CHI_CACHE_DIR": str(folder / "cache")}


def program(changed="", shift=0):
    text = "n = 8\nx = field(f32, shape=n)\n\ndef at(k):\n    return x[k + shift]\n\nshift = %d\n" % shift
    for k in range(20):
        text += f"\n@kernel\ndef kernel{k}(first: i32):\n    for i in range(4):\n"
        if k == 7:
            text += changed
        text += f"        x[i + first] += {k} + at(i)\n"
    text += "".join(f"kernel{k}(0)\n" for k in range(20))
    return text + "print(x.sum())\nkernel19(6)\n"


def run(text):
    (folder / "twenty.chi").write_text(text)
    done = subprocess.run(["chic", "run", "twenty.chi", "--time", "--threads=1"], cwd=folder, env=environment,
                          capture_output=True, text=True, stdin=subprocess.DEVNULL)
    kernels = re.search(r"kernels (.*)", done.stderr)
    line = re.search(r"twenty\.chi:(\d+):\d+: error: index 8 is out of bounds", done.stderr)
    if not kernels or not line or done.returncode != 1:
        sys.exit(f"exit {done.returncode}\n{done.stdout}{done.stderr}")
    wanted = text[:text.index("+= 19")].count("\n") + 1
    if int(line[1]) != wanted:
        sys.exit(f"the error stands in line {wanted}, but the message says\n{done.stderr}")
    return kernels[1]


def expect(got, pattern):
    if not re.fullmatch(pattern, got):
        sys.exit(f"kernels {got}\nexpected {pattern}")


everything = r".*kernel0, .*kernel19.*"
expect(run(program()), "compiled: " + everything)
expect(run("\n# All moves by two lines.\n" + program()), "reused: " + everything)
expect(run(program("        # a longer\n        # kernel\n        y = 2.0 * i\n        x[i] += y\n")),
       r"compiled: kernel7; reused: " + everything)

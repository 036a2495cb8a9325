"""reuse.py FOLDER: which kernels are compiled again after a change.

Each change is made to one program of two kernels and a script. Whatever is
reused, the result has to be that of the changed program.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

folder = pathlib.Path(sys.argv[1]).resolve()
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir()
environment = {**os.environ, "CHI_CACHE_DIR": str(folder / "cache")}
PROGRAM = """c = 3
x = field(f32, shape=8)

def f(k):
    return k * 2

@kernel
def a():
    for i in x:
        x[i] += f(i)

@kernel
def b(n: i32):
    for i in x:
        x[i] += n + c

a()
b(1)
print(x.sum())
"""
KERNEL_B = PROGRAM[PROGRAM.index("@kernel\ndef b"):PROGRAM.index("a()\nb(1)")]


def run(text, *flags, file="p.chi"):
    """(the units that were compiled, those that were reused, the output)"""
    (folder / file).write_text(text)
    done = subprocess.run(["chic", "run", "--time", *flags, file], cwd=folder, env=environment,
                          capture_output=True, text=True, stdin=subprocess.DEVNULL)
    kernels = re.search(r"kernels (?:compiled: (.*?))?(?:; )?(?:reused: (.*))?$", done.stderr, re.M)
    if done.returncode != 0 or not kernels:
        sys.exit(f"{flags}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    compiled, reused = ([name for name in (group or "").split(", ") if name] for group in kernels.groups())
    return compiled, reused, done.stdout.split()


bad = []


def expect(what, compiled, reused, output, *args, **rest):
    got = run(*args, **rest)
    if got != (compiled, reused, output):
        bad.append(f"{what}: {got}, expected {(compiled, reused, output)}")


def changed(old, new):
    assert PROGRAM.count(old) == 1, old
    return PROGRAM.replace(old, new)


BOTH, ALL = ["a", "b"], ["a", "b", "host code"]
# x becomes 0, 2, … 14, which makes 56, and each element gets 1 + 3.
expect("first run", ALL, [], ["88.0"], PROGRAM)

# The script is a unit of its own, and kernels do not depend on it.
expect("a statement more", ["host code"], BOTH, ["88.0", "1"], PROGRAM + "print(1)\n")
expect("another argument", ["host code"], BOTH, ["96.0"], changed("b(1)", "b(2)"))
expect("another initial value", ["host code"], BOTH, ["88.0"],
       changed("shape=8)\n", "shape=8)\ny = field(i32, shape=2)\n"))

# Text that is no code, and code that moves.
expect("a comment", [], ALL, ["88.0"], changed("b(1)", "# A comment\n\nb(1)").replace("c = 3", "\n\nc = 3"))
expect("the kernels in another order", [], ALL, ["88.0"],
       KERNEL_B + "\n" + changed(KERNEL_B, ""))

# A change in a kernel is that kernel's; one in a function, its callers'.
expect("a kernel", ["b"], ["a", "host code"], ["96.0"], changed("n + c", "n + 1 + c"))
expect("a function", ["a"], ["b", "host code"], ["116.0"], changed("k * 2", "k * 3"))
NEW = "@kernel\ndef d():\n    for i in x:\n        x[i] = 0\n\na()\nb(1)\n"
expect("a kernel that nothing calls", [], ALL, ["88.0"], changed("a()\nb(1)\n", NEW))
expect("a kernel that the script calls", ["d", "host code"], BOTH, ["0.0"],
       changed("a()\nb(1)\n", NEW + "d()\n"))
# Half of the elements: 0 + 2 + 4 + 6 and four times 4.
expect("a field of another shape", ALL, [], ["28.0"], changed("shape=8", "shape=4"))

# Flags that decide what code is made; each a second time, when all is reused.
for flag in ("-O1", "--float=strict", "--check=overflow", "--without=lanes", "--target-cpu=generic", "-g"):
    for compiled, reused in ((ALL, []), ([], ALL)):
        text = PROGRAM if compiled else PROGRAM + "# the same program, not found as a whole\n"
        expect(flag, compiled, reused, ["88.0"], text, flag)
print("\n".join(bad))
sys.exit(bool(bad))

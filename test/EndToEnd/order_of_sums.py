"""order_of_sums.py FOLDER: sums of strict loops, compared exactly.

One program for each type of float; the interpreter's output is what all
configurations have to print.
"""
import os
import pathlib
import subprocess
import sys

PROGRAM = """
n = {n}
x = field({T}, shape=n, grad=True)
y = field({T}, shape=7)
z = field({T}, shape=7)
v = field(vec(3, {T}), shape=5)
m = field(mat(2, 2, {T}))
place = field(i32)
s = field({T}, grad=True)
w = field({T}, shape=7, grad=True)
L = field({A}, grad=True)

@kernel
def fill():
    for i in x:
        x[i] = {T}(0.1) + {T}(i % 31) * {T}(0.037)

@kernel
def scattered():
    for i in x:
        y[i % 7] += x[i] * {T}(0.3)
        y[(i * i) % 7] -= x[i] * {T}(0.11)
        for j in range(3):
            z[(i + j) % 7] += x[i] * {T}(j)

@kernel
def one_address(k: i32, c: i32):
    own = place[None] + 1
    for i in x:
        y[0] += x[i]
        y[k] += x[i] * {T}(0.7)
        z[own] += x[i] * {T}(0.9)
        v[k].y += x[i]
        v[2][c] += x[i] * {T}(0.3)
        m[None][1, 0] += x[i]
        if i % 3 == 0:
            m[None][k - 1, k - 2] += x[i]

@kernel
def never(k: i32):
    for i in x:
        if k < 7:
            y[k] += x[i]

@kernel
def overlapping(a: field({T}, 1), b: field({T}, 1)):
    for i in range(n - 1):
        a[i] += {T}(0.3) * {T}(i % 13)
        b[i + 1] += {T}(0.7) * {T}(i % 11)

@kernel
def loss(k: i32):
    for i in x:
        L[None] += {A}(x[i] * s[None] + x[i] * w[3] * w[k] + w[(i * i) % 7] * x[i])

fill()
scattered()
for i in range(7):
    print(y[i], z[i])
one_address(2, 1)
never(1_000_000)
never(3)
for i in range(7):
    print(y[i], z[i])
for i in range(5):
    print(v[i])
print(m[None])
s[None] = {T}(0.3)
for i in range(7):
    w[i] = {T}(0.1) * {T}(i)
with Tape(L):
    loss(5)
print(L[None], s.grad[None])
for i in range(7):
    print(w.grad[i])
overlapping(x, x)
print(x[1], x[17], x[n - 1], x.sum())
"""
CONFIGS = [["--threads=1"], ["--threads=2"], ["--threads=5"], ["--threads=5", "-O0"], ["--threads=2", "--target-cpu=generic"],
           ["--threads=3", "--without=all"], ["--threads=3", "--arch=mirror"]]

folder = pathlib.Path(sys.argv[1])
if os.environ.get("CHI_RECORD", "0") != "0":
    sys.exit(0)  # the other run has looked at all forms
devices = subprocess.run(["chic", "devices"], capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout
if "vulkan" in devices:
    CONFIGS.append(["--arch=vulkan"])


def run(path, *flags):
    done = subprocess.run(["chic", "run", str(path), "--float=strict", *flags], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=250)
    return done.returncode, done.stdout, done.stderr


bad = []
for scalar, size in (("f32", 5000), ("f64", 5000), ("f16", 3000)):
    path = folder / f"sums_{scalar}.chi"
    path.write_text(PROGRAM.format(T=scalar, A="f32" if scalar == "f16" else scalar, n=size))
    oracle = run(path, "--arch=interp")
    if oracle[0] != 0 or oracle[1].count("\n") < 25:
        sys.exit(f"{path}: {oracle}")
    for flags in CONFIGS:
        got = run(path, *flags)
        if got != oracle:
            different = [pair for pair in zip(oracle[1].split("\n"), got[1].split("\n")) if pair[0] != pair[1]]
            bad.append(f"{path} {flags}: status {got[0]} {different[:5]} {got[2][-300:]}")
sys.exit("\n".join(bad) or 0)

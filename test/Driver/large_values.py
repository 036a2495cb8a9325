"""large_values.py FOLDER: a large matrix through functions, kernels, top level."""
import pathlib
import resource
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
PROGRAM = """
type big = mat({n}, {n}, f32)
x = field(f32, shape={n})

def scale(m: big, k: f32) -> big:
    return m * k

def both(m: big) -> (big, f32):
    return scale(m, 2), m[1, 2]

@kernel
def rows(m: big):
    for i in x:
        s = 0.0
        for j in range({n}):
            s += m[i, j]
        x[i] = s

a = big(1)
b = scale(a, 2.5)
b[1, 2] = 0.5
rows(scale(b, 2))
print(b[3, 4], b.sum() == 2.5 * {n} * {n} - 2, x[1] == 5 * {n} - 4)
"""


def seconds(n):
    """Processor time of a first run; the program's result is looked at, too."""
    path = folder / f"large{n}.chi"
    path.write_text(PROGRAM.format(n=n))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(["chic", "run", "--no-cache", str(path)], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=250)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0 and done.stdout == "2.5 True True\n", (done.stdout, done.stderr)
    return after.ru_utime - before.ru_utime


short, long = seconds(16), seconds(64)
print(f"16 × 16: {short:.2f} s, 64 × 64: {long:.2f} s")
sys.exit(long > 4 * short)

"""long_kernels.py FOLDER: kernels of hundreds of statements, and four times as many."""
import os
import pathlib
import resource
import subprocess
import sys

if os.environ.get("CHI_RECORD", "0") != "0":
    sys.exit(0)  # what is measured is the compiler
folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
HEAD = """x = field(f32, shape=20_000, grad=True)
y = field(f32, shape=5_000_000)
z = field(f32, shape=1000)
L = field(f32, grad=True)

@kernel
def k(a: f32):
    for i in range(1000):
        s = 0.0
"""


def program(statement, count, end):
    lines = "".join(f"        {statement.format(j=j, n=count)}\n" for j in range(count))
    return HEAD + lines + "        z[i] = s\n\n" + end + "\n"


def seconds(name, count, statement, end, expected):
    """Processor time of a first run; the program's result is looked at, too."""
    path = folder / f"{name}{count}.chi"
    path.write_text(program(statement, count, end))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(["chic", "run", "--no-cache", str(path)], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=250)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0 and done.stdout == expected, (name, done.stdout[-400:], done.stderr[-400:])
    return after.ru_utime - before.ru_utime


def grows(name, statement, end, expected, counts=(400, 1600), attempts=3):
    """Whether four times the statements take seven times as long, each time it is
    measured: caches that other processes fill slow down the longer one more."""
    for _ in range(attempts):
        short, long = (seconds(name, n, statement, end, f"{expected(n)}.0\n") for n in counts)
        print(f"{name}: {counts[0]} statements {short:.2f} s, {counts[1]} {long:.2f} s")
        if long <= 7 * short:
            return False
    return True


PLAIN = "k(1.0)\nprint(x[300])"
TAPE = "with Tape(L):\n    k(1.0)\nprint(x.grad[300])"


def of_300(count):
    """What all statements add to element 300."""
    return sum(range(min(301, count)))


bad = [grows("sums", "x[i + {j}] += a * {j}", PLAIN, of_300),
       grows("stores", "y[i * {n} + {j}] = a * {j}", "k(1.0)\nprint(y[300])", lambda n: 300),
       grows("loads", "s += x[i + {j}] * {j}", PLAIN, lambda n: 0),
       grows("conditions", "if a > {j} - 5000: x[i + {j}] += a * {j}", PLAIN, of_300),
       grows("calls", "x[i + {j}] += max(sin(a + {j}), 2.0) + ({j} - 2)", PLAIN, of_300),
       grows("many calls", "x[i + {j}] += max(sin(a + {j}), 2.0) + ({j} - 2)", PLAIN, of_300, (750, 3000)),
       grows("gradients", "L[None] += x[i + {j}] * {j}", TAPE, of_300)]
sys.exit(1 if any(bad) else 0)

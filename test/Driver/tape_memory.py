"""tape_memory.py FOLDER: the errors for memory that a tape lacks, on each backend."""
import pathlib
import re
import resource
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
arches = sys.argv[2:]
(folder / "grows.chi").write_text("""param n: i32 = 1000
param m: i32 = 1
x = field(f64, shape=n, grad=True)
rows = field(f64, shape=(m, n))
L = field(f64)

@kernel
def grow():
    for i in x:
        x[i] = x[i] * x[i] + 0.5

@kernel
def fold():
    for i in range(n):
        rows[0, i] = rows[0, i] * rows[0, i] + x[i]

@kernel
def total():
    for i in x:
        L[None] += x[i] + rows[0, i]

x.fill(0.1)
with Tape(loss=L):
    for k in range(20):
        if m == 1:
            grow()
        else:
            fold()
    total()
print("done", x.grad[0] > 0)
""")
AMOUNT = r"\d+ [KM]iB"
HELD = rf"; the tapes? holds? {AMOUNT}: {AMOUNT} of saved values, {AMOUNT} of adjoints, {AMOUNT} of the log"
WHOLE = (rf"grows.chi:(9|14|19):5: error: out of memory: (a saved copy of |the adjoint of |)`x`, a field of shape "
         rf"\(\d+,\) needs {AMOUNT}( on the device `\w+`)?(, {AMOUNT} are free)?.*{HELD} \[kernel (grow|total)\]")
PART = (rf"grows.chi:14:5: error: out of memory: a saved copy of `rows`, a part of a field of shape \(\d+, \d+\) "
        rf"needs {AMOUNT}, {AMOUNT} are free{HELD} \[kernel fold\]")


def run(command, limit=None):
    """Its status and what it says, with so many MiB of addresses."""
    def prepare():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if limit:
            resource.setrlimit(resource.RLIMIT_AS, (limit << 20, limit << 20))
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, preexec_fn=prepare, timeout=200)
    return done.returncode, done.stdout + done.stderr


def expect(command, words, limits):
    """Some limit leaves room for the fields of the program, and not for its tape."""
    status, said = run(command)  # it compiles without one
    if status != 0 or "done True" not in said:
        sys.exit(f"{command}: {status}\n{said}")
    all_said = []
    for limit in limits:
        status, said = run(command, limit)
        if status == 2 and re.search(words, said):
            return
        all_said.append(f"{limit} MiB: {status}: {said}")
        if status == 0:
            break
    sys.exit(f"{command}: nowhere {words}\n" + "\n".join(all_said))


for arch in arches:
    command = ["chic", "run", "--arch", arch, "--threads=1", "grows.chi", "--n=2000000"]
    expect(command, WHOLE, range(150, 3000, 60))
    if arch == "cpu":
        expect([*command, "--m=2"], PART, range(150, 3000, 60))

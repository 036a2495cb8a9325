"""load_large.py FOLDER: loads arrays whose axes have 2^31 and more elements."""
import os
import pathlib
import re
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)


def npy(name, shape, last=0):
    """An array of u8 that takes no room on the disk; `last` is its last element."""
    header = f"{{'descr': '|u1', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    size = 1
    for extent in shape:
        size *= extent
    with open(folder / name, "wb") as file:
        file.write(b"\x93NUMPY\1\0" + len(header).to_bytes(2, "little") + header.encode())
        file.truncate(128 + size)
        if last:
            file.seek(127 + size)
            file.write(bytes([last]))


def run(name, program, expected, status=0, arches=("cpu", "interp")):
    (folder / name).write_text(program)
    for arch in arches:
        done = subprocess.run(["chic", "run", name, f"--arch={arch}"], cwd=folder,
                              capture_output=True, text=True)
        if done.returncode != status or expected not in done.stdout + done.stderr:
            sys.exit(f"{name}, {arch}: exit {done.returncode}\n{done.stdout}{done.stderr}"
                     f"--- expected\n{expected}")


# No elements: nothing is read, and all lengths count.
npy("none.npy", (4294967300, 0))
run("none.chi", """
x = load("none.npy", field(u8, 2))
y = field(u8, shape=x.shape)
n, m = x.shape

@kernel
def last(u: field(u8, 2)) -> (i64, i64):
    k = u.shape[0]
    for i, j in u:
        k = max(k, i + 1)
    return k, len(u)

def rows(u: field(u8, 2)):
    return u.shape[0] * 2

print(x.shape, len(x), n, m, y.shape, last(x), last(y), rows(x), max(n, 3))
for i, j in x:
    print("never")
x, y = y, x
""", "(4294967300, 0) 4294967300 4294967300 0 (4294967300, 0) (4294967300, 4294967300) "
     "(4294967300, 4294967300) 8589934600 4294967300\n",
    arches=["cpu"])  # the interpreter goes through all rows, empty as they are
run("outside.chi", """
x = load("none.npy", field(u8, 2))
x[4294967300, 0] = 1
""", "index 4294967300 is out of bounds for axis 0 of `x` with size 4294967300", 1)
run("shapes.chi", """
x = load("none.npy", field(u8, 2))
y = field(u8, shape=(3, 0))
y.copy_from(x)
""", "4294967300", 1)


def free_memory():
    """MiB of the host, and of a device where programs run."""
    for line in open("/proc/meminfo"):
        if line.startswith("MemAvailable"):
            yield int(line.split()[1]) // 1024
    if os.environ.get("CHI_RECORD") == "vulkan":
        told = subprocess.run(["chic", "devices"], capture_output=True, text=True).stdout
        yield int(1000 * float(re.search(r"vulkan +0:.*?([\d.]+) GB", told)[1]))


if min(free_memory()) < 6000:
    print(f"{list(free_memory())} MiB are free: large arrays are not loaded")
    sys.exit()

npy("large.npy", (2147483653,), last=7)
try:
    run("large.chi", """
x = load("large.npy", field(u8, 1))

@kernel
def count() -> (i64, i64):
    n: i64 = 0
    where: i64 = 0
    for i in x:
        n += 1
        if x[i] == 7:
            where = max(where, i)
    return n, where

print(x.shape, len(x), x[len(x) - 1], count())
print(x[2147483653])
""", "(2147483653,) 2147483653 7 (2147483653, 2147483652)\n", 1, ["cpu"])
finally:
    (folder / "large.npy").unlink()

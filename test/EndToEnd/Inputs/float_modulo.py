"""float_modulo.py FOLDER COUNT: `%` of floats against Python's.

Pairs of edge values and COUNT random bit patterns of each width go through
`chic run` on all paths: a plain loop, one with exits, vec by element, in fast
mode too. Python's float `%` is C's exact fmod and the divisor added where the
signs differ; sums of two narrower floats in f64 round as if once.
"""
import itertools
import math
import pathlib
import random
import struct
import subprocess
import sys

folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
FORMATS = {"f16": ("<f2", "e", "H"), "f32": ("<f4", "f", "I"), "f64": ("<f8", "d", "Q")}
PROGRAM = """
x = load("x.npy", field(TYPE, 1))
y = load("y.npy", field(TYPE, 1))
a = field(TYPE, shape=len(x))
b = field(TYPE, shape=len(x))
c = field(vec(2, TYPE), shape=len(x))
d = field(TYPE, shape=len(x))

@kernel
def plain():
    for i in x:
        a[i] = x[i] % y[i]

@kernel
def exits():
    for i in x:
        k = 0
        while True:
            b[i] = x[i] % y[i]
            k += 1
            if k > i % 3:
                break

@kernel
def pairs():
    for i in x:
        c[i] = vec(2, TYPE)(x[i], y[i]) % y[i]

plain()
exits()
pairs()
for i in range(40):
    a[i] = x[i] % y[i]
for i in x:
    d[i] = c[i].x
save("a.npy", a)
save("b.npy", b)
save("c.npy", d)
"""


def write(path, name, values):
    descr, code, _ = FORMATS[name]
    head = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({len(values)},), }}"
    head = head.ljust(118 - 1) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() +
                     struct.pack(f"<{len(values)}{code}", *values))


def read(path, name):
    data = path.read_bytes()
    start = 10 + struct.unpack("<H", data[8:10])[0]
    code = FORMATS[name][1]
    return struct.unpack(f"<{(len(data) - start) // struct.calcsize(code)}{code}", data[start:])


def rounded(value, code):
    try:
        return struct.unpack(code, struct.pack(code, value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def modulo(x, y, code):
    if math.isnan(x) or math.isnan(y) or math.isinf(x) or y == 0:
        return math.nan
    return rounded(x % y, code)


def operands(name, rng):
    _, code, bits = FORMATS[name]
    size = struct.calcsize(code) * 8
    digits = {16: 10, 32: 23, 64: 52}[size]
    infinity = ((1 << (size - 1 - digits)) - 1) << digits

    def number(pattern):
        return struct.unpack(code, struct.pack(bits, pattern))[0]

    one = number(infinity // 2 >> digits << digits)
    edges = [0.0, number(1), number(2), number((1 << digits) - 1), number(1 << digits), one, 3.0,
             rounded(0.1, code), rounded(0.3, code), number(infinity - 1), math.inf, math.nan,
             2.0 ** digits, 2.0 ** digits + 1, 2.0 ** (digits - 2) - 0.25, 1e4, rounded(7.3, code)]
    edges += [-e for e in edges]
    pairs = list(itertools.product(edges, edges))
    for _ in range(count):
        x = number(rng.getrandbits(size))
        y = number(rng.getrandbits(size))
        pairs += [(x, y), (rounded(rng.uniform(-9, 9), code), rounded(rng.gauss(0, 1), code))]
        if math.isfinite(y):  # next to a multiple
            pairs.append((rounded(y * rng.randrange(-2000, 2000), code), y))
    return [(rounded(x, code), rounded(y, code)) for x, y in pairs]


def same(left, right):
    return (math.isnan(left) and math.isnan(right)) or \
        (left == right and math.copysign(1, left) == math.copysign(1, right))


def run(*command):
    subprocess.run(command, cwd=folder, check=True, stdin=subprocess.DEVNULL)


WAYS = (["run", "--arch=interp"], ["run"], ["run", "--float=strict", "--threads=2"],
        ["build", "-O0", "--float=strict"], ["build", "-O1"], ["build", "--target-cpu=x86-64"])
folder.mkdir(parents=True, exist_ok=True)
wrong = []
for name in FORMATS:
    pairs = operands(name, random.Random(8))
    write(folder / "x.npy", name, [x for x, _ in pairs])
    write(folder / "y.npy", name, [y for _, y in pairs])
    (folder / "modulo.chi").write_text(PROGRAM.replace("TYPE", name))
    for verb, *flags in WAYS:
        out = ["-o", "modulo"] if verb == "build" else []
        run("chic", verb, *flags, "modulo.chi", *out)
        if verb == "build":
            run(str(folder.absolute() / "modulo"))
        for way in "abc":
            for (x, y), found in zip(pairs, read(folder / f"{way}.npy", name), strict=True):
                wanted = modulo(x, y, FORMATS[name][1])
                if not same(found, wanted):
                    wrong.append(f"{name} {flags} {way}: {x!r} % {y!r} = {found!r}, not {wanted!r}")
sys.exit("\n".join(wrong[:20] + [f"{len(wrong)} in all"]) if wrong else 0)

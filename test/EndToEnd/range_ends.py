"""range_ends.py FOLDER: parallel loops over the last numbers of a type.

Ranges up to the greatest and from the least number of each integer type,
falling and with steps, with loops that are widened (a break, ragged ends, a
while), plain ones and sums. What the interpreter prints is right.
"""
import pathlib
import subprocess
import sys

BITS = {f"{sign}{bits}": (sign, bits) for bits in (8, 16, 32, 64) for sign in "iu"}
COUNT = 45
BODIES = {
    "leaves": """        s = i32(0)
        for k in range(100):
            if k * k > n:
                break
            s += k
        x[n] = s""",
    "plain": """        x[n] = i32(i % {scalar}(7))""",
    "ragged": """        s = i32(0)
        for k in range(n):
            s += y[k] * k
        x[n] = s""",
    "repeats": """        s = i32(0)
        v = n
        while v != 1 and s < 50:
            v = v // 2 if v % 2 == 0 else 3 * v + 1
            s += 1
        x[n] = s""",
    "sums": """        total += n * n""",
}


def ranges(scalar):
    """(range, the number of an iteration) of each kind."""
    sign, bits = BITS[scalar]
    low, high = (0, 2**bits - 1) if sign == "u" else (-2 ** (bits - 1), 2 ** (bits - 1) - 1)
    upper = f"i32(i - {scalar}({high - COUNT}))"
    lower = f"i32(i - {scalar}({low + 1}) + {scalar}(1))"
    kinds = [(f"{scalar}({high - COUNT}), {scalar}({high})", upper),
             (f"{scalar}({high - COUNT}), {scalar}({high}), 3", upper),
             (f"{scalar}({low}), {scalar}({low + COUNT})", lower)]
    if sign == "i":
        kinds += [(f"{scalar}({high}), {scalar}({high - COUNT}), -1", upper),
                  (f"{scalar}({low + COUNT}), {scalar}({low}), -2", lower)]
    return kinds


def program(scalar):
    lines = ["x = field(i32, shape=64)", "y = field(i32, shape=64)", "for i in y:",
             "    y[i] = i * i % 11"]
    for number, (bounds, place) in enumerate(ranges(scalar)):
        for name, body in BODIES.items():
            lines += ["@kernel", f"def {name}{number}() -> i32:", "    total = i32(0)",
                      f"    for i in range({bounds}):", f"        n = {place}",
                      body.format(scalar=scalar), "    return total",
                      f"print({name}{number}(), x)", "x.fill(0)"]
    return "\n".join(lines) + "\n"


def run(path, *flags):
    done = subprocess.run(("chic", "run", "--no-cache", *flags, path.name), cwd=path.parent,
                          capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
    return done.returncode, done.stdout, done.stderr


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    bad = []
    for scalar in BITS:
        path = folder / f"{scalar}.chi"
        path.write_text(program(scalar))
        oracle = run(path, "--arch=interp")
        for flags in (("-O3", "--threads=2"), ("-O1",), ("-O2", "--unchecked", "--threads=1")):
            found = run(path, *flags)
            if found != oracle or oracle[0]:
                bad.append(f"{path} {flags}\n{oracle}\n{found}")
    return "\n".join(bad)


sys.exit(main(pathlib.Path(sys.argv[1])) or 0)

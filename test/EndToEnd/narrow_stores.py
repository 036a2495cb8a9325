"""narrow_stores.py FOLDER: rows of every length, of narrow elements.

Loops of 1 to 65 iterations store what they cut from wider integers and floats
into rows that go on behind. For each level and processor that runs here, what
the rows hold, also behind what is stored, is what the interpreter prints.
"""
import pathlib
import subprocess
import sys

# The narrow types that are made of a wide one.
TYPES = {"u16": ("u8", "i8"), "i32": ("u8", "i16", "u16", "bool"), "u32": ("i8", "u16"),
         "u64": ("u8", "u16", "i32", "bool"), "i64": ("i8", "i16", "u32"), "f32": ("f16",),
         "f64": ("f16", "f32")}
MOST = 65
ROW = MOST + 8
FEW = 17  # LLVM folds the tails of rows of at most so many
# Some lengths, for all but the first.
WAYS = [("-O3", "native", range(1, MOST + 1)), ("-O3", "x86-64-v4", (3, 5, 9, 13)),
        ("-O2", "skylake-avx512", (2, 5, 9, 11)), ("-O3", "x86-64-v3", (5, 9)),
        ("-O1", "native", (9,)), ("-O0", "native", (9,))]


def element(narrow, wide):
    if narrow == "bool":
        return f"bool(a_{wide}[j * 3 % 65] & 2)"
    return f"{narrow}(a_{wide}[j * 3 % 65] * b + {wide}(i))"


def stores(narrow, wide, length):
    """A loop of `length` iterations; the one in it keeps it from being unrolled."""
    name = f"y_{narrow}_{wide}[{length}, i, j]"
    updated = f"{name} = not {name}" if narrow == "bool" else f"{name} += 2"
    return f"""    for i, j in ndrange(2, {length}):
        w = 0
        while w < 30:
            w += 1
            if w > 20: break
            {updated}
        {name} = {element(narrow, wide)}
"""


def made(narrow, wide, place, lengths):
    """A field of rows, a kernel that fills them, one that reads them, and their calls."""
    name = f"{narrow}_{wide}"
    taken = [n for n in lengths if n <= FEW or n % len(TYPES[wide]) == place]
    return f"""
y_{name} = field({narrow}, shape=({MOST + 1}, 2, {ROW}))
@kernel
def store_{name}(b: {wide}):
{"".join(stores(narrow, wide, n) for n in taken)}
@kernel
def sum_{name}(n: i32) -> f64:
    s: f64 = 0
    for i, j in ndrange(2, {ROW}):
        s += f64(y_{name}[n, i, j]) * (i * 100 + j + 1)
    return s
y_{name}.fill({"True" if narrow == "bool" else 5})
store_{name}(3)
for n in range({MOST + 1}):
    print("{narrow} of {wide}, length", n, sum_{name}(n))
"""


def program(lengths):
    parts = []
    for wide, narrows in TYPES.items():
        scale = " / 64" if wide[0] == "f" else ""
        parts.append(f"""
a_{wide} = field({wide}, shape=65)
for i in range(65):
    a_{wide}[i] = {wide}(u64(i * 40_503 + 7) * 11_400_714_819_323 % 30_011{scale})
""")
        parts += [made(narrow, wide, place, lengths) for place, narrow in enumerate(narrows)]
    return "".join(parts)


def run(*flags):
    done = subprocess.run(("chic", "run", "--no-cache", "--float=strict", *flags),
                          capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=280)
    return done.returncode, done.stdout + done.stderr


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "rows.chi"
    file.write_text("print(1)\n")
    here = [way for way in WAYS if run("--target-cpu", way[1], str(file))[0] == 0]
    assert here, "no processor runs here"
    bad = []
    for level, cpu, lengths in here:
        file.write_text(program(lengths))
        oracle = run("--arch=interp", str(file))
        found = run(level, "--target-cpu", cpu, "--threads=1", str(file))
        if oracle[0] != 0:
            bad.append(f"interp: {oracle[1][:2000]}")
        elif found != oracle:
            lines = [f"{a}   FOUND {b}" for a, b in zip(oracle[1].split("\n"), found[1].split("\n"))
                     if a != b]
            bad.append(f"{level} {cpu}: {len(lines)} lines differ\n" + "\n".join(lines[:10]))
    return "\n".join(bad)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])) or 0)

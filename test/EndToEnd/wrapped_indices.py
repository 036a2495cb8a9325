"""wrapped_indices.py FOLDER [EVERY]: indices that wrap, in loops that are vectorised.

Boxes on a torus and gathers from small tables, over all scalar types, extents
2^k and not, both orders, 1-D to 3-D, windows by ndrange and static. Each of
these kernels is compiled at one level for one processor; the levels and the
processors that run here take turns, in an order that is the same everywhere.
EVERY 3 takes every third kernel.
What the interpreter prints is right.
"""
import itertools
import pathlib
import random
import subprocess
import sys

TYPES = "i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64".split()
EXTENTS = {1: (8, 31, 64, 128, 300), 2: (4, 7, 64, 65, 128), 3: (4, 5, 16, 33)}
LETTERS = "ijk"
LEVELS = ("-O3", "-O2", "-O3", "-O1", "-O3", "-O2", "-O0")
PROCESSORS = ("x86-64", "x86-64-v3", "x86-64-v4", "native")


def kernel(number, scalar, rank, extent, order, window):
    """A box and a gather; the last line prints what they give."""
    axes = ", ".join(LETTERS[:rank])
    shape = f"({', '.join([str(extent)] * rank)},)" if rank > 1 else str(extent)
    layout = ', order="' + LETTERS[:rank][::-1] + '"' if order else ""
    offsets = ", ".join("d" + axis for axis in LETTERS[:rank])
    indices = ", ".join(f"({axis} + d{axis}) % {extent}" for axis in LETTERS[:rank])
    spans = ", ".join(["(-1, 2)"] * rank)
    loop = [f"        for {offsets} in ndrange({spans}):", f"            s += a{number}[{indices}]"]
    if window == "static":
        loop = []
        for depth, axis in enumerate(LETTERS[:rank]):
            indent = "    " * (2 + depth)
            loop.append(f"{indent}for d{axis} in static(range(-1, 2)):")
        loop.append("    " * (2 + rank) + f"s += a{number}[{indices}]")
    table = ", ".join(f"({axis} * 3 + 1) % {2 ** (depth + 2)}"
                      for depth, axis in enumerate(LETTERS[:rank]))
    small = ", ".join(str(2 ** (depth + 2)) for depth in range(rank))
    return "\n".join([
        f"a{number} = field({scalar}, shape={shape}{layout})",
        f"b{number} = field({scalar}, shape={shape})",
        f"c{number} = field({scalar}, shape={shape}{layout})",
        f"t{number} = field({scalar}, shape=({small},))",
        "@kernel",
        f"def k{number}():",
        f"    for {axes} in a{number}:",
        f"        a{number}[{axes}] = {scalar}(({' * 5 + '.join(LETTERS[:rank])}) % 6)",
        f"    for {axes} in t{number}:",
        f"        t{number}[{axes}] = {scalar}({' + '.join(LETTERS[:rank])})",
        f"    for {axes} in b{number}:",
        f"        s: {scalar} = 0",
        *loop,
        f"        b{number}[{axes}] = s",
        f"    for {axes} in c{number}:",
        f"        c{number}[{axes}] += t{number}[{table}]",
        f"        b{number}[{axes}] += 1",
        f"k{number}()",
        f"print({number}, b{number}.sum(), c{number}.sum(), b{number}.max(), b{number}[{zeros(rank)}])",
    ]) + "\n"


def zeros(rank):
    return ", ".join(["0"] * rank)


def all_kernels():
    kernels = [
        kernel(number, *choice) for number, choice in enumerate(
            (scalar, rank, extent, order, window)
            for rank, extents in EXTENTS.items()
            for scalar, extent, order, window in itertools.product(
                TYPES, extents, (False, True), ("ndrange", "static")))
    ]
    random.Random(1).shuffle(kernels)
    return kernels


def run(*flags):
    done = subprocess.run(("chic", "run", "--no-cache", "--float=strict", *flags),
                          capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          timeout=250)
    return done.returncode, done.stdout + done.stderr


def main(folder, every):
    folder.mkdir(parents=True, exist_ok=True)
    one = folder / "one.chi"
    one.write_text("print(1)\n")
    here = [cpu for cpu in PROCESSORS if run("--target-cpu", cpu, str(one))[0] == 0]
    assert "x86-64" in here or "native" in here, "no processor runs here"
    ways = list(itertools.product(LEVELS, here))
    kernels = all_kernels()[::every]
    bad = []
    for number, (level, cpu) in enumerate(ways):
        program = folder / f"part{number}.chi"
        program.write_text("".join(kernels[number::len(ways)]))
        oracle = run("--arch=interp", str(program))
        found = run(level, "--target-cpu", cpu, "--threads=2", str(program))
        if oracle[0] != 0 or found != oracle:
            bad.append(f"{program} {level} {cpu}\n{oracle}\n{found}")
    print(f"{len(kernels)} kernels, {len(ways)} ways, {len(bad)} differ")
    return "\n".join(bad)


sys.exit(main(pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1) or 0)

"""python3 test/fuzz/ad --chic build/bin/chic --count N --seed S [--arch interp] …

Random differentiable programs, whose gradients are compared with central
differences. A program counts where the differences of three steps agree (no kink is
near); a gradient that is another then is a finding. So is, with --forward, a derivative
by forward mode that is another than the tape's. Exit status 1 if there are any.
"""
import argparse
import math
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from programs import generate  # noqa: E402

TOLERANCE = 2e-5
FORWARD_TOLERANCE = 1e-8  # between a tape and forward mode
ROUNDING = 2.0**-53  # of a loss, relative
SMALLEST_STEP = 3e-6  # of the differences (judge.py)
# With --vary a seed is compiled in one of these ways.
WAYS = ((), ("-O0",), ("-O1",), ("--threads=1",), ("--threads=3",), ("--float=strict",),
        ("--target-cpu=x86-64-v2",), ("--target-cpu=x86-64-v3", "--threads=2"),
        ("--unchecked",), ("--default-int=i64",), ("--without=all",), ("--check=races",),
        ("--check=nan",))


def options():
    parser = argparse.ArgumentParser(prog="ad", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chic", required=True)
    parser.add_argument("--count", type=int, default=0, help="how many programs at most")
    parser.add_argument("--minutes", type=float, default=0, help="how long to go on")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--arch", default="interp", help="interp, cpu, mirror, vulkan, cuda; with commas")
    parser.add_argument("--flags", default="", help="more for chic run")
    parser.add_argument("--small", action="store_true",
                        help="programs of one loop, which compile fast")
    parser.add_argument("--forward", action="store_true",
                        help="compare forward mode with tapes, too")
    parser.add_argument("--nested", action="store_true",
                        help="compare second derivatives by a tape in a tape, too")
    parser.add_argument("--timeout", type=int, default=120, help="seconds for a program")
    parser.add_argument("--vary", action="store_true",
                        help="compile each program in another way: -O, processor, threads, …")
    parser.add_argument("--out", type=pathlib.Path, help="a folder for findings")
    parser.add_argument("--print", action="store_true", help="print the program of --seed")
    return parser.parse_args()


def agree(a, b, tolerance):
    return abs(a - b) <= tolerance * max(1.0, abs(a), abs(b))


def judge(output):
    """("good" or "wrong", elements compared, what is wrong)."""
    compared, noise = 0, 0.0
    for line in output.splitlines():
        words = line.split()
        if words and words[0] == "loss":
            noise = ROUNDING * abs(float(words[1])) / SMALLEST_STEP
        if words and words[0] == "f":
            got, forward = float(words[2]), float(words[3])
            if math.isfinite(got) and not agree(got, forward, FORWARD_TOLERANCE):
                return "wrong", compared, line
            compared += 1
        if not words or words[0] != "d":
            continue
        got, *differences = (float(w) for w in words[2:6])
        isSmooth = all(math.isfinite(d) for d in differences) and all(
            agree(d, differences[1], TOLERANCE) for d in differences)
        # Of a loss of 1e30, differences are zero or noise.
        isSmooth &= noise <= TOLERANCE * max(1.0, abs(differences[1]))
        if not isSmooth:
            continue
        compared += 1
        if not math.isfinite(got) or not agree(got, differences[1], 3 * TOLERANCE):
            return "wrong", compared, line
    return "good", compared, ""


def run(chic, text, arch, flags, seconds):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "program.chi"
        path.write_text(text)
        try:
            done = subprocess.run([chic, "run", str(path), f"--arch={arch}",
                                   "--default-float=f64", *flags], text=True,
                                  capture_output=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return "slow", 0, f"needs more than {seconds} s"
    if done.returncode:
        kind = "refused" if done.returncode == 1 else "crash"
        return kind, 0, done.stderr[-2000:]
    return judge(done.stdout)


def note(asked, seed, arch, verdict, text, why):
    print(f"{verdict}: seed {seed}, {arch}: {why[:300]}", flush=True)
    if asked.out:
        asked.out.mkdir(parents=True, exist_ok=True)
        (asked.out / f"{verdict}-{seed}-{arch}.chi").write_text(f"# {why}\n".replace(
            "\n", "\n# ")[:-2] + text)


def main():
    asked = options()
    if asked.print:
        print(generate(asked.seed, asked.small, asked.forward, asked.nested), end="")
        return 0
    ends, counts, compared, seed = time.monotonic() + 60 * asked.minutes, {}, 0, asked.seed
    while (seed - asked.seed < asked.count) if asked.count else time.monotonic() < ends:
        text = generate(seed, asked.small, asked.forward, asked.nested)
        for arch in asked.arch.split(","):
            way = WAYS[seed % len(WAYS)] if asked.vary and arch != "interp" else ()
            verdict, number, why = run(asked.chic, text, arch, [*asked.flags.split(), *way],
                                       asked.timeout)
            counts[verdict] = counts.get(verdict, 0) + 1
            compared += number
            if verdict != "good":
                note(asked, seed, arch, verdict, text, " ".join([*way, why]))
        seed += 1
    told = ", ".join(f"{n} {name}" for name, n in sorted(counts.items()))
    print(f"{seed - asked.seed} programs: {told}; {compared} derivatives compared")
    return 0 if set(counts) <= {"good"} and compared else 1


if __name__ == "__main__":
    sys.exit(main())

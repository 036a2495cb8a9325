"""python3 test/fuzz/ad --chic build/bin/chic --count N --seed S [--arch interp] …

Random differentiable programs, whose gradients are compared with central
differences. A program counts where the differences of three steps agree (no kink is
near); a gradient that is another then is a finding. With --kind a program compares more:
a derivative by forward mode that is another than the tape's is a finding, too, and so is a
bit of a gradient that depends on the memory budget of its tape. Exit status 1 if there are
any.
"""
import argparse
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from programs import KINDS, generate  # noqa: E402

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
    parser.add_argument("--kind", default="plain", choices=[*KINDS, "all"],
                        help="compare forward mode with tapes, second derivatives by a tape "
                             "in a tape, the same by forward mode, or tapes with budgets, "
                             "too; all: each seed another of these")
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


class Runner:
    """Runs a program in one way."""

    def __init__(self, chic, path, arch, flags, seconds):
        self.chic, self.path, self.seconds = chic, path, seconds
        self.flags = [f"--arch={arch}", "--default-float=f64", *flags]

    def run(self, *words):
        """(None, output), or (what is wrong, why)."""
        try:
            done = subprocess.run([self.chic, "run", *self.flags, str(self.path), *words],
                                  text=True, capture_output=True, timeout=self.seconds)
        except subprocess.TimeoutExpired:
            return "slow", f"needs more than {self.seconds} s"
        if done.returncode:
            return "refused" if done.returncode == 1 else "crash", done.stderr[-2000:]
        return None, done.stdout

    def judgeBudgets(self, exact):
        """The program with the least budget that its tape says is enough, and with twice as
        much, beside what it gave without one."""
        problem, needed = self.run("--budget=1kB")
        known = re.search(r"needs (\d+) bytes", needed)
        amounts = [int(known[1]), 2 * int(known[1])] if known else []
        if not known and problem:
            return problem, 1, needed
        for amount in amounts:
            problem, output = self.run(f"--budget={amount}B")
            if problem:
                return problem, 1, f"budget of {amount} bytes: {output}"
            if output != exact:
                return "wrong", 1, f"budget of {amount} bytes: {output}"
        return "good", 1 + len(amounts), ""

    def judge(self, kind):
        problem, output = self.run()
        if problem:
            return problem, 0, output
        verdict, compared, why = judge(output)
        if kind != "budget" or verdict != "good":
            return verdict, compared, why
        exact = "".join(line for line in output.splitlines(True) if not line.startswith("d "))
        exact = exact[:exact.index("loss ")]
        verdict, number, why = self.judgeBudgets(exact)
        return verdict, compared + number, why


def run(asked, kind, text, arch, flags):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "program.chi"
        path.write_text(text)
        return Runner(asked.chic, path, arch, flags, asked.timeout).judge(kind)


def waysOf(asked, kind, seed, arch):
    """The options of a run."""
    ways = WAYS[seed % len(WAYS)] if asked.vary and arch != "interp" else ()
    if kind == "budget":  # the same bits at each run
        ways = [way for way in ways if "--threads" not in way]
        ways += ["--deterministic" if arch not in ("interp", "cpu") or seed % 2 else "--threads=1"]
    return [*asked.flags.split(), *ways]


def note(asked, seed, arch, verdict, text, why):
    print(f"{verdict}: seed {seed}, {arch}: {why[:300]}", flush=True)
    if asked.out:
        asked.out.mkdir(parents=True, exist_ok=True)
        (asked.out / f"{verdict}-{seed}-{arch}.chi").write_text(f"# {why}\n".replace(
            "\n", "\n# ")[:-2] + text)


def kindOf(asked, seed):
    return KINDS[seed % len(KINDS)] if asked.kind == "all" else asked.kind


def main():
    asked = options()
    if asked.print:
        print(generate(asked.seed, asked.small, kindOf(asked, asked.seed)), end="")
        return 0
    ends, counts, compared, seed = time.monotonic() + 60 * asked.minutes, {}, 0, asked.seed
    while (seed - asked.seed < asked.count) if asked.count else time.monotonic() < ends:
        kind = kindOf(asked, seed)
        text = generate(seed, asked.small, kind)
        for arch in asked.arch.split(","):
            way = waysOf(asked, kind, seed, arch)
            verdict, number, why = run(asked, kind, text, arch, way)
            counts[verdict] = counts.get(verdict, 0) + 1
            compared += number
            if verdict != "good":
                note(asked, seed, arch, verdict, text, " ".join([kind, *way, why]))
        seed += 1
    told = ", ".join(f"{n} {name}" for name, n in sorted(counts.items()))
    print(f"{seed - asked.seed} programs: {told}; {compared} derivatives compared")
    return 0 if set(counts) <= {"good"} and compared else 1


if __name__ == "__main__":
    sys.exit(main())

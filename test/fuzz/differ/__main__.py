"""python3 test/fuzz/differ --chic build/bin/chic --minutes M --seed S --jobs J

Generated programs by the interpreter and on the CPU, or with --arch on a
device, in many configurations.
Each seed is one program, for good. A difference is shrunk and written to --out.
The last line tells programs, configurations run and differences; exit status 1
if there are any.
"""
import argparse
import multiprocessing
import pathlib
import queue
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from compare import Finding, Place, difference  # noqa: E402
from configurations import Configuration, every, sample  # noqa: E402
from generate import generate  # noqa: E402
from reduce import Reduction  # noqa: E402
from scope import Dice  # noqa: E402

#: What can be left out of programs (and, with `check=`, of configurations).
AVOIDABLE = {
    "wrap2": "indices that wrap at a power of two",
    "mod8": "% of i8",
    "ends": "ranges that end near the ends of their type",
    "fmod": "% and // of floats",
    "minmax0": "min and max of zeros of two signs and of NaN",
    "nanindex": "casts of NaN as indices",
    "draws": "random numbers among other statements",
    "check=nan": "", "check=overflow": "", "check=races": ""}

#: Those with causes that are known and not fixed yet: left out unless
#: --avoid= says otherwise. A fix removes its line.
KNOWN = []


def options():
    parser = argparse.ArgumentParser(prog="differ", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chic", required=True, help="the compiler")
    parser.add_argument("--minutes", type=float, default=0, help="how long to go on")
    parser.add_argument("--count", type=int, default=0, help="how many programs at most")
    parser.add_argument("--seed", type=int, default=1, help="of the first program")
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time")
    parser.add_argument("--ways", type=int, default=8, help="configurations of each program")
    parser.add_argument("--arch", default="cpu", choices=["cpu", "vulkan", "cuda"],
                        help="what is compared with the interpreter")
    parser.add_argument("--thorough", action="store_true", help="all configurations")
    parser.add_argument("--out", type=pathlib.Path, help="a folder for what differs")
    parser.add_argument("--avoid", default=",".join(KNOWN),
                        help="what not to generate, with commas, of: " + ", ".join(AVOIDABLE))
    parser.add_argument("--no-reduce", action="store_true", help="leave programs as they are")
    parser.add_argument("--patience", type=float, default=5, help="minutes to shrink one program")
    parser.add_argument("--print", action="store_true", help="print the program of --seed")
    found = parser.parse_args()
    found.avoid = [name for name in found.avoid.split(",") if name]
    unknown = set(found.avoid) - set(AVOIDABLE)
    if unknown:
        parser.error(f"--avoid does not know {', '.join(sorted(unknown))}")
    return found


def tryProgram(place, seed, asked):
    """(whether it means something, what differs and is written as text)."""
    text, floats, isFailing = generate(seed, asked.avoid)
    place.take(text)
    oracle = place.oracle()
    if oracle.status == 124:
        return "slow", f"the interpreter needs too long for seed {seed}"
    if oracle.isCrash:
        finding = Finding(Configuration(("--arch=interp",), 1), "interpreter", oracle, oracle)
        return "difference", smallest(place, seed, text, finding, floats, asked)
    if oracle.status and not (isFailing and "error[E" not in oracle.errors):
        return "refused", oracle.errors[:400]
    ways = every(asked.avoid, asked.arch) if asked.thorough \
        else sample(Dice(seed), asked.ways, asked.avoid, asked.arch)
    for way in ways:
        if isFailing and "--unchecked" in way.build:
            continue
        finding = difference(place, way, oracle, floats, asked.avoid)
        if finding and finding.kind == "race":
            return "race", finding.found.errors[:400]
        if finding:
            return "difference", smallest(place, seed, text, finding, floats, asked)
    return "good", ""


def smallest(place, seed, text, finding, floats, asked):
    """The report of a finding, shrunk for as long as that may take."""
    if not asked.no_reduce:
        ends = time.monotonic() + 60 * asked.patience
        text, finding = Reduction(place, finding, floats, asked.avoid,
                                  lambda: time.monotonic() > ends).run(text)
    return report(seed, text, finding)


def report(seed, text, finding):
    def shown(outcome):
        lines = (outcome.output + outcome.errors).splitlines()
        return "\n".join(f"#   {line[:200]}" for line in lines[:12])

    return (f"# seed {seed}: {finding.kind} with {finding.way.text}\n"
            f"# the interpreter, status {finding.expected.status}:\n{shown(finding.expected)}\n"
            f"# this way, status {finding.found.status}:\n{shown(finding.found)}\n{text}")


def work(seeds, results, asked):
    place = Place(asked.chic)
    try:
        while True:
            seed = seeds.get()
            if seed is None:
                break
            before = place.runs
            verdict, text = tryProgram(place, seed, asked)
            results.put((seed, verdict, text, place.runs - before))
    finally:
        place.close()
        results.put(None)


def main():
    asked = options()
    if asked.print:
        print(generate(asked.seed, asked.avoid).text, end="")
        return 0
    counts, runs = hunt(asked)
    bad = counts.get("difference", 0)
    others = "".join(f", {n} {name}" for name, n in sorted(counts.items())
                     if name not in ("good", "difference"))
    print(f"{sum(counts.values())} programs, {runs} configurations run, {bad} differences{others}")
    return 1 if bad or counts.get("race") or counts.get("refused") else 0


def hunt(asked):
    """Hands out seeds; ({verdict: programs}, configurations run)."""
    ends = time.monotonic() + 60 * asked.minutes
    seeds, results = multiprocessing.Queue(asked.jobs), multiprocessing.Queue()
    for _ in range(asked.jobs):
        multiprocessing.Process(target=work, args=(seeds, results, asked)).start()
    counts, tally, given, stops, working = {}, 0, 0, asked.jobs, asked.jobs

    def wantsMore():
        isOver = asked.minutes and time.monotonic() > ends
        return not isOver and (given < asked.count if asked.count else asked.minutes > 0)

    while working:
        try:
            if stops:
                isMore = wantsMore()
                seeds.put_nowait(asked.seed + given if isMore else None)
                given, stops = given + isMore, stops - (not isMore)
                continue
        except queue.Full:
            pass
        found = results.get()
        if found is None:
            working -= 1
            continue
        seed, verdict, text, runs = found
        counts[verdict] = counts.get(verdict, 0) + 1
        tally += runs
        if verdict != "good":
            note(asked, seed, verdict, text)
    return counts, tally


def note(asked, seed, verdict, text):
    print(f"{verdict}: seed {seed}", flush=True)
    if asked.out:
        asked.out.mkdir(parents=True, exist_ok=True)
        (asked.out / f"{verdict}-{seed}.chi").write_text(text)
    else:
        print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())

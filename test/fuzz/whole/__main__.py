"""python3 test/fuzz/whole --chic build/bin/chic --minutes M --seed S --jobs J

Generated whole programs by the interpreter and in many other ways; with
--slopes gradients at kinks, zeros and infinities beside branches that discard
them. Each seed is one program, for good. A difference is shrunk and written to
--out. The last line tells programs, runs and differences; exit status 1 if
there are any.
"""
import argparse
import itertools
import multiprocessing
import pathlib
import queue
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "differ")]
from judge import Finding, Place, isCrash  # noqa: E402
from kinds import Dice  # noqa: E402
from script import generate  # noqa: E402
from slopes import generateSlopes  # noqa: E402
from slopes_judge import wrongSlopes  # noqa: E402
from shrink import refuses, shrink, stopsTheCompiler  # noqa: E402
from ways import Way, Ways  # noqa: E402

ORACLE_WAY = Way(("--arch=interp",))


def options():
    parser = argparse.ArgumentParser(prog="whole", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chic", required=True, help="the compiler")
    parser.add_argument("--minutes", type=float, default=0, help="how long to go on")
    parser.add_argument("--count", type=int, default=0, help="how many programs at most")
    parser.add_argument("--seed", type=int, default=1, help="of the first program")
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time")
    parser.add_argument("--ways", type=int, default=6, help="runs of each program")
    parser.add_argument("--arch", default="cpu,cpu,cpu,mirror",
                        help="cpu, mirror, vulkan, cuda; with commas, one that is there twice more often")
    parser.add_argument("--slopes", action="store_true", help="gradients, not whole programs")
    parser.add_argument("--out", type=pathlib.Path, help="a folder for what differs")
    parser.add_argument("--no-reduce", action="store_true", help="leave programs as they are")
    parser.add_argument("--patience", type=float, default=3, help="minutes to shrink one program")
    parser.add_argument("--print", action="store_true", help="print the program of --seed")
    return parser.parse_args()


def program(seed, asked):
    return generateSlopes(seed) if asked.slopes else generate(seed)


def tryProgram(place, ways, seed, asked):
    """(verdict, text to keep, derivatives compared)."""
    made = program(seed, asked)
    place.take(made.text, made.arguments)
    oracle = place.oracle()
    if oracle.status == 124:
        return "slow", report(seed, made.text, None, oracle), 0
    if isCrash(oracle):
        finding = Finding(ORACLE_WAY, "interpreter", oracle, oracle)
        return "difference", smallest(place, seed, made, finding, asked), 0
    if not asked.slopes and made.mayStop and stopsTheCompiler(oracle):
        return "stopped", "", 0
    if refuses(oracle):
        return "refused", report(seed, made.text, None, oracle), 0
    wrong, compared = wrongSlopes(oracle.output, made) \
        if asked.slopes and not oracle.status else ([], 0)
    if wrong:
        finding = Finding(ORACLE_WAY, wrong[0], oracle, oracle)
        return "gradient", report(seed, made.text, finding), compared
    verdict = "stopped" if oracle.status else "good"
    isFastJudged = made.floats != "wild" or made.isStrict or asked.slopes
    for way in ways.sample(Dice(seed), asked.ways, isFastJudged):
        if oracle.status and ("--unchecked" in way.flags or way.watches):
            continue
        finding = place.judge(way, oracle, made)
        if finding and asked.slopes and way.ofAdjoints:
            finding = otherAdjoint(place, way, made)
        if finding is None and asked.slopes and not oracle.status:
            finding = fastSlopes(place, way, oracle, made)
        if finding:
            return "difference", smallest(place, seed, made, finding, asked), compared
    return verdict, "", compared


def otherAdjoint(place, way, made):
    """A finding of a way whose adjoint is made of other code, and so adds in another
    order, beside the interpreter's run of that adjoint, which is judged too."""
    oracle = place.oracle(*way.ofAdjoints)
    wrong, _ = wrongSlopes(oracle.output, made) if not oracle.status else ([], 0)
    if wrong:
        return Finding(Way((*ORACLE_WAY.flags, *way.ofAdjoints)), wrong[0], oracle, oracle)
    return place.judge(way, oracle, made)


def fastSlopes(place, way, oracle, made):
    """A finding of a way whose numbers may be others, but not its gradients."""
    if not way.isFast or way.watches:
        return None
    found = place.run(way)
    wrong, _ = wrongSlopes(found.output, made, isFast=True)
    return Finding(way, wrong[0], oracle, found) if wrong else None


def smallest(place, seed, made, finding, asked):
    text = made.text
    if not asked.no_reduce and " " not in finding.kind:
        text, finding = shrink(place, text, finding, made, 60 * asked.patience)
    return report(seed, text, finding)


def report(seed, text, finding, oracle=None):
    if finding is None:
        return f"{text}# seed {seed}, status {oracle.status}:\n{commented(oracle.errors)}\n"
    expected, found = finding.expected, finding.found
    lines = [f"seed {seed}: {finding.kind}", f"with {finding.way.text}",
             f"status {expected.status} by the interpreter, {found.status} this way"]
    for a, b in differing(expected.output, found.output)[:4]:
        lines += [f"  expected {a}", f"  found    {b}"]
    lines += errorsOf(expected)[:3] + errorsOf(found)[:6]
    return text + commented("\n".join(lines)) + "\n"


def commented(text):
    return "\n".join(f"# {line[:240]}" for line in text.splitlines()[:30])


def errorsOf(outcome):
    return [line for line in outcome.errors.splitlines() if "error" in line or ": note" in line
            or (isCrash(outcome) and "warning" not in line)]


def differing(expected, found):
    """Pairs of lines that differ, from a little before the first difference."""
    pairs = []
    for a, b in itertools.zip_longest(expected.splitlines(), found.splitlines(), fillvalue=""):
        if a != b:
            at = next((k for k, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
            first = max(0, a.rfind(" ", 0, max(0, at - 16)))
            pairs.append((f"@{first} {a[first:first + 90]}", f"@{first} {b[first:first + 90]}"))
    return pairs


def work(seeds, results, asked):
    place, ways = Place(asked.chic), Ways(asked.chic, asked.arch.split(","))
    try:
        while True:
            seed = seeds.get()
            if seed is None:
                break
            before = place.runs
            verdict, text, compared = tryProgram(place, ways, seed, asked)
            results.put((seed, verdict, text, place.runs - before, compared))
    finally:
        place.close()
        results.put(None)


def hunt(asked):
    """Hands out seeds; ({verdict: programs}, runs, derivatives compared)."""
    ends = time.monotonic() + 60 * asked.minutes
    seeds, results = multiprocessing.Queue(asked.jobs), multiprocessing.Queue()
    for _ in range(asked.jobs):
        multiprocessing.Process(target=work, args=(seeds, results, asked)).start()
    counts, tally, derivatives = {}, 0, 0
    given, stops, working = 0, asked.jobs, asked.jobs
    while working:
        isMore = (given < asked.count if asked.count else asked.minutes > 0) \
            and not (asked.minutes and time.monotonic() > ends)
        if stops:
            try:
                seeds.put_nowait(asked.seed + given if isMore else None)
                given, stops = given + isMore, stops - (not isMore)
                continue
            except queue.Full:
                pass
        found = results.get()
        if found is None:
            working -= 1
            continue
        seed, verdict, text, runs, compared = found
        counts[verdict] = counts.get(verdict, 0) + 1
        tally, derivatives = tally + runs, derivatives + compared
        if text:
            note(asked, seed, verdict, text)
    return counts, tally, derivatives


def note(asked, seed, verdict, text):
    print(f"{verdict}: seed {seed}", flush=True)
    if asked.out:
        asked.out.mkdir(parents=True, exist_ok=True)
        (asked.out / f"{verdict}-{seed}.chi").write_text(text)
    else:
        print(text, flush=True)


def main():
    asked = options()
    if asked.print:
        print(program(asked.seed, asked).text, end="")
        return 0
    counts, runs, derivatives = hunt(asked)
    bad = counts.get("difference", 0) + counts.get("gradient", 0)
    others = "".join(f", {n} {name}" for name, n in sorted(counts.items())
                     if name not in ("good", "difference", "gradient"))
    others += f", {derivatives} derivatives compared" if asked.slopes else ""
    print(f"{sum(counts.values())} programs, {runs} runs, {bad} differences{others}")
    isEmpty = not counts.get("good") or asked.slopes and not derivatives
    return 1 if bad or isEmpty or counts.get("refused") or counts.get("slow") else 0


if __name__ == "__main__":
    sys.exit(main())

"""Start-up of whole processes: medians of repeated runs, from the cache and cold."""
import pathlib
import re
import statistics
import tempfile

ONE_LINE = 'print("hello")\n'


def lines_300(example):
    """The substep of an example again and again under other names: a program of 300 lines."""
    text = example.read_text()
    head, kernel, _ = re.split(r"(@kernel\ndef substep\b.*?\n\n(?=@kernel))", text, maxsplit=1, flags=re.S)
    program, k = head, 0
    while program.count("\n") < 300:
        program += kernel.replace("def substep", f"def substep_{k}")
        k += 1
    return "\n".join(program.split("\n")[:300]) + "\n" if program.count("\n") == 300 else program


def measure_startup(chic, examples, run_alone, rounds):
    """[(what, milliseconds, limit, peak MB)]; the processes run in turns."""
    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder)
        (home / "one.chi").write_text(ONE_LINE)
        (home / "many.chi").write_text(lines_300(examples / "mpm88.chi"))
        one = [chic, "run", home / "one.chi"]
        mpm88 = [chic, "run", examples / "mpm88.chi", "--steps", "1", "--out", ""]
        jobs = [("one line, from the cache", one, False, 10), ("one line, cold", one, True, 60),
                ("mpm88 and its first substep, from the cache", mpm88, False, 20),
                ("mpm88 and its first substep, cold", mpm88, True, 500),
                ("check of 300 lines", [chic, "check", "-I", examples, home / "many.chi"], False, 60)]
        found = {what: [] for what, *_ in jobs}
        for k in range(rounds + 1):
            for what, argv, cold, _ in jobs:
                with tempfile.TemporaryDirectory() as fresh:
                    cache = fresh if cold else str(home / "cache")
                    status, _, err, seconds, peak = run_alone(list(map(str, argv)), {"CHI_CACHE_DIR": cache})
                if status:
                    raise SystemExit(f"bench: {what}: exit {status}: {err}")
                if k:  # the first round fills the cache
                    found[what].append((1e3 * seconds, peak / 2**20))
        return [(what, statistics.median(s for s, _ in found[what]), limit,
                 statistics.median(p for _, p in found[what])) for what, _, _, limit in jobs]


def print_startup(rows):
    print("\n| whole process | ms | asked for | peak MB |\n|---|---|---|---|")
    for what, milliseconds, limit, peak in rows:
        print(f"| {what} | {milliseconds:.1f} | {limit} | {peak:.0f} |")

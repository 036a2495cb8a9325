"""What a launch from a host loop costs: medians of repeated runs."""
import pathlib
import re
import statistics

PROGRAM = pathlib.Path(__file__).with_name("launch.chi")
JOBS = [("inline", "launch over 64 elements, inline", 0.2),
        ("woken", "launch over 64 elements that wakes threads", 1.0)]


def measure_launches(chic, run_alone, rounds):
    """[(what, microseconds, limit, least, most)]"""
    found = {name: [] for name, *_ in JOBS}
    for k in range(rounds + 1):
        status, out, err, *_ = run_alone([str(chic), "run", str(PROGRAM)])
        if status:
            raise SystemExit(f"bench: launch: exit {status}: {err}")
        if k:  # the first round compiles
            for name, values in found.items():
                values.append(float(re.search(rf"([\d.]+) us {name}", out)[1]))
    return [(what, statistics.median(found[name]), limit, min(found[name]), max(found[name]))
            for name, what, limit in JOBS]


def print_launches(rows):
    print("\n| launch | µs | asked for | from – to |\n|---|---|---|---|")
    for what, microseconds, limit, least, most in rows:
        print(f"| {what} | {microseconds:.3f} | {limit} | {least:.3f} – {most:.3f} |")

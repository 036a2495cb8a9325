#!/usr/bin/env python3
"""A sweep of many short points beside `xargs -P`, in turns.

    sweeping.py [--build BUILD] [--points 10000] [--jobs 2] [--rounds 3] [--folder FOLDER]

The program is an executable of `chic build` that takes about 1 ms. Prints the seconds of each round, the ratio of the
medians (asked for: 1.2), the time of `chic sweep status` (asked for: 0.2 s), and the memory of the controlling process
at a tenth of the points and at the end (asked for: flat).

Nothing is removed before the end: ext4 searches inodes that were freed in the last seconds for each new file, so that
a sweep right after the removal of 40 000 files takes up to three times as long.
"""
import argparse
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = """param x0: f64 = 1.0
x = x0
for k in range(1000):
    x = x - (x * x - 2) / (2 * x)
report(x=x)
"""


def by_xargs(program, points, jobs, folder):
    folder.mkdir()
    begin = time.perf_counter()
    subprocess.run(["xargs", f"-P{jobs}", "-I{}", program, "--x0={}", "--threads=1"], cwd=folder, check=True,
                   input="".join(f"{k}\n" for k in range(1, points + 1)), text=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def resident(pid):
    """Bytes in memory that are the process's own."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    return 0


def lines_of(folder):
    """Points that have ended, roughly: workers write two lines for each."""
    return sum(file.read_bytes().count(b"\n") for file in (folder / "workers").glob("*.jsonl")) // 2


def by_sweep(chic, program, points, jobs, folder):
    """Seconds, and the memory of the controlling process at a tenth of the points and at the end."""
    begin = time.perf_counter()
    process = subprocess.Popen([chic, "sweep", program, "--over", f"x0=1..{points}", "--jobs", str(jobs), "--out",
                                folder], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    early = late = 0
    while process.poll() is None:
        time.sleep(0.25)
        try:
            late = resident(process.pid) or late
        except OSError:
            break
        if not early and lines_of(folder) >= points // 10:
            early = late
    said = process.communicate()[1]
    seconds = time.perf_counter() - begin
    if process.returncode:
        raise SystemExit(f"chic sweep: exit {process.returncode}: {said}")
    return seconds, early, late


def timed(*command):
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def measure(options, home):
    chic = options.build.resolve() / "bin/chic"
    (home / "p.chi").write_text(PROGRAM)
    program = home / "p"
    subprocess.run([chic, "build", home / "p.chi", "-o", program], check=True)
    alone = statistics.median(timed(program, "--threads=1") for _ in range(50))
    print(f"one point: {1e3 * alone:.2f} ms; {options.points} points, {options.jobs} at a time")
    print("\n| round | xargs, s | chic sweep, s | ratio | status, s | memory at a tenth, MB | at the end, MB |")
    print("|---|---|---|---|---|---|---|")
    rounds = []
    for k in range(1, options.rounds + 1):
        plain = by_xargs(program, options.points, options.jobs, home / f"xargs-{k}")
        seconds, early, late = by_sweep(chic, program, options.points, options.jobs, home / f"sweep-{k}")
        status = statistics.median(timed(chic, "sweep", "status", home / f"sweep-{k}") for _ in range(5))
        rounds.append((plain, seconds))
        print(f"| {k} | {plain:.2f} | {seconds:.2f} | {seconds / plain:.2f} | {status:.3f} | {early / 2**20:.1f} | "
              f"{late / 2**20:.1f} |", flush=True)
    plain, seconds = (statistics.median(column) for column in zip(*rounds))
    print(f"\nmedians: {seconds / plain:.2f} times xargs")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--points", type=int, default=10000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=pathlib.Path, help="where the points run; the system's temporary folder")
    options = parser.parse_args()
    home = pathlib.Path(tempfile.mkdtemp(dir=options.folder))
    try:
        measure(options, home)
    finally:
        shutil.rmtree(home)


main()

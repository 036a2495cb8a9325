#!/usr/bin/env python3
"""Examples beside other people's programs, on this machine, in turns.

    bench.py [CASE … | startup] [--rounds 7] [--peers] [--out FILE]

Runs `chic run examples/CASE.chi` with the parameters of cases.json and the C++
program of the same case (built with its own Makefile), one after the other,
`--rounds` times; with --peers also the Python peers, in an environment of their
own (.bench/peers, made at the first use with pip). Cases with a "program" lie
in bench/programs, their peers in bench/peers; what both print is compared with
golden.json in every run. A ratio is the median of the
rounds' ratios, Chi's time over the peer's. A peer that takes three times as long
is run in one round only. Every process runs alone. `startup`
(also after all cases) times whole processes, from the cache and cold.

`fastest` is the peer with the least median. Prints one table and writes it, with every single time, to bench/results/.
"""
import argparse
import datetime
import json
import math
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time

from launch import measure_launches, print_launches
from startup import measure_startup, print_startup

ROOT = pathlib.Path(__file__).resolve().parents[1]
CASES = json.loads((ROOT / "bench/cases.json").read_text())
GOLDEN = json.loads((ROOT / "bench/golden.json").read_text())
PYTHON_PEERS = "taichi warp numba jax torch".split()
MUCH_SLOWER = 3  # one round says enough
PIP = "numpy taichi==1.7.4 warp-lang numba jax torch".split()


def peers_folder():
    """Where the peer programs are: beside the repository, or CHI_BENCH_PEERS."""
    folder = pathlib.Path(os.environ.get("CHI_BENCH_PEERS", ROOT.parent / "shared/bench"))
    return folder if (folder / "peers/cpp/Makefile").exists() else None


def run_alone(argv, environment=None, limit=600):
    """Returns (exit status, stdout, stderr, seconds, peak bytes)."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err, \
            tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        process = subprocess.Popen(argv, stdout=out, stderr=err, stdin=subprocess.DEVNULL,
                                   cwd=folder, env={**os.environ, **(environment or {})})
        deadline = start + limit
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.perf_counter() > deadline:
                process.kill()
            time.sleep(0.002)
        seconds = time.perf_counter() - start
        out.seek(0)
        err.seek(0)
        return (os.waitstatus_to_exitcode(status), out.read(), err.read(), seconds,
                usage.ru_maxrss * 1024)


def source(case):
    """The program of a case."""
    entry = CASES[case]
    if "program" in entry:
        return ROOT / f"bench/programs/{entry['program']}.chi"
    return ROOT / f"examples/{entry.get('example', case)}.chi"


def difference(case, out):
    """What of a program's output is not as golden.json has it; "" if nothing."""
    said = dict(re.findall(r"([\w\[\]]+) = ([-+\d.eE]+)", out))
    for name, (value, tolerance) in GOLDEN.get(case, {}).items():
        text = said.get(name, "missing")
        good = text == str(value) if tolerance == 0 else \
            text != "missing" and abs(float(text) - value) <= tolerance * abs(value)
        if not good:
            return f"{name} is {text}, golden {value}"
    return ""


class Program:
    """A program that prints `… ms per …`, and values."""

    def __init__(self, case, argv):
        self.case, self.argv = case, argv
        self.unit = CASES[case].get("scale", 1)

    def run(self):
        status, out, err, seconds, peak = run_alone(self.argv)
        times = re.findall(r"([\d.eE+-]+) ms per ", out)
        if status or not times:
            return {"error": f"exit {status}: {(err or out).strip().splitlines()[-1:]}"}
        if wrong := difference(self.case, out):
            return {"error": wrong}
        return {"ms": float(times[-1]) * self.unit, "seconds": seconds, "peak": peak}


class Chi(Program):
    """By `chic run`, from the cache after the first time."""

    def __init__(self, build, case, extra=()):
        super().__init__(case, [str(build / "bin/chic"), "run", str(source(case)),
                                *[str(a) for a in CASES[case]["args"]], *extra])

    def compile_ms(self):
        """Time to the program from source, nothing cached."""
        with tempfile.TemporaryDirectory() as cache:
            _, _, err, _, peak = run_alone([*self.argv, "--time"], {"CHI_CACHE_DIR": cache})
        found = re.search(r"([\d.]+) ms [^\n]*program ready", err)
        return (float(found[1]) if found else None), peak


class Peer:
    """A program of PROTOCOL.md: one JSON line."""

    def __init__(self, argv):
        self.argv = argv

    def run(self):
        status, out, err, seconds, peak = run_alone([*self.argv, "--bench"])
        for line in reversed(out.strip().splitlines()):
            if line.startswith("{"):
                record = json.loads(line)
                return {"ms": record["median_ms"], "seconds": seconds, "peak": peak,
                        "check": record.get("check")}
        return {"error": f"exit {status}: {(err or out).strip().splitlines()[-1:]}"}


def own_peer(case):
    """The name of a case's program in bench/peers; None if there is none."""
    return CASES[case].get("program", CASES[case].get("peer"))


def make_peers(folder, cases, binaries):
    """Builds the C++ programs of the cases."""
    own = {own_peer(case) for case in cases if own_peer(case)}
    others = [case for case in cases if not own_peer(case)] if folder else []
    for place, names in ((ROOT / "bench/peers", own), (folder and folder / "peers/cpp", others)):
        if names:
            build = binaries / "own" if names is own else binaries
            subprocess.run(["make", "-s", "-C", str(place), f"BUILD={build}",
                            *[str(build / name) for name in sorted(names)]], check=True)


def cpp_programs(folder, case, binaries):
    """{name: Peer} of the C++ forms of a case."""
    if own_peer(case):
        return {"cpp": Program(case, [str(binaries / "own" / own_peer(case)), *CASES[case]["args"]])}
    if not folder:
        return {}
    binary = binaries / case
    if not binary.exists():
        return {}
    source = (folder / f"peers/cpp/{case}.cpp").read_text()
    found = {"cpp": Peer([str(binary)])}
    for variant in ("tuned", "scalar"):
        if f'"{variant}"' in source:
            found[f"cpp {variant}"] = Peer([str(binary), "--variant", variant])
    return found


def make_environment():
    """A Python with the peers in it; made once."""
    home = ROOT / ".bench/peers"
    python = home / "bin/python"
    if not (home / "complete").exists():
        print("bench: making an environment for the Python peers", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", *PIP], check=True)
        (home / "complete").touch()
    return str(python)


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def measure(programs, rounds):
    """{name: [record]}: every program once a round, in turns; one that takes
    MUCH_SLOWER times Chi's time, or fails, in the first round only."""
    records = {name: [] for name in programs}
    for k in range(rounds):
        for name, program in programs.items():
            first = [records[n][0].get("ms") if k else 0 for n in ("chi", name)]
            if k and (first[1] is None or first[0] and first[1] > MUCH_SLOWER * first[0]):
                continue
            records[name].append(program.run())
    return records


def ratio(ours, theirs):
    pairs = [a["ms"] / b["ms"] for a, b in zip(ours, theirs) if "ms" in a and "ms" in b]
    return statistics.median(pairs) if pairs else None


def median(records, what):
    values = [r[what] for r in records if what in r]
    return statistics.median(values) if values else None


def show(value, form="{:.2f}"):
    return form.format(value) if value is not None else "–"


def machine():
    """The processor and what of it decides about speed, in words."""
    def first(pattern, text):
        return (re.findall(pattern, text, re.M) or ["?"])[0]
    cpu = pathlib.Path("/proc/cpuinfo").read_text()
    flags = first(r"^flags\s*: (.*)", cpu).split()
    bits = 512 if "avx512f" in flags else 256 if "avx2" in flags else 128
    caches = []
    for cache in sorted(pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        if (cache / "type").read_text().strip() != "Instruction":
            caches.append(f"L{(cache / 'level').read_text().strip()} {(cache / 'size').read_text().strip()}")
    return (f"{os.cpu_count()} cores, {first('^model name.*: (.*)', cpu)} (family "
            f"{first('^cpu family.*: (.*)', cpu)}, model {first('^model.*: ([0-9]+)', cpu)}), "
            f"vectors of {bits} bits, {', '.join(caches)}")


def fastest(records):
    """The name of the fastest other program of a case, by the medians."""
    others = {name: median(of, "ms") for name, of in records.items() if not name.startswith("chi")}
    others = {name: ms for name, ms in others.items() if ms}
    return min(others, key=others.get, default=None)


def bench_case(case, options, build, folder, binaries, python):
    chi = Chi(build, case)
    programs = {"chi": chi}
    if not options.checks_only:
        programs |= cpp_programs(folder, case, binaries)
    if not options.checks_only and python:
        for peer in PYTHON_PEERS if folder else []:
            program = folder / f"peers/{peer}/{case}.py"
            if program.exists():
                programs[peer] = Peer([python, str(program)])
        program = ROOT / f"bench/peers/{own_peer(case)}.py"
        if program.exists():
            programs["numpy"] = Program(case, [python, str(program), *CASES[case]["args"]])
    programs["chi unchecked"] = Chi(build, case, ["--unchecked"])
    compile_ms, cold_peak = chi.compile_ms()
    chi.run()  # fills the cache
    programs["chi unchecked"].run()
    records = measure(programs, options.rounds)
    ours = records["chi"]
    row = {"case": case, "chi_ms": median(ours, "ms"), "compile_ms": compile_ms,
           "peak_mb": median(ours, "peak") and median(ours, "peak") / 2**20,
           "cold_peak_mb": cold_peak / 2**20, "fields_mb": CASES[case]["fields_mb"], "records": records, "ratios": {}}
    for name, theirs in records.items():
        if name != "chi":
            row["ratios"][name] = ratio(ours, theirs)
            row[f"{name}_ms"] = median(theirs, "ms")
    if best := fastest(records):
        row["fastest"] = best
        row["ratios"]["fastest"] = row["ratios"][best]
    errors = [f"{name}: {r['error']}" for name, of in records.items() for r in of
              if "error" in r and (name == "chi" or case in GOLDEN)]
    if errors:
        row["error"] = errors[0]
    return row


def print_table(rows, columns):
    heads = ["case", "chi ms", *[f"× {c}" for c in columns], "which", "unchecked", "compile ms",
             "fields MB", "+ warm MB", "+ cold MB"]
    print("| " + " | ".join(heads) + " |")
    print("|" + "---|" * len(heads))
    for row in rows:
        if "error" in row:
            print(f"| {row['case']} | {row['error']} |")
            continue
        cells = [row["case"], show(row["chi_ms"], "{:.4g}"),
                 *[show(row["ratios"].get(c)) for c in columns],
                 row.get("fastest", "–"),
                 show(row["ratios"].get("chi unchecked")), show(row["compile_ms"], "{:.0f}"),
                 show(row["fields_mb"], "{:.0f}"),
                 *[show(row[peak] - row["fields_mb"], "{:.0f}") for peak in ("peak_mb", "cold_peak_mb")]]
        print("| " + " | ".join(cells) + " |", flush=True)
    forward = [r for r in rows if (ROOT / f"examples/{r['case']}.chi").exists()]
    for name in [*columns, "chi unchecked"]:
        means = []
        for title, of in (("examples", forward), ("all", rows)):
            values = [r["ratios"][name] for r in of if r["ratios"].get(name)]
            if values:
                means.append(f"{title} {geometric_mean(values):.2f} ({len(values)} cases)")
        if means:
            print(f"geometric mean × {name}: " + ", ".join(means))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case", nargs="*", help="startup, launch or of: " + " ".join(CASES))
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--peers", action="store_true", help="the Python peers too")
    parser.add_argument("--checks-only", action="store_true", help="only Chi against Chi --unchecked")
    parser.add_argument("--python", help="a Python that has the peers")
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    start_up = not options.case or "startup" in options.case
    launches = not options.case or "launch" in options.case
    cases = [case for case in options.case if case not in ("startup", "launch")] if options.case else list(CASES)
    for case in cases:
        if case not in CASES:
            parser.error(f"no case '{case}'; there are: {' '.join(CASES)}")
    folder, binaries = peers_folder(), ROOT / ".bench/cpp"
    if folder is None:
        print("bench: no peer programs (CHI_BENCH_PEERS names their folder); Chi alone", file=sys.stderr)
    if not options.checks_only:
        make_peers(folder, cases, binaries)
    python = options.python or (make_environment() if options.peers else None)
    rows = []
    for case in cases:
        rows.append(bench_case(case, options, options.build.resolve(), folder, binaries, python))
        print(f"bench: {case} done", file=sys.stderr)
    columns = [c for c in ["cpp", "cpp tuned", "cpp scalar", "numpy", *PYTHON_PEERS, "fastest"]
               if any(c in row["ratios"] for row in rows)]
    print(machine())
    if rows:
        print_table(rows, columns)
    launched = []
    if launches:
        launched = measure_launches(options.build.resolve() / "bin/chic", run_alone, options.rounds)
        print_launches(launched)
    started = []
    if start_up:
        chic = options.build.resolve() / "bin/chic"
        started = measure_startup(chic, ROOT / "examples", run_alone, max(15, options.rounds))
        print_startup(started)
    stamp = datetime.date.today().isoformat()
    out = options.out or ROOT / f"bench/results/{stamp}-{platform.machine()}-{os.cpu_count()}-cores.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps({"date": stamp, "machine": machine(), "cores": os.cpu_count(), "rounds": options.rounds,
                               "rows": rows, "launches": launched, "startup": started}, indent=1) + "\n")
    print(f"written to {out.relative_to(ROOT) if out.is_relative_to(ROOT) else out}", file=sys.stderr)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Examples beside other people's programs, on this machine, in turns.

    bench.py [CASE … | startup | launch | grad] [--rounds 7] [--peers] [--out FILE]
    bench.py --arch cuda [CASE …] [--rounds 7] [--out FILE]

Runs `chic run examples/CASE.chi` with the parameters of cases.json and the C++
program of the same case (built with its own Makefile), one after the other,
`--rounds` times; with --peers also the Python peers, in an environment of their
own (.bench/peers, made at the first use with pip). Cases with a "program" lie
in bench/programs, their peers in bench/peers; what both print is compared with
golden.json in every run. A ratio is the median of the
rounds' ratios, Chi's time over the peer's. A peer that takes three times as long
is run in one round only. Every process runs alone. `startup`
(also after all cases) times whole processes, from the cache and cold. `grad`, or names of its cases,
is the table of programs with tapes (gradients.py), by itself only. `--arch cuda` is a bench of its own (cuda.py): on
an NVIDIA GPU, beside CUDA C++.

`fastest` is the peer with the least median. Prints one table and writes it, with every single time, to bench/results/.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import sys

import cuda
import gradients
from launch import measure_launches, print_launches
from measuring import (PYTHON_PEERS, ROOT, Peer, Program, compile_ms, fastest, geometric_mean, machine, make_cpp,
                       make_environment, measure, median, peers_folder, ratio, run_alone, show)
from startup import measure_startup, print_startup

CASES = json.loads((ROOT / "bench/cases.json").read_text())
GOLDEN = json.loads((ROOT / "bench/golden.json").read_text())


def source(case):
    """The program of a case."""
    entry = CASES[case]
    if "program" in entry:
        return ROOT / f"bench/programs/{entry['program']}.chi"
    return ROOT / f"examples/{entry.get('example', case)}.chi"


def program(case, argv):
    return Program(argv, GOLDEN.get(case), CASES[case].get("scale", 1))


def chi(build, case, extra=()):
    """By `chic run`, from the cache after the first time."""
    return program(case, [build / "bin/chic", "run", source(case), *CASES[case]["args"], *extra])


def own_peer(case):
    """The name of a case's program in bench/peers; None if there is none."""
    return CASES[case].get("program", CASES[case].get("peer"))


def make_peers(folder, cases, binaries):
    """Builds the C++ programs of the cases."""
    own = {own_peer(case) for case in cases if own_peer(case)}
    others = [case for case in cases if not own_peer(case)] if folder else []
    make_cpp(ROOT / "bench/peers", binaries / "own", own)
    make_cpp(folder and folder / "peers/cpp", binaries, others)


def cpp_programs(folder, case, binaries):
    """{name: Peer} of the C++ forms of a case."""
    if own_peer(case):
        return {"cpp": program(case, [binaries / "own" / own_peer(case), *CASES[case]["args"]])}
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


def bench_case(case, options, build, folder, binaries, python):
    ours = chi(build, case)
    programs = {"chi": ours}
    if not options.checks_only:
        programs |= cpp_programs(folder, case, binaries)
    if not options.checks_only and python:
        for peer in PYTHON_PEERS if folder else []:
            theirs = folder / f"peers/{peer}/{case}.py"
            if theirs.exists():
                programs[peer] = Peer([python, str(theirs)])
        own = ROOT / f"bench/peers/{own_peer(case)}.py"
        if own.exists():
            programs["numpy"] = program(case, [python, own, *CASES[case]["args"]])
    programs["chi unchecked"] = chi(build, case, ["--unchecked"])
    compile_time, cold_peak, _ = compile_ms(ours.argv)
    ours.run()  # fills the cache
    programs["chi unchecked"].run()
    records = measure(programs, options.rounds)
    times = records["chi"]
    row = {"case": case, "chi_ms": median(times, "ms"), "compile_ms": compile_time,
           "peak_mb": median(times, "peak") and median(times, "peak") / 2**20,
           "cold_peak_mb": cold_peak / 2**20, "fields_mb": CASES[case]["fields_mb"], "records": records, "ratios": {}}
    for name, theirs in records.items():
        if name != "chi":
            row["ratios"][name] = ratio(times, theirs)
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


def write(options, what, record):
    """Writes a table with every single time, to bench/results/ unless --out names another file."""
    stamp = datetime.date.today().isoformat()
    out = options.out or ROOT / f"bench/results/{stamp}-{platform.machine()}-{os.cpu_count()}-cores{what}.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps({"date": stamp, "machine": machine(), "cores": os.cpu_count(), "rounds": options.rounds,
                               **record}, indent=1) + "\n")
    print(f"written to {out.relative_to(ROOT) if out.is_relative_to(ROOT) else out}", file=sys.stderr)


def bench_cuda(parser, options):
    """The bench on an NVIDIA GPU."""
    cases = options.case or list(cuda.CASES)
    for case in cases:
        if case not in cuda.CASES:
            parser.error(f"no case '{case}' for CUDA; there are: {' '.join(cuda.CASES)}")
    rows = cuda.measure_cuda(cases, options, peers_folder(), ROOT / ".bench/cuda")
    print(cuda.gpu())
    cuda.print_table(rows)
    write(options, "-cuda", {"gpu": cuda.gpu(), "rows": rows})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case", nargs="*", help="startup, launch, grad or of: " + " ".join([*CASES, *gradients.CASES]))
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--peers", action="store_true", help="the Python peers too")
    parser.add_argument("--checks-only", action="store_true", help="only Chi against Chi --unchecked")
    parser.add_argument("--python", help="a Python that has the peers")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--arch", choices=["cpu", "cuda"], default="cpu")
    options = parser.parse_args()
    if options.arch == "cuda":
        bench_cuda(parser, options)
        return
    start_up = not options.case or "startup" in options.case
    launches = not options.case or "launch" in options.case
    with_tapes = [case for case in gradients.CASES if case in options.case or "grad" in options.case]
    cases = [case for case in options.case if case not in ("startup", "launch", "grad", *with_tapes)]
    cases = cases if options.case else list(CASES)
    for case in cases:
        if case not in CASES:
            parser.error(f"no case '{case}'; there are: {' '.join([*CASES, *gradients.CASES])}")
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
    differentiated = gradients.measure_gradients(with_tapes, options, folder, binaries, python)
    if differentiated:
        gradients.print_table(differentiated)
    launched = []
    if launches:
        launched = measure_launches(options.build.resolve() / "bin/chic", run_alone, options.rounds)
        print_launches(launched)
    started = []
    if start_up:
        chic = options.build.resolve() / "bin/chic"
        started = measure_startup(chic, ROOT / "examples", run_alone, max(15, options.rounds))
        print_startup(started)
    write(options, "-gradients" if with_tapes else "",
          {"rows": rows, "gradients": differentiated, "launches": launched, "startup": started})


if __name__ == "__main__":
    main()

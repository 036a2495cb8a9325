"""Examples beside CUDA C++ on an NVIDIA GPU, in turns, at the sizes that the peer suite asks of GPUs.

A case of cuda.json is a program of examples/ with its arguments; its peer is peers/cuda of the suite, built with nvcc
for the GPU of this machine. `size` is passed to the peer where Chi's program has another limit; `variants` are forms of
the peer; `"peer": false`: there is none. Times are those of whole units of work, the device synchronised.
"""
import json
import subprocess
import sys

from gradients import Gradient
from measuring import ROOT, Program, compile_ms, fastest, geometric_mean, measure, median, ratio, show

CASES = json.loads((ROOT / "bench/cuda.json").read_text())


def gpu():
    """The GPUs and the driver, as nvidia-smi names them."""
    asked = ["nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"]
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError) as error:
        return f"unknown GPU ({error})"


def chi(build, case, extra=()):
    entry = CASES[case]
    source = ROOT / f"examples/{entry.get('program', case)}.chi"
    return Program([build / "bin/chic", "run", "--arch=cuda", source, *entry["args"], *extra])


def make_peers(folder, cases, binaries):
    """Builds the peers of the cases, as many at a time as there are cores."""
    names = [str(binaries / case) for case in cases if CASES[case].get("peer", True)]
    subprocess.run(["make", "-s", "-k", "-j", "-C", str(folder / "peers/cuda"), f"BUILD={binaries}", *names], check=False)


def cuda_programs(case, binaries):
    """{name: program}: the CUDA forms of a case."""
    entry, found = CASES[case], {}
    if not (binaries / case).exists():
        return found
    for variant in entry.get("variants", ["default"]):
        argv = [str(binaries / case), *(["--variant", variant] if variant != "default" else []),
                *(["--size", str(entry["size"])] if "size" in entry else [])]
        found["cuda" if not found else f"cuda {variant}"] = Gradient(argv, {"backward": case == "conv_grad"})
    return found


def bench_case(case, options, build, binaries):
    ours = chi(build, case)
    programs = {"chi": ours, **cuda_programs(case, binaries), "chi unchecked": chi(build, case, ["--unchecked"])}
    compile_time, _, cold = compile_ms(ours.argv)
    for name in ("chi", "chi unchecked"):
        programs[name].run()  # fills the cache
    records = measure(programs, options.rounds)
    row = {"case": case, "chi_ms": median(records["chi"], "ms"), "compile_ms": compile_time, "cold_s": cold,
           "records": records, "ratios": {}, "fastest": fastest(records)}
    for name, theirs in records.items():
        if name != "chi":
            row["ratios"][name] = ratio(records["chi"], theirs)
            row[f"{name}_ms"] = median(theirs, "ms")
    row["errors"] = sorted({f"{name}: {r.get('error') or r['check']}" for name, of in records.items() for r in of
                            if "error" in r or r.get("check", "ok") != "ok"})
    return row


def print_table(rows):
    heads = ["case", "chi ms", "cuda ms", "× cuda", "× fastest variant", "which", "checked / unchecked", "program ready, ms",
             "cold process, s"]
    print("| " + " | ".join(heads) + " |")
    print("|" + "---|" * len(heads))
    for row in rows:
        best = row["fastest"]
        cells = [row["case"], show(row["chi_ms"], "{:.4g}"), show(row.get("cuda_ms"), "{:.4g}"),
                 show(row["ratios"].get("cuda")), show(row["ratios"].get(best)), best or "–",
                 show(row["ratios"].get("chi unchecked")), show(row["compile_ms"], "{:.0f}"), show(row["cold_s"])]
        print("| " + " | ".join(cells) + " |", flush=True)
    ratios = [row["ratios"]["cuda"] for row in rows if row["ratios"].get("cuda")]
    print(f"geometric mean × cuda: {geometric_mean(ratios):.2f} ({len(ratios)} cases)")
    for row in rows:
        for error in row["errors"]:
            print(f"{row['case']}: {error}")


def measure_cuda(cases, options, folder, binaries):
    if folder:
        make_peers(folder, cases, binaries)
    rows = []
    for case in cases:
        rows.append(bench_case(case, options, options.build.resolve(), binaries))
        print(f"bench: {case} done, {show(rows[-1]['chi_ms'], '{:.4g}')} ms,",
              ", ".join(f"{show(r)} × {name}" for name, r in rows[-1]["ratios"].items()), *rows[-1]["errors"],
              file=sys.stderr, flush=True)
    return rows

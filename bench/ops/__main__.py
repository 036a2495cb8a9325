"""The operators of examples/ops beside their PyTorch, JAX and Taichi forms, in one process, in turns.

    ./x bench ops [CASE …] [--rounds 5] [--batch 32] [--out FILE]

A case is `calls`, or an operator of examples/ops. Each form is called once and compared with PyTorch's eager form; a
wrong result is an error in the table, and the exit status is 1. A time of a round is the mean of the calls in 0.2 s;
a quotient is the other form's time divided by Chi's, the median of the rounds; `by least times` is that of the least
calls of all rounds. A form whose call takes more than a second is timed in one call only. All use CHI_THREADS threads
(as many as cores without it; JAX always as many as cores). Taichi takes part where it is installed in the environment
of the operators. Writes every time to bench/results/.
"""
import argparse
import datetime
import importlib
import json
import os
import pathlib
import platform
import subprocess
import sys
import warnings

import torch

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from calls import measure_calls, misses, print_calls  # noqa: E402
from cases import all_cases  # noqa: E402
from measuring import ROOT, machine, show  # noqa: E402
from programs import difference, programs_of  # noqa: E402
from table import print_misses, print_table, row_of  # noqa: E402
from timing import LONG, call, rounds_of  # noqa: E402

NO_COMPILATION = 5.0  # seconds of an eager call, after which it is not compiled
AGAIN = 10.0  # seconds of a first call, up to which it is called again
PACKAGES = ROOT / ".bench/ops"


def package_of(chic, source):
    """Builds a Python package and imports it with its operators of PyTorch."""
    PACKAGES.mkdir(parents=True, exist_ok=True)
    subprocess.run([str(chic), "build", str(source), "--python"], cwd=PACKAGES, check=True)
    return importlib.import_module(source.stem), importlib.import_module(source.stem + ".torch")


def check(programs, case):
    """Calls each program once: {name: seconds}, {name: what is wrong}. One that fails or is wrong is dropped."""
    first, wrong, expected = {}, {}, {}
    for name in sorted(programs, key=lambda each: each[0] != "eager"):
        form, way = name
        if form == "compiled" and first.get(("eager", way), 0) > NO_COMPILATION:
            del programs[name]
            continue
        try:
            found, seconds = call(programs[name])
            if form in ("compiled", "jax", "taichi") or LONG < seconds < AGAIN:  # the first call made something
                seconds = call(programs[name])[1]
        except Exception as error:  # whatever a framework raises
            lines = str(error).strip().splitlines()
            wrong[name] = f"{type(error).__name__}: {lines[0][:200] if lines else ''}"
            del programs[name]
            continue
        if form == "eager":
            expected[way] = found
        if error := difference(found, expected[way], way):
            wrong[name] = error
            del programs[name]
        first[name] = seconds
        print(f"bench: {case.name} {way} {form}: {seconds:.4f} s", file=sys.stderr)
    return first, wrong


def measure_case(case, chic, rounds):
    _, module = package_of(chic, ROOT / f"examples/ops/{case.operator}.chi")
    operator = getattr(module, case.operator)
    torch.manual_seed(0)
    with torch.no_grad():
        result = operator(*case.arguments)
    programs = programs_of(case, operator, torch.randn(result.shape) if case.active else None)
    first, wrong = check(programs, case)
    if any(form == "chi" for form, _ in wrong):
        return row_of(case, {}, wrong)
    return row_of(case, rounds_of(programs, rounds, first), wrong)


def parse():
    parser = argparse.ArgumentParser(prog="./x bench ops", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case", nargs="*", help="calls, or an operator of examples/ops; all if there is none")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--batch", type=int, default=32, help="limits the batch of conv")
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    known = ["calls", *dict.fromkeys(case.operator for case in all_cases())]
    for case in options.case:
        if case not in known:
            parser.error(f"no case '{case}'; there are: {' '.join(known)}")
    options.case = options.case or known
    return options


def write(options, record):
    stamp = datetime.date.today().isoformat()
    out = options.out or ROOT / f"bench/results/{stamp}-{platform.machine()}-{os.cpu_count()}-cores-ops.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps({"date": stamp, "machine": machine(), "torch": torch.__version__,
                               "threads": torch.get_num_threads(), "load": os.getloadavg(), "rounds": options.rounds,
                               **record}, indent=1) + "\n")
    print(f"written to {out}", file=sys.stderr)


def main():
    warnings.filterwarnings("ignore")
    options = parse()
    chic = options.build.resolve() / "bin/chic"
    torch.set_num_threads(int(os.environ.get("CHI_THREADS", os.cpu_count())))
    torch._dynamo.config.recompile_limit = 64
    sys.path.insert(0, str(PACKAGES))
    cases = [case for case in all_cases(options.batch) if case.operator in options.case]
    called, rows = [], []
    if "calls" in options.case:
        package, module = package_of(chic, HERE / "call.chi")
        called = measure_calls(package, module.made, options.rounds)
    for case in {case.name: case for case in cases}.values():
        rows.append(measure_case(case, chic, options.rounds))
        print(f"bench: {case.name} done", file=sys.stderr)
    print(f"{machine()}, {torch.get_num_threads()} threads, load {show(os.getloadavg()[0])}")
    if called:
        print_calls(called)
    if rows:
        print_table(rows)
    print("\n".join(misses(called)), end="\n" if misses(called) else "")
    print_misses(rows)
    write(options, {"calls": called, "rows": rows})
    return 1 if any("error" in row for row in [*called, *rows]) else 0


sys.exit(main())

"""Programs with tapes beside adjoints written by hand in C++, and what a tape costs the compiler.

A case of gradients.json is a program of examples/diff. Its C++ peer, of the peer suite or of bench/peers
(`own`), runs in the variants that the case names; `asked` limits the ratio to the first of them. `once` are
the arguments for one gradient, whose process is timed from nothing to its end.
"""
import json
import re
import sys
import tempfile

from measuring import (PYTHON_PEERS, ROOT, Peer, Program, compile_ms, fastest, geometric_mean, make_cpp, measure,
                       median, ratio, show)

CASES = json.loads((ROOT / "bench/gradients.json").read_text())
SOURCES = ROOT / "examples/diff"
COMPILATIONS = 5  # rounds of compile times, which spread less than run times
ASKED_COMPILE, ASKED_COLD = 2.5, {"diffmpm": 1.5}


class Gradient(Peer):
    """A program of PROTOCOL.md that times a gradient; `backward`: the time of the backward pass alone."""

    def __init__(self, argv, entry):
        super().__init__(argv)
        self.entry = entry

    def time_of(self, record):
        time = record["median_ms"]
        if self.entry.get("backward"):
            time = record.get("bwd_ms", time)
        # Slow peers do a part of the work, and say which.
        pattern, whole = self.entry.get("whole", ["", 1])
        part = re.search(pattern, record.get("size", "")) if pattern else None
        return time * (whole / int(part[1]) if part else 1)


def chi(build, case):
    """By `chic run`, from the cache after the first time."""
    entry = CASES[case]
    argv = [build / "bin/chic", "run", SOURCES / f"{entry['program']}.chi", *entry["args"]]
    return Program(argv, entry["golden"])


def cpp_programs(case, folder, binaries):
    """{name: program}: the C++ forms of a case, the one to compare with first."""
    entry = CASES[case]
    if entry.get("own"):
        make_cpp(ROOT / "bench/peers", binaries / "own", [entry["program"]])
        return {"cpp": Program([binaries / "own" / entry["program"], *entry["args"]], entry["golden"])}
    if not folder:
        return {}
    make_cpp(folder / "peers/cpp", binaries, [case])
    found = {}
    for variant in entry.get("variants", ["default"]):
        argv = [str(binaries / case), *(["--variant", variant] if variant != "default" else [])]
        found["cpp" if not found else f"cpp {variant}"] = Gradient(argv, entry)
    return found


def python_programs(case, folder, python):
    found = {}
    for peer in PYTHON_PEERS if folder and python else []:
        program = folder / f"peers/{peer}/{case}.py"
        if program.exists():
            found[peer] = Gradient([python, str(program)], CASES[case])
    return found


def without_tapes(text):
    """The forward part of a program."""
    text = re.sub(r"^( *)with Tape\(.*\):", r"\1if True:", text, flags=re.M)
    return re.sub(r"^( *)\w+\.grad\(\)$", r"\1pass", text, flags=re.M)


def measure_compilation(case, build):
    """Of the program and of its forward part, in turns: times to the program from source, and to the end of
    a process that takes one gradient."""
    entry = CASES[case]
    source = SOURCES / f"{entry['program']}.chi"
    with tempfile.TemporaryDirectory() as folder:
        forward = f"{folder}/{entry['program']}.chi"
        with open(forward, "w", encoding="utf-8") as out:
            out.write(without_tapes(source.read_text()))
        chic = build / "bin/chic"
        rounds = []
        for _ in range(COMPILATIONS):
            with_tape, _, seconds = compile_ms([chic, "run", source, *entry["once"]])
            plain, _, _ = compile_ms([chic, "run", "-I", SOURCES, forward, *entry["once"]])
            if with_tape and plain:
                rounds.append({"ms": with_tape, "forward_ms": plain, "ratio": with_tape / plain, "cold_s": seconds})
    return rounds


def bench_case(case, options, build, folder, binaries, python):
    programs = {"chi": chi(build, case), **cpp_programs(case, folder, binaries),
                **python_programs(case, folder, python)}
    programs["chi"].run()  # fills the cache
    records = measure(programs, options.rounds)
    compiled = measure_compilation(case, build)
    row = {"case": case, "chi_ms": median(records["chi"], "ms"), "asked": CASES[case]["asked"],
           "records": records, "compilation": compiled, "ratios": {},
           **{what: median(compiled, what) for what in ("ms", "forward_ms", "ratio", "cold_s")}}
    for name, theirs in records.items():
        if name != "chi":
            row["ratios"][name] = ratio(records["chi"], theirs)
            row[f"{name}_ms"] = median(theirs, "ms")
    python_records = {name: of for name, of in records.items() if name in PYTHON_PEERS}
    if best := fastest(python_records):
        row["fastest"] = best
    errors = [f"{name}: {record['error']}" for name, of in records.items() for record in of if "error" in record]
    if errors:
        row["errors"] = errors
    return row


def print_table(rows):
    columns = [c for c in ["cpp default", *PYTHON_PEERS] if any(c in row["ratios"] for row in rows)]
    heads = ["case", "chi ms", "cpp ms", "× cpp", "asked", *[f"× {c}" for c in columns], "fastest of Python",
             "compile ms", "forward part ms", "×", "first gradient, cold, s"]
    print("| " + " | ".join(heads) + " |")
    print("|" + "---|" * len(heads))
    for row in rows:
        ratios = row["ratios"]
        cells = [row["case"], show(row["chi_ms"], "{:.4g}"), show(row.get("cpp_ms"), "{:.4g}"),
                 show(ratios.get("cpp")), f"{row['asked']}", *[show(ratios.get(c)) for c in columns],
                 row.get("fastest", "–"), show(row["ms"], "{:.0f}"), show(row["forward_ms"], "{:.0f}"),
                 show(row["ratio"]), show(row["cold_s"])]
        print("| " + " | ".join(cells) + " |", flush=True)
    means = [f"{geometric_mean([r['ratios']['cpp'] for r in rows if r['ratios'].get('cpp')]):.2f} × cpp",
             f"{geometric_mean([r['ratio'] for r in rows if r['ratio']]):.2f} × compile time of the forward part"]
    print("geometric means: " + ", ".join(means))
    for row in rows:
        for error in row.get("errors", []):
            print(f"{row['case']}: {error}")
    print_misses(rows)


def print_misses(rows):
    """What is not as asked."""
    for row in rows:
        case, cpp = row["case"], row["ratios"].get("cpp")
        if cpp and cpp > row["asked"]:
            print(f"missed: {case} takes {cpp:.2f} times as long as C++, asked {row['asked']}")
        for peer in PYTHON_PEERS:
            if (other := row["ratios"].get(peer)) and other > 1:
                print(f"missed: {case} takes {other:.2f} times as long as {peer}")
        if row["ratio"] and row["ratio"] > ASKED_COMPILE:
            print(f"missed: {case} compiles {row['ratio']:.2f} times as long as its forward part, asked {ASKED_COMPILE}")
        if case in ASKED_COLD and row["cold_s"] and row["cold_s"] > ASKED_COLD[case]:
            print(f"missed: {case} needs {row['cold_s']:.2f} s for its first gradient, asked {ASKED_COLD[case]}")


def measure_gradients(cases, options, folder, binaries, python):
    rows = []
    for case in cases:
        rows.append(bench_case(case, options, options.build.resolve(), folder, binaries, python))
        print(f"bench: {case} done", file=sys.stderr)
    return rows

"""switches.py texts|answers|levels: optimisations leave a trace, and no answer.

texts    each name of Optimisations.def, given to --without, changes the text of
         the stage that the list names (and, where it is plain what, in which way)
answers  a program on which the name matters prints what the interpreter prints
levels   the programs of this folder and of Examples that are compared with the
         interpreter are so with -O1 and --without=all as well; on a device one
         in three of this folder's
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROGRAMS = HERE / "Inputs/switches"
AVX512 = "--target-cpu=skylake-avx512"
# What a text is about where its line names no processor: no decision is looked
# at on the machine that happens to run the test.
MACHINE = ["--target-cpu=x86-64-v3", "--machine=l1=32KiB,l2=512KiB,l3=32MiB,line=64"]
# name: program, kernel ("": all), flags of emit-ir, and a pattern of which the
# text has less (-) or more (+) when the name is left out.
TRACES = {
    "exact-floats": ("checks", "halves", "", r"+math\.floor|arith\.sitofp"),
    "expanded-updates": ("forward", "scale", "", r"+chi\.accum"),
    "forwarded-elements": ("forward", "twice", "", r"+chi\.load"),
    "elided-copies": ("forward", "arrays", "", r"+chi\.local"),
    "removed-checks": ("checks", "", "", r"+chi\.check"),
    "merged-checks": ("checks", "window", "", r"+chi\.check"),
    "hoisted-checks": ("checks", "serial", "", r"+scf\.for[^}]*chi\.check"),
    "overflow-flags": ("checks", "window", "", r"-overflow<nsw>"),
    "speculated-loads": ("checks", "borders", "", r"+scf\.if"),
    "flat-branches": ("checks", "circuits", "", r"+scf\.if"),
    "interchange": ("pairs", "", "--float=fast", r"-domainAxes"),
    "scatter-to-gather": ("taps", "", "--float=fast", r"-domainAxes"),
    "fused-adjoints": ("pairs", "", "--float=fast", r"-fused = @"),
    "plain-updates": ("checks", "updates", "--float=fast", r"-strategy\(plain\)"),
    "privatization": ("checks", "updates", "", r"-strategy\(privatized\)"),
    "noalias-fields": ("checks", "", "", r"- noalias"),
    "fast-math": ("lanes", "multiply", "--float=fast", r"-fastmath<"),
    "index-casts": ("checks", "indices", "--target-cpu=x86-64-v3", r"-chi\.in_range"),
    "lanes": ("lanes", "escape", "", r"-lanes = "),
    "blocks": ("lanes", "multiply", "", r"-lanes = "),
    "row-blocks": ("lanes", "multiply", "", r"-rows = "),
    "element-rows": ("lanes", "settle", "", r"-contiguous"),
    "slp-packs": ("lanes", "scatter", "--float=fast", r"-contiguous"),
    "slp-sums": ("lanes", "gather", "--float=fast", r"-contiguous"),
    "buffered-stores": ("stores", "turn", "", r"-buffer = "),
    "streaming-stores": ("stores", "turn", "", r"-buffer streaming"),
    "row-period": ("stores", "repeat", "", r"-period = "),
    "packed-loads": ("lanes", "multiply", "", r"-packed = "),
    "narrow-integers": ("bytes", "lives", "", r"+arith\.extui"),
    "checked-casts": ("checks", "casts", "", r"-inrange"),
    "zero-products": ("particles", "weigh", "--float=fast", r"+arith\.addf"),
    "packed-components": ("particles", "spread", "", r"-to_int %\w+ inrange : vector<3x"),
    "tiles": ("stores", "across", "", r"-tile = "),
    "versioned-rows": ("checks", "mirrored", "", r"-versioned = "),
    "loop-peeling": ("loops", "around", "", r"-peel = "),
    "last-lane-group": ("lanes", "escape", "", r"-overlapLast = "),
    "buffered-sums": ("loops", "branches", "", r"-buffered = "),
    "grouped-sums": ("loops", "total", "", r"-grouped = "),
    "distributed-sums": ("rows", "spread", "--float=fast", r"-chunk = "),
    "whole-rows": ("loops", "around", "", r"-unit = rows"),
    "noalias": ("loops", "add", "", r"-noalias = "),
    "measured-choices": ("stores", "turn", "", r"-@chirt_choose"),
    "short-indices": ("loops", "add", "", r"-shortIndices"),
    "cold-variants": ("loops", "waves", "", r"-chi\.cold\.sin\.f32\.\w+"),
    "reloaded-neighbours": ("bytes", "lives", "", r"+vector\.recur"),
    "loop-vectoriser": ("loops", "add", "", r"-vector\.body"),
    "interleaved-accesses": ("loops", "thirds", AVX512, r"-strided\.vec"),
    "slp-vectoriser": ("loops", "four", "", r"-fmul <"),
    "unrolling": ("loops", "add", "", r"-fmul|fadd"),
    "pair-gathers": ("loops", "mix", AVX512, r"-masked\.gather\.v\d+i64"),
    "spread-counters": ("bytes", "tell", "", r"-alloca \[256 x i32\]"),
    "joined-keys": ("bytes", "tell", "", r"-lshr i32 %word"),
    "estimated-roots": ("loops", "lengths", "--float=fast --target-cpu=haswell",
                        r"-avx\.rsqrt"),
    "llvm-passes": ("loops", "add", "", r"-fadd <|fmul <"),
    "code-generation": ("loops", "add", "", r"+\n"),
}
# Where answers are compared: beside those above, with one thread.
ALSO = {"lanes": ["examples/julia --n 60 --repeats 1 --out ''"],
        "slp-packs": ["examples/mpm88 --n 200 --n_grid 32 --dt 8e-4 --steps 5 --out ''"],
        "slp-sums": ["examples/mpm88 --n 200 --n_grid 32 --dt 8e-4 --steps 5 --out ''"],
        "blocks": ["examples/conv --B 3 --C 5 --T 60 --repeats 1"],
        "noalias-fields": ["examples/fluid --R 32 --frames 1 --sweeps 4 --out ''"],
        "loop-peeling": ["examples/fluid --R 32 --frames 1 --sweeps 4 --out ''"]}
ON_DEVICE = os.environ.get("CHI_RECORD", "0") in ("vulkan", "cuda")
bad = []


def chic(*command):
    done = subprocess.run(["chic", *command], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=250)
    lines = [line for line in done.stdout.splitlines() if " ms per " not in line]
    return done.returncode, "\n".join(lines), done.stderr


def optimisations():
    """(name, stage) of the list."""
    text = (ROOT / "src/chi/Support/Optimisations.def").read_text()
    return re.findall(r'^CHI_OPTIMISATION\(\w+, "([\w-]+)", "([\w-]+)"', text, re.M)


def check_texts():
    for name, stage in optimisations():
        if name not in TRACES:
            bad.append(f"{name}: no program here shows that it switches")
            continue
        program, kernel, flags, pattern = TRACES[name]
        command = ["emit-ir", str(PROGRAMS / f"{program}.chi"), f"--stage={stage}",
                   *flags.split()]
        if "--target-cpu" not in flags:
            command += MACHINE
        if "--float" not in flags:
            command.append("--float=strict")
        if kernel:
            command += ["--kernel", kernel]
        with_it, without = chic(*command), chic(*command, f"--without={name}")
        if with_it[0] or without[0]:
            bad.append(f"{name}: {' '.join(command)}: {with_it[2]} {without[2]}")
            continue
        counts = [len(re.findall(pattern[1:], text[1])) for text in (with_it, without)]
        if pattern[0] == "-":
            counts.reverse()
        if not counts[0] < counts[1]:
            bad.append(f"{name}: {pattern} is there {counts} times; {' '.join(command)}")


def numbers(text):
    return [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?(?:e[-+]\d+)?", text)]


def are_near(left, right):
    """Sums in another order: equal except for a few units of the last place."""
    a, b = numbers(left), numbers(right)
    return len(a) == len(b) and all(abs(x - y) <= 1e-4 * max(abs(x), 1) for x, y in zip(a, b))


def check_answers():
    oracles = {}
    for name, _ in optimisations():
        program, _, flags, _ = TRACES[name]
        isFast = "--float=fast" in flags
        mode = "--float=fast" if isFast else "--float=strict"
        for case in [f"test/EndToEnd/Inputs/switches/{program}", *ALSO.get(name, [])]:
            file, *params = shlex.split(case)
            run = ["run", "--threads=1", str(ROOT / f"{file}.chi"), *params]
            if case not in oracles:
                oracles[case] = chic(run[0], "--arch=interp", "--float=strict", *run[1:])
                if oracles[case][0]:
                    bad.append(f"{case}: {oracles[case]}")
            got = chic(run[0], f"--without={name}", mode, *run[1:])
            same = got == oracles[case] or (isFast and are_near(got[1], oracles[case][1]))
            if not same:
                bad.append(f"--without={name} {case}: {got}, interpreter {oracles[case]}")


def tests_to_search():
    own = sorted(HERE.glob("*.chi"))
    return own[::3] if ON_DEVICE else [*own, *sorted((HERE.parent / "Examples").glob("*.test"))]


def compared_programs():
    """(program, params) of the tests that compare with the interpreter."""
    for test in tests_to_search():
        for line in re.findall(r"^# RUN: (.*)$", test.read_text(), re.M):
            found = re.search(r"same(?:_everywhere)?\.py(.*?) (%s|%examples/\w+\.chi)\b(.*)", line)
            if found and "|" not in line:
                params = shlex.split(found[3].replace("--scattered", ""))
                if "--file" in found[1]:
                    params += ["--out", ""]
                yield found[2].replace("%s", str(test)).replace("%examples",
                                                                str(ROOT / "examples")), params


def check_levels():
    count = 0
    for program, params in compared_programs():
        run = ["--float=strict", "--threads=1", program, *params]
        oracle = chic("run", "--arch=interp", *run)
        for flag in ("-O1", "--without=all"):
            got = chic("run", flag, *run)
            if got != oracle or oracle[0]:
                bad.append(f"{flag} {program}: {got}, interpreter {oracle}")
        count += 1
    for program in tests_to_search():
        if program.suffix == ".chi" and "chic test --check=none %s" in program.read_text():
            for flag in ("-O1", "--without=all"):
                done = chic("test", "--check=none", flag, "--float=strict", str(program))
                if done[0]:
                    bad.append(f"{flag} {program}: {done}")
            count += 1
    if count < (5 if ON_DEVICE else 25):
        bad.append(f"only {count} programs were found")


{"texts": check_texts, "answers": check_answers, "levels": check_levels}[sys.argv[1]]()
sys.exit("\n".join(bad) or 0)

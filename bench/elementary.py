#!/usr/bin/env python3
"""Elementary functions of a kernel beside those of glibc's libmvec, one thread.

    elementary.py [--build DIR] [--rounds 7] [FUNCTION …]

Both sides apply a function to 16384 values in the first-level caches' reach and
write the results; libmvec's widest variant of this processor is called directly.
Prints nanoseconds an element and the ratio (median of the rounds), f32 and f64.
"""
import argparse
import pathlib
import re
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
COUNT, REPEATS = 16384, 400
# Arguments: lowest and highest of each; two arguments where there are four.
DOMAINS = {"exp": (-10, 10), "exp2": (-10, 10), "expm1": (-5, 5), "log": (1e-3, 1e3), "log2": (1e-3, 1e3),
           "log10": (1e-3, 1e3), "log1p": (-0.5, 100), "sin": (-10, 10), "cos": (-10, 10), "tan": (-10, 10),
           "asin": (-1, 1), "acos": (-1, 1), "atan": (-10, 10), "atan2": (-3, 3, -3, 3), "sinh": (-5, 5),
           "cosh": (-5, 5), "tanh": (-5, 5), "asinh": (-9, 9), "acosh": (1, 9), "atanh": (-0.99, 0.99),
           "cbrt": (-99, 99), "pow": (0.1, 10, -5, 5), "hypot": (-3, 3, -3, 3), "erf": (-3, 3), "erfc": (-3, 3)}


def chi_text(names):
    lines = ["import math", "import time", f"const n = {COUNT}", f"const repeats = {REPEATS}"]
    for t in ("f32", "f64"):
        lines += [f"{v}_{t} = field({t}, shape=n)" for v in "xyz"]
        lines += ["@kernel", f"def fill_{t}(a: f64, b: f64, c: f64, d: f64):", "    for i in range(n):",
                  f"        x_{t}[i] = {t}(a + (b - a) * f64(i) / n)",
                  f"        y_{t}[i] = {t}(c + (d - c) * f64((i * 7919) % n) / n)"]
    for name in names:
        for t in ("f32", "f64"):
            second = f", y_{t}[i]" if len(DOMAINS[name]) == 4 else ""
            lines += ["@kernel", f"def run_{name}_{t}():", "    for i in range(n):",
                      f"        z_{t}[i] = math.{name}(x_{t}[i]{second})"]
    for name in names:
        low, high, *rest = map(float, DOMAINS[name])
        second_low, second_high = rest or (0.0, 1.0)
        for t in ("f32", "f64"):
            lines += [f"fill_{t}({low}, {high}, {second_low}, {second_high})", f"run_{name}_{t}()",
                      "start = time.now()" if name == names[0] and t == "f32" else "start = time.now()",
                      "for k in range(repeats):", f"    run_{name}_{t}()",
                      f'print(f"{name} {t} {{1e9 * (time.now() - start) / (repeats * n):.5f}}")']
    return "\n".join(lines) + "\n"


def cpp_text(names):
    lines = ["#include <immintrin.h>", "#include <chrono>", "#include <cstdio>",
             "#ifdef __AVX512F__", "using V32 = __m512; using V64 = __m512d;",
             "#define NAME(w, v, f) _ZGVeN##w##v##_##f", "#else",
             "using V32 = __m256; using V64 = __m256d;", "#define NAME(w, v, f) _ZGVdN##w##v##_##f", "#endif",
             f"constexpr int n = {COUNT}, repeats = {REPEATS};",
             "alignas(64) static float x32[n], y32[n], z32[n];", "alignas(64) static double x64[n], y64[n], z64[n];",
             "static void fill(double a, double b, double c, double d) { for (int i = 0; i < n; ++i) {",
             "  x64[i] = a + (b - a) * i / n; y64[i] = c + (d - c) * ((i * 7919ll) % n) / n;",
             "  x32[i] = x64[i]; y32[i] = y64[i]; } }",
             "template <class F> static void time(const char *name, F f) { f(); auto s = std::chrono::steady_clock::now();",
             "  for (int k = 0; k < repeats; ++k) { f(); asm volatile(\"\" ::: \"memory\"); }",
             "  std::chrono::duration<double> d = std::chrono::steady_clock::now() - s;",
             "  printf(\"%s %.5f\\n\", name, 1e9 * d.count() / n / repeats); }"]
    main = ["int main() {"]
    for name in names:
        two = len(DOMAINS[name]) == 4
        domain = ", ".join(map(str, [*DOMAINS[name], *(() if two else (0, 1))]))
        main.append(f"fill({domain});")
        for bits, wide, narrow in ((32, 16, 8), (64, 8, 4)):
            symbol = name + ("f" if bits == 32 else "")
            letters = "vv" if two else "v"
            arguments = f"V{bits}, V{bits}" if two else f"V{bits}"
            lines += ["#ifdef __AVX512F__", f"extern \"C\" V{bits} _ZGVeN{wide}{letters}_{symbol}({arguments});",
                      f"#define CALL_{name}_{bits} _ZGVeN{wide}{letters}_{symbol}", "#else",
                      f"extern \"C\" V{bits} _ZGVdN{narrow}{letters}_{symbol}({arguments});",
                      f"#define CALL_{name}_{bits} _ZGVdN{narrow}{letters}_{symbol}", "#endif"]
            values = f"*(V{bits}*)(x{bits} + i)" + (f", *(V{bits}*)(y{bits} + i)" if two else "")
            main.append(f"time(\"{name} f{bits}\", [] {{ constexpr int w = sizeof(V{bits}) / sizeof(x{bits}[0]);"
                        f" for (int i = 0; i < n; i += w) *(V{bits}*)(z{bits} + i) = CALL_{name}_{bits}({values}); }});")
    return "\n".join([*lines, *main, "}"]) + "\n"


def times(argv):
    out = subprocess.run(argv, capture_output=True, text=True, check=True).stdout
    return {(f, t): float(ns) for f, t, ns in re.findall(r"^(\w+) (f\d\d) ([\d.]+)$", out, re.M)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("function", nargs="*", default=list(DOMAINS))
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    unknown = [name for name in options.function if name not in DOMAINS]
    if unknown:
        parser.error(f"no function {unknown[0]}; there are: {' '.join(DOMAINS)}")
    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder)
        (home / "e.chi").write_text(chi_text(options.function))
        (home / "e.cpp").write_text(cpp_text(options.function))
        subprocess.run(["clang++-22", "-O3", "-march=native", "-ffast-math", home / "e.cpp", "-o", home / "e",
                        "-lmvec", "-lm"], check=True)
        chi = [options.build.resolve() / "bin/chic", "run", home / "e.chi", "--threads=1"]
        times(chi)
        rounds = [(times(chi), times([home / "e"])) for _ in range(options.rounds)]
    print("| function | type | Chi ns | libmvec ns | ratio |\n|---|---|---|---|---|")
    for key in rounds[0][1]:
        ours, theirs = [r[0][key] for r in rounds], [r[1][key] for r in rounds]
        ratio = statistics.median(a / b for a, b in zip(ours, theirs))
        print(f"| {key[0]} | {key[1]} | {statistics.median(ours):.3f} | {statistics.median(theirs):.3f} | {ratio:.2f} |")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Times of the library beside C++, as ratios.

    python3 bench/library/run.py [--chic build/bin/chic] [--turns 5]

Compiles the programs in C++ (g++ or $CXX with -O3 -march=native; they need
TBB, whose place $TBB may name), runs each pair in turn, and compares the least
times: below 1 the library is faster. Needs no quiet machine, but a long look at
one that is busy: the least of more turns.
"""
import argparse
import os
import pathlib
import re
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# name: the clock of the library, and those of C++ that it is compared with
PAIRS = {"scan": ("scan", {"scan": "std::execution::par"}),
         "sort": ("sort", {"radix": "radix sort with OpenMP",
                           "tbb": "tbb::parallel_sort"}),
         "spmv": ("spmv", {"spmv": "a loop with OpenMP"})}


def compiled(name, folder):
    binary = pathlib.Path(folder) / name
    command = [os.environ.get("CXX", "g++"), "-std=c++20", "-O3",
               "-march=native", "-fopenmp", HERE / f"{name}.cpp", "-o", binary]
    if "TBB" in os.environ:
        root = pathlib.Path(os.environ["TBB"])
        libraries = next(root.glob("**/libtbb.so")).parent
        command += [f"-I{root}/include", f"-L{libraries}",
                    f"-Wl,-rpath,{libraries}"]
    subprocess.run(command + ["-ltbb"], check=True)
    return binary


def times(command):
    text = subprocess.run(command, check=True, capture_output=True,
                          text=True).stdout
    return {name: float(ms)
            for name, ms in re.findall(r"^(\w+) ([\d.]+) ms$", text, re.M)}


def least(best, found):
    for name, ms in found.items():
        best[name] = min(best.get(name, ms), ms)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--chic", default="chic")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("names", nargs="*", default=list(PAIRS))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in options.names:
            binary = compiled(name, folder)
            own, peers = {}, {}
            for _ in range(options.turns):
                least(own, times([options.chic, "run", HERE / f"{name}.chi"]))
                least(peers, times([binary]))
            clock, others = PAIRS[name]
            for peer, what in others.items():
                print(f"{name}: {own[clock]:.2f} ms, {what} {peers[peer]:.2f} "
                      f"ms, ratio {own[clock] / peers[peer]:.2f}", flush=True)


if __name__ == "__main__":
    main()

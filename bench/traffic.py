#!/usr/bin/env python3
"""What kernels of devices ask of memory in an iteration, counted in the IR.

    bench/traffic.py [--chic PATH] [--tasks REGEX] FILE...

A line for each task: bytes that an iteration loads and stores, by how the threads of a warp lie to each other
there; atomic sums of other places, in number; registers and spilled bytes on sm_90 (bench/registers). A thread does
an iteration, and neighbours are neighbours along the innermost axis of the loop. Bytes in loops inside an iteration
count once and are marked. Scalars at
  row       neighbouring elements (all components together: whole sectors)
  same      one element for all threads of a row
  column    elements of a row apart, or what is computed from the numbers of iterations otherwise
  loaded    places that data tell
"""
import argparse
import collections
import pathlib
import re
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
KINDS = ("row", "same", "column", "loaded")
BYTES = {"f64": 8, "i64": 8, "f16": 2, "i16": 2, "i8": 1, "i1": 1}
ACCESS = re.compile(r"chi\.(load|store|accum)\b(.*?)%\w+\[(.*?)\]( component %?\w+)?.*: .*?<(?:[\d?]+x)*(.*)>")
# What leaves the neighbours of an index neighbours: sums with what is the same in a row, and clamps.
SHIFTS = ("arith.addi", "arith.subi", "arith.extsi", "arith.extui", "arith.trunci", "arith.maxsi", "arith.minsi",
          "arith.index_cast")


class Task:
    def __init__(self, header):
        self.name = re.match(r"\s*chi\.task @([\w.]+)", header)[1]
        loops = re.search(r"\) (?:over \d+ )?\((.*?)\)(?: attributes| \{)", header)
        self.axes = re.findall(r"(%\w+): ", loops[1]) if loops else []
        self.kinds = {axis: "same" for axis in self.axes[:-1]}
        if self.axes:
            self.kinds[self.axes[-1]] = "row"
        self.bytes = {"load": collections.Counter(), "store": collections.Counter()}
        self.atomics = 0
        self.has_loops = False

    def kind(self, value):
        return self.kinds.get(value, "same")

    def define(self, line):
        """Notes how the results of an operation differ from thread to thread."""
        made = re.match(r"\s*(%\w+)(?::\d+)? = ([\w.]+) ?(.*)", line)
        if not made:
            return
        result, name, rest = made.groups()
        kinds = [self.kind(value) for value in re.findall(r"%\w+", rest)]
        if name == "chi.load" or "loaded" in kinds:
            kind = "loaded"
        elif all(kind == "same" for kind in kinds):
            kind = "same"
        elif name in SHIFTS and kinds.count("row") == 1 and "column" not in kinds and \
                (name != "arith.subi" or kinds[0] == "row"):
            kind = "row"
        else:
            kind = "column"
        self.kinds[result] = kind

    def access(self, line):
        found = ACCESS.search(line)
        if not found:
            return
        what, how, indices, _, field = found.groups()
        scalar = re.sub(r".*x", "", field.rstrip("> ").split(",")[0].split(" ")[0])
        size = BYTES.get(scalar, 4)
        kinds = [self.kind(index) for index in re.findall(r"%\w+", indices.split(":")[0])]
        if "loaded" in kinds:
            kind = "loaded"
        elif all(kind == "same" for kind in kinds):
            kind = "same"
        elif kinds[-1] == "row" and all(kind == "same" for kind in kinds[:-1]):
            kind = "row"
        else:
            kind = "column"
        if what == "accum" and "strategy(deterministic)" in line:
            return  # a register
        if what == "accum" and "strategy(plain)" not in line:
            self.atomics += 1
            return
        if what != "store":
            self.bytes["load"][kind] += size
        if what != "load":
            self.bytes["store"][kind] += size


def tasks_of(chic, path):
    text = subprocess.run([chic, "emit-ir", path, "--stage=optimised"], capture_output=True, text=True, check=True).stdout
    task = None
    for line in text.splitlines():
        if line.lstrip().startswith("chi.task @"):
            task = Task(line)
        elif task and line.rstrip() == "  }":
            yield task
            task = None
        elif task:
            task.has_loops |= "scf.for" in line or "scf.while" in line
            task.access(line)
            task.define(line)


def registers():
    known = {}
    for line in (HERE / "registers" / "examples.txt").read_text().splitlines()[1:]:
        program, kernel, *counts = line.split()
        known[program, kernel] = counts[2]
    return known


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chic", default=str(ROOT / "build" / "bin" / "chic"))
    parser.add_argument("--tasks", default=".")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    known = registers()
    print("| program | task | loads: " + " / ".join(KINDS) + " | stores | atomics | registers |")
    print("|---|---|---|---|---|---|")
    for path in options.files:
        program = f"{path.parent.name}/{path.name}"
        for task in tasks_of(options.chic, path):
            if not task.axes or not re.search(options.tasks, task.name):
                continue
            counts = [" / ".join(str(task.bytes[what][kind]) for kind in KINDS) for what in ("load", "store")]
            loops = " and loops" if task.has_loops else ""
            print(f"| {path.stem} | {task.name}{loops} | {counts[0]} | {counts[1]} | {task.atomics} | "
                  f"{known.get((program, task.name.replace('.', '$')), '?')} |")


if __name__ == "__main__":
    main()

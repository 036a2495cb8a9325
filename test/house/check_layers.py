#!/usr/bin/env python3
"""Includes point one way: every `#include "chi/…"` obeys src/LAYERS."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SRC = ROOT / "src"

# Who may include what lies outside (law 3 of docs/architecture.md).
OUTSIDE = [
    (re.compile(r'include [<"]mlir/'), "mlir/",
     "Dialect Analysis Transforms IRGen Conversion Target Interp Pipeline Driver".split()),
    (re.compile(r'include [<"]antlr4'), "antlr4", ["Parse"]),
    (re.compile(r'include [<"](cuda|vulkan)'), "device headers", []),
    (re.compile(r'include [<"]CLI/'), "CLI11", ["Driver", "Launch"]),
    (re.compile(r'include "chirt/'), "chirt/", ["Driver", "Launch", "Interp", "Conversion"]),
    (re.compile(r'include [<"]llvm/'), "llvm/",
     "Support Source Diagnostics AST Parse Format Sema Dialect Analysis Transforms "
     "IRGen Conversion Target Interp Pipeline Driver".split()),
]


def read_rules():
    rules = {}
    for line in (SRC / "LAYERS").read_text().splitlines():
        line = line.split("#")[0].strip()
        if ":" in line:
            room, below = line.split(":")
            rules[room] = below.split()
    return rules


def room_of(path, rules):
    """The rule that holds for a path below chi/: the longest one that fits."""
    parts = path.split("/")
    for length in (2, 1):
        if "/".join(parts[:length]) in rules and len(parts) > length:
            return "/".join(parts[:length])
    return None


def check_chi(file, rules):
    here = room_of(str(file.relative_to(SRC / "chi")), rules)
    if here is None:
        yield f"{file.relative_to(ROOT)}: its folder has no rule in src/LAYERS"
        return
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if not re.match(r'\s*#\s*include', line):
            continue
        where = f"{file.relative_to(ROOT)}:{number}"
        seen = re.search(r'include "chi/([^"]+)"', line)
        there = room_of(seen[1], rules) if seen else None
        if seen and there != here and "*" not in rules[here] and there not in rules[here]:
            yield f"{where}: {here} may not include {there}"
        if seen and there == "Driver" and here != "Driver":
            yield f"{where}: nothing may include Driver"
        for pattern, name, rooms in OUTSIDE:
            if pattern.search(line) and here.split("/")[0] not in rooms:
                yield f"{where}: {here} may not include {name}"


def check_chirt(file):
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if re.search(r'include [<"](chi|mlir|llvm|antlr4)/', line):
            yield f"{file.relative_to(ROOT)}:{number}: the run time sees no compiler"


def main():
    rules, bad = read_rules(), []
    for file in sorted((SRC / "chi").rglob("*")):
        if file.suffix in (".cpp", ".h", ".def", ".td"):
            bad += check_chi(file, rules)
    for file in sorted((SRC / "chirt").rglob("*")):
        if file.suffix in (".cpp", ".h", ".c"):
            bad += check_chirt(file)
    print("\n".join(bad))
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()

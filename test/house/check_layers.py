#!/usr/bin/env python3
"""Includes point one way: every `#include "chi/…"` obeys src/LAYERS.

A room is a folder of up to three levels, as `Dialect/Chi`. A rule may name a
folder above several rooms, which stands for all of them. A rule may only name
rooms whose own rules stand before it, so that there is no cycle.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SRC = ROOT / "src"

DEEPEST = 3  # levels of folders of a room


def covers(names, room):
    """Is the room, or a folder that it lies in, one of the names?"""
    parts = room.split("/")
    return any("/".join(parts[:length]) in names for length in range(1, len(parts) + 1))


def read_rules():
    """The rooms with what they may include, and who may include what lies outside."""
    rules, outside = {}, {}
    for line in (SRC / "LAYERS").read_text().splitlines():
        line = line.split("#")[0].strip()
        named = re.match(r"<([^>]+)>(.*)", line)
        if named:
            outside[named[1]] = named[2].split()
        elif ":" in line:
            room, below = line.split(":")
            for name in set(below.split()) - {"*"}:
                if not any(covers({name}, before) for before in rules):
                    sys.exit(f"src/LAYERS: {room}: {name} has no line before it")
            rules[room] = below.split()
    for name, rooms in outside.items():
        for folder in rooms:
            if not any(covers({folder}, room) for room in rules):
                sys.exit(f"src/LAYERS: <{name}>: there is no folder {folder}")
    return rules, outside


def room_of(path, rules):
    """The rule that holds for a path below chi/: the longest one that fits."""
    parts = path.split("/")
    for length in range(DEEPEST, 0, -1):
        if "/".join(parts[:length]) in rules and len(parts) > length:
            return "/".join(parts[:length])
    return None


def check_chi(file, rules, outside):
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
        if seen and there != here and "*" not in rules[here] and not covers(rules[here], there or ""):
            yield f"{where}: {here} may not include {there}"
        if seen and there == "Driver" and here != "Driver":
            yield f"{where}: nothing may include Driver"
        for name, rooms in outside.items():
            if re.search(f'include [<"]{name}', line) and not covers(rooms, here):
                yield f"{where}: {here} may not include {name}"


def check_chirt(file):
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if re.search(r'include [<"](chi|mlir|llvm|antlr4)/', line):
            yield f"{file.relative_to(ROOT)}:{number}: the run time sees no compiler"


def main():
    (rules, outside), bad = read_rules(), []
    for file in sorted((SRC / "chi").rglob("*")):
        if file.suffix in (".cpp", ".h", ".def", ".td"):
            bad += check_chi(file, rules, outside)
    for file in sorted((SRC / "chirt").rglob("*")):
        if file.suffix in (".cpp", ".h", ".c"):
            bad += check_chirt(file)
    print("\n".join(bad))
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Includes point one way: every `#include "chi/…"` obeys src/LAYERS.

A room is a folder of up to three levels, as `Dialect/Chi`. A rule may name a
folder above several rooms, which stands for all of them if it is no room
itself. A rule may only name rooms whose own rules stand before it, so that there is no cycle.
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


def may_include(here, there, rules):
    """A room that is named stands for itself, a folder of rooms for them."""
    folders = {name for name in rules[here] if name not in rules}
    return there is not None and (there in rules[here] or covers(folders, there))


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
        if seen and there != here and "*" not in rules[here] and not may_include(here, there, rules):
            yield f"{where}: {here} may not include {there}"
        if seen and there == "Driver" and here != "Driver":
            yield f"{where}: nothing may include Driver"
        for name, rooms in outside.items():
            if re.search(f'include [<"]{name}', line) and not covers(rooms, here):
                yield f"{where}: {here} may not include {name}"


def circles(graph):
    """The sets of nodes of {node: [nodes]} that reach each other."""
    reached = {}
    for start in graph:
        seen, rest = set(), [start]
        while rest:
            new = [node for node in graph.get(rest.pop(), ()) if node not in seen]
            seen.update(new)
            rest += new
        reached[start] = seen
    found = {frozenset(b for b in reached[a] if a in reached.get(b, ())) for a in graph}
    return sorted(sorted(circle) for circle in found if len(circle) > 1)


def check_chirt(rules):
    """The rooms of the run time obey src/LAYERS. Neither rooms nor files include
    each other, but for a class with its helper: files are counted without suffix."""
    rooms = {room: below for room, below in rules.items() if room.startswith("chirt/")}
    files = {}
    for file in sorted(path for path in (SRC / "chirt").rglob("*") if path.suffix in (".cpp", ".h", ".c")):
        here, me = str(file.relative_to(SRC).parent), str(file.relative_to(SRC).with_suffix(""))
        if here not in rooms and here != "chirt/include/chirt":
            yield f"{file.relative_to(ROOT)}: its folder has no rule in src/LAYERS"
        for number, line in enumerate(file.read_text().splitlines(), 1):
            where = f"{file.relative_to(ROOT)}:{number}"
            if re.search(r'include [<"](chi|mlir|llvm|antlr4)/', line):
                yield f"{where}: the run time sees no compiler"
            seen = re.match(r'\s*#\s*include "((chirt/\w+)/\w+)\.h"', line)
            if seen and seen[1] != me:
                files.setdefault(me, []).append(seen[1])
            if seen and seen[2] not in (here, *rooms.get(here, ())):
                yield f"{where}: {here} may not include {seen[2]}"
    for circle in circles(rooms):
        yield f"src/LAYERS: the rooms {', '.join(circle)} of the run time may include each other"
    for circle in circles(files):
        if len(circle) > 2:
            yield f"src/chirt: {', '.join(circle)} include each other"


def main():
    (rules, outside), bad = read_rules(), []
    for file in sorted((SRC / "chi").rglob("*")):
        if file.suffix in (".cpp", ".h", ".def", ".td"):
            bad += check_chi(file, rules, outside)
    bad += check_chirt(rules)
    print("\n".join(bad))
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()

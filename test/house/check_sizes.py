#!/usr/bin/env python3
"""Files, functions and rooms stay small enough to read.

Hard limits: .cpp 800 lines (500 wanted), .h 300, .td 600, a test 200, a main
in tools 40, a function 80, 80 columns. waivers.txt names exceptions, each with
its reason. A folder of sources has 30 files, without those of its folders;
large_rooms.txt names the folders that are larger, each with its own limit.
"""
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
COLUMNS = 80
FUNCTION_LINES = 80
ROOM_FILES = 30


def waivers():
    """{(file, what): reason}"""
    known = {}
    for line in (ROOT / "test/house/waivers.txt").read_text().splitlines():
        line = line.split("#")[0].strip()
        if line:
            file, what, reason = re.split(r"\s+", line, maxsplit=2)
            known[file, what] = reason
    return known


def tracked(*patterns):
    listing = subprocess.run(["git", "-C", ROOT, "ls-files", *patterns],
                             capture_output=True, text=True, check=True)
    return [f for f in listing.stdout.splitlines() if (ROOT / f).is_file()]


def limit_of(file):
    path = pathlib.Path(file)
    if path.parts[0] == "tools" and path.name == "main.cpp":
        return 40
    if path.parts[0] == "test":
        return 400 if "unit" in path.parts or path.suffix in (".cpp", ".py") else 200
    return {".cpp": 800, ".h": 300, ".td": 600, ".def": 600, ".py": 500,
            ".chi": 600, ".g4": 600}.get(path.suffix)


KEYWORDS = re.compile(r"\s*(namespace|struct|class|enum|union|extern|switch|if|for|while|do|else|"
                      r"case|try|return|template|public|private|protected|using|typedef)\b|\s*[#/}]")
MOST_SIGNATURE_LINES = 24


def signature(lines, at):
    """(line of the brace, text) of the function whose signature starts in line
    `at`, over however many lines; None if none does."""
    text = ""
    for number in range(at, min(at + MOST_SIGNATURE_LINES, len(lines))):
        line = lines[number].split("//")[0].rstrip()
        text += " " + line.strip()
        if text.count("(") != text.count(")"):
            continue
        if line.endswith("{"):
            return (number, text) if "(" in text else None
        # What may follow: the name behind a type, qualifiers, initialisers.
        if not line or line.endswith((";", "}")):
            return None
    return None


def functions(lines):
    """Yields (name, first line, length) of functions: what starts at the left
    (or in a class), to the brace in its column."""
    at = 0
    while at < len(lines):
        head = re.match(r"( {0,4})[\w~:]", lines[at])
        found = head and not KEYWORDS.match(lines[at]) and signature(lines, at)
        name = found and re.search(r"([\w:~]+|operator\S+)\s*\(", found[1])
        if not name or "=" in found[1][:name.start()]:
            at += 1
            continue
        close = re.compile(head[1] + r"\}[;,) ]*$")
        end = found[0] + 1
        while end < len(lines) and not close.match(lines[end]):
            end += 1
        yield name[1], at + 1, end - at + 1
        at = end + 1


def check_rooms():
    """The folders of sources that have too many files."""
    limits = {}
    for line in (ROOT / "test/house/large_rooms.txt").read_text().splitlines():
        words = line.split("#")[0].split()
        if words:
            limits[words[0]] = int(words[1])
    counts = collections.Counter(str(pathlib.Path(file).parent) for file in tracked("src"))
    for folder, count in sorted(counts.items()):
        limit = limits.get(folder, ROOM_FILES)
        if count > limit:
            yield f"{folder}: {count} files, at most {limit}"
    for folder in sorted(limits):
        if counts[folder] <= ROOM_FILES:
            yield f"large_rooms.txt: {folder} needs no line (any more)"


def main():
    allowed, used, bad = waivers(), set(), list(check_rooms())

    def report(file, what, text):
        if (file, what) in allowed:
            used.add((file, what))
        else:
            bad.append(f"{file}: {text}")

    for file in tracked("src", "tools", "test", "bench", "stdlib", "examples", "grammar"):
        limit = limit_of(file)
        if limit is None:
            continue
        lines = (ROOT / file).read_text().splitlines()
        if len(lines) > limit:
            report(file, "lines", f"{len(lines)} lines, at most {limit}")
        if file.endswith((".cpp", ".h")):
            for number, line in enumerate(lines, 1):
                if len(line) > COLUMNS and "http" not in line and 'R"' not in line:
                    report(file, "columns", f"line {number} has {len(line)} columns")
        if file.endswith(".cpp") and not file.startswith("test/"):
            for name, first, length in functions(lines):
                if length > FUNCTION_LINES:
                    report(file, name, f"line {first}: {name} has {length} lines, at most {FUNCTION_LINES}")
    for file, what in allowed.keys() - used:
        bad.append(f"waivers.txt: {file} {what} needs no waiver (any more)")
    print("\n".join(bad))
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()

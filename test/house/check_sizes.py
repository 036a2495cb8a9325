#!/usr/bin/env python3
"""Files and functions stay small enough to read.

Hard limits: .cpp 800 lines (500 wanted), .h 300, .td 600, a test 200, a main
in tools 40, a function 80, 80 columns. waivers.txt names exceptions, each with
its reason. `--wanted` lists what is over the wanted size too.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
COLUMNS = 80
FUNCTION_LINES = 80


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


def functions(lines):
    """Yields (name, first line, length) of functions: a line that starts at
    the left (or in a class) and ends in `{`, to the brace in its column."""
    opened = None
    for number, line in enumerate(lines, 1):
        if opened is None:
            head = re.match(r"^( {0,4})(?! )[\w:<>,*&~ \[\]()=\"./-]*\{$", line)
            start = number
            if head and not re.match(r"\s*(namespace|struct|class|enum|union|extern|switch|if|for|"
                                     r"while|do|else|case|try|return)\b", line) and "=" not in line:
                text = line
                back = number - 1
                # A signature over several lines: up to the line at the left.
                while "(" not in text.split(")")[0] and back > 0 and back > number - 8:
                    back -= 1
                    text = lines[back - 1] + text
                    start = back
                name = re.search(r"([\w:~]+|operator\S+)\s*\(", text)
                if name:
                    indent = re.match(r" *", line)[0]
                    opened = (name[1], start, indent + "}")
        elif line.startswith(opened[2]) and line.rstrip(";,) ") == opened[2]:
            yield opened[0], opened[1], number - opened[1] + 1
            opened = None


def main():
    allowed, used, bad = waivers(), set(), []

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

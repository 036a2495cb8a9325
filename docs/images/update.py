#!/usr/bin/env python3
"""Makes the pictures of the pages again, as pictures.txt says; --check compares pictures.txt with the pages.

    update.py [--chic CHIC] [NAME …]     some three minutes on two cores for all of them
    update.py --check
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LARGEST = 60_000  # bytes of a picture


def pictures():
    """{name: (program, arguments, file that it writes)}"""
    text = (HERE / "pictures.txt").read_text()
    return {name: (program, arguments.split(), file) for name, program, arguments, file
            in re.findall(r"^(\w+): (\S+)((?: [^\[\n]+)?) \[(\S+)\]$", text, re.M)}


def program_text(program):
    """Of a block of a page: the one of that name, or the first one that is no reference to a file."""
    page, _, name = program.partition("#")
    text = (ROOT / page).read_text()
    block = (re.search(rf"^```chi {re.escape(name)}\n(.*?)^```", text, re.M | re.S)
             or re.search(rf"`{re.escape(name)}`:\n+```chi\n(.*?)^```", text, re.M | re.S))
    return block[1] if block else None


def make(chic, names):
    known = pictures()
    done = {}  # program and arguments: folder of what they wrote
    with tempfile.TemporaryDirectory() as folder:
        for name in names or known:
            program, arguments, file = known[name]
            key = (program, *arguments)
            if key not in done:
                done[key] = pathlib.Path(folder) / str(len(done))
                done[key].mkdir()
                path = ROOT / program
                if "#" in program:
                    path = done[key] / "program.chi"
                    path.write_text(program_text(program))
                # A record would change the pictures with each commit.
                subprocess.run([chic, "run", path, "--provenance=off", *arguments], cwd=done[key], check=True,
                               stdout=subprocess.DEVNULL)
            shutil.copy(done[key] / file, HERE / f"{name}.png")
            print(name, (HERE / f"{name}.png").stat().st_size, flush=True)


def pages():
    return {path: path.read_text() for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]}


def problems():
    known, texts = pictures(), pages()
    lines = [line for line in (HERE / "pictures.txt").read_text().splitlines() if line and line[0] != "#"]
    if len(known) != len(lines):
        yield "docs/images/pictures.txt has a line that is not NAME: PROGRAM ARGUMENTS [FILE]"
    gallery = texts[ROOT / "docs/gallery.md"]
    for name, (program, arguments, _) in known.items():
        path = HERE / f"{name}.png"
        if not path.exists():
            yield f"docs/images/{name}.png is missing; python3 docs/images/update.py {name}"
        elif path.stat().st_size > LARGEST:
            yield f"docs/images/{name}.png has {path.stat().st_size} bytes, at most {LARGEST}"
        if not any(f"images/{name}.png" in text for text in texts.values()):
            yield f"no page shows docs/images/{name}.png"
        command = " ".join(["chic run", program, *arguments])
        if program.startswith("examples/") and (f"`{command}`" not in gallery or f"images/{name}.png" not in gallery):
            yield f"docs/gallery.md does not show {name}.png with its command `{command}`"
        if "#" in program and not program_text(program):
            yield f"pictures.txt: there is no {program}"
    for path in HERE.glob("*.png"):
        if path.stem not in known:
            yield f"docs/images/pictures.txt does not say how {path.name} is made"
    for path in sorted((ROOT / "examples").rglob("*.chi")):
        name = path.relative_to(ROOT)
        if f"(../{name})" not in gallery:
            yield f"docs/gallery.md does not link to {name}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--chic", default=str(ROOT / "build/bin/chic"))
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if options.check:
        sys.exit("\n".join(problems()) or 0)
    make(options.chic, options.names)


if __name__ == "__main__":
    main()

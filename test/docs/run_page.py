#!/usr/bin/env python3
"""Do what a page says: write its files, run its commands, compare what they print.

    run_page.py PAGE.md

A block whose fence names a file (```c use.c) becomes that file; a ```sh block is run in their folder; an ```output
block behind one is what it prints.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(\w+) ?(\S*)\n(.*?)^```$", re.M | re.S)


def main():
    page = pathlib.Path(sys.argv[1])
    text = page.read_text()
    blocks = [(m[1], m[2], m[3], text.count("\n", 0, m.start()) + 1) for m in BLOCK.finditer(text)]
    runs = 0
    with tempfile.TemporaryDirectory() as folder:
        for (kind, name, body, line), following in zip(blocks, blocks[1:] + [("", "", "", 0)]):
            if name:
                (pathlib.Path(folder) / name).write_text(body)
            if kind != "sh":
                continue
            runs += 1
            done = subprocess.run(["sh", "-ec", body], cwd=folder, capture_output=True, text=True)
            expected = following[2] if following[0] == "output" else ""
            if done.returncode or done.stderr or done.stdout != expected:
                sys.exit(f"{page}:{line}: exit {done.returncode}\n{done.stdout}{done.stderr}"
                         f"--- expected\n{expected}")
    if not runs:
        sys.exit(f"{page} has no commands")


main()

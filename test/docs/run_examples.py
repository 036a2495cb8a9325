#!/usr/bin/env python3
"""Run the programs of a Markdown page and compare with what stands under them.

    run_examples.py CHIC PAGE.md [ARGUMENT OF chic run …]

A ```chi block followed by an ```output block must print exactly that; followed by ```error it must fail,
and the message must hold that text. Any other ```chi block must compile.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)


def main():
    chic, page = sys.argv[1], pathlib.Path(sys.argv[2])
    options = sys.argv[3:]
    text = page.read_text()
    blocks = [(m[1], m[2], text.count("\n", 0, m.start()) + 2) for m in BLOCK.finditer(text)]
    failures = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for (kind, program, line), following in zip(blocks, blocks[1:] + [("", "", 0)]):
            if kind != "chi":
                continue
            count += 1
            file = pathlib.Path(folder) / f"line{line}.chi"
            file.write_text(program)
            runs = following[0] in ("output", "error")
            command = [chic, "run", file.name, *options] if runs else [chic, "check", file.name]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            if following[0] == "error":
                good = done.returncode in (1, 2) and following[1].strip() in done.stderr
            elif following[0] == "output":
                good = done.returncode == 0 and done.stdout == following[1]
            else:
                good = done.returncode == 0
            if not good:
                failures += 1
                print(f"{page}:{line}: exit {done.returncode}\n{done.stdout}{done.stderr}")
                if runs:
                    print(f"--- expected ({following[0]})\n{following[1]}")
    print(f"{count - failures} of {count} programs of {page.name} do as the page says")
    sys.exit(failures != 0 or count == 0)


main()

#!/usr/bin/env python3
"""Do what a page says: write its files, run its commands, compare what they print.

    run_page.py PAGE.md [--write] [--python PYTHON]

A block whose fence names a file (```c use.c) becomes that file; a ```sh block is run in their folder, in which the
project's `examples` lie, too. Behind it stands
what it prints (```output) and, if it fails, what it says then (```error). In these `…` stands for any text of a line, and
a line `…` for any lines. A ```chi block without a file's name is refused: nothing would run it.

--write puts what the commands print now into the page: look at the difference before you commit it. --python: what
`python3` is in the commands.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
BLOCK = re.compile(r"^```(\w+) ?(\S*)\n(.*?)^```$", re.M | re.S)
STREAMS = {"output": "stdout", "error": "stderr"}


def matches(expected, text):
    pattern = re.sub(r"(?m)^…(\\\n|\n)", r"(?:.*\\n)*?", re.escape(expected))
    return re.fullmatch(pattern.replace("…", "[^\\n]*?"), text) is not None


def expectations(blocks):
    """The blocks of output and error right behind a command."""
    wanted = {}
    for block in blocks:
        if block[1] not in STREAMS or block[1] in wanted:
            break
        wanted[block[1]] = block
    return wanted


def is_as_expected(done, wanted):
    texts = {kind: wanted[kind][3] if kind in wanted else "" for kind in STREAMS}
    return ((done.returncode != 0) == ("error" in wanted)
            and all(matches(texts[kind], getattr(done, stream)) for kind, stream in STREAMS.items()))


def changed(text, edits):
    """The page with other bodies of blocks, from the last to the first."""
    for block, body in sorted(edits, key=lambda edit: -edit[0].start()):
        text = text[:block.start(3)] + body + text[block.end(3):]
    return text


def main():
    page, write = pathlib.Path(sys.argv[1]), "--write" in sys.argv
    text = page.read_text()
    blocks = list(BLOCK.finditer(text))
    runs, edits = 0, []
    if "--python" in sys.argv:
        folder = os.path.dirname(sys.argv[sys.argv.index("--python") + 1])
        os.environ["PATH"] = folder + os.pathsep + os.environ["PATH"]
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "examples").symlink_to(EXAMPLES)
        for at, block in enumerate(blocks):
            kind, name, body = block.groups()
            where = f"{page}:{text.count(chr(10), 0, block.start()) + 1}"
            if name:
                (pathlib.Path(folder) / name).write_text(body)
            elif kind == "chi":
                sys.exit(f"{where}: a program without a file's name: nothing runs it")
            if kind != "sh":
                continue
            runs += 1
            done = subprocess.run(["sh", "-ec", body], cwd=folder, capture_output=True, text=True)
            wanted = expectations(blocks[at + 1:])
            if is_as_expected(done, wanted):
                continue
            said = f"{where}: exit {done.returncode}\n{done.stdout}{done.stderr}"
            if not write:
                sys.exit(said + "--- expected\n" + "".join(f"({kind})\n{one[3]}" for kind, one in wanted.items()))
            print(said)
            edits += [(one, getattr(done, STREAMS[kind])) for kind, one in wanted.items()]
    if write:
        page.write_text(changed(text, edits))
    if not runs:
        sys.exit(f"{page} has no commands")


main()

#!/usr/bin/env python3
"""Writes the pages of this folder by `chic doc` from the modules in stdlib/; --check compares."""
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CHIC = str(ROOT / "build/bin/chic")


def pages(chic):
    """The text of each page by its name; of no module there is no page."""
    if not list((ROOT / "stdlib").glob("*.chi")):
        return {}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([chic, "doc", "-o", folder, str(ROOT / "stdlib")], check=True, stdin=subprocess.DEVNULL)
        return {path.name: path.read_text() for path in pathlib.Path(folder).iterdir()}


def main():
    check = "--check" in sys.argv
    wanted = pages("chic" if check else CHIC)
    known = {path.name: path.read_text() for path in HERE.glob("*.md")}
    if check:
        stale = sorted(name for name in wanted.keys() | known.keys() if wanted.get(name) != known.get(name))
        if stale:
            sys.exit(f"not what the modules say: {' '.join(stale)}; python3 docs/library/update.py")
        return
    for name in known.keys() - wanted.keys():
        (HERE / name).unlink()
    for name, text in wanted.items():
        (HERE / name).write_text(text)


if __name__ == "__main__":
    main()

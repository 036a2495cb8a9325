#!/usr/bin/env python3
"""Writes the pages of this folder from what chic says; --check compares."""
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CHIC = str(ROOT / "build/bin/chic")
SWEEP_PARTS = ("status", "table", "plot")


def verbs():
    text = (ROOT / "src/chi/Driver/Commands/Commands.def").read_text()
    for name in re.findall(r"^CHI_COMMAND\((\w+)\)", text, re.M):
        yield {"EmitIR": "emit-ir", "GradReport": "grad-report"}.get(name, name.lower())


def page(title, *command):
    done = subprocess.run(command, capture_output=True, text=True, check=True,
                          stdin=subprocess.DEVNULL)
    text = "\n".join(line.rstrip() for line in done.stdout.strip().splitlines())
    return f"# {title}\n\n```\n{text}\n```\n"


def pages(chic):
    for verb in verbs():
        yield HERE / f"{verb}.md", page(f"chic {verb}", chic, verb, "--help")
    for part in SWEEP_PARTS:
        yield HERE / f"sweep-{part}.md", page(f"chic sweep {part}", chic, "sweep", part, "--help")
    yield HERE / "without.md", page("Optimisations", chic, "run", "--without=help")


def main():
    check = "--check" in sys.argv
    chic = "chic" if check else CHIC
    stale = []
    for path, text in pages(chic):
        if not check:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            stale.append(path.name)
    if stale:
        sys.exit(f"not what --help says: {' '.join(stale)}; python3 docs/cli/update.py")


if __name__ == "__main__":
    main()

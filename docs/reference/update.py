#!/usr/bin/env python3
"""Writes the pages of this folder from the compiler's tables.

    update.py            writes them
    update.py --check    compares, and runs the examples of words.txt by chic
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))

import tablegen  # noqa: E402
import words  # noqa: E402


def main():
    sections = words.entries(HERE / "words.txt")
    bad = list(words.problems(ROOT, sections))
    if bad:
        sys.exit("\n".join(bad))
    pages = {"builtins.md": words.page(ROOT, sections),
             "operations.md": tablegen.operations(ROOT), "passes.md": tablegen.passes(ROOT)}
    check = "--check" in sys.argv
    for name, text in pages.items():
        if not check:
            (HERE / name).write_text(text)
        elif not (HERE / name).exists() or (HERE / name).read_text() != text:
            bad.append(f"docs/reference/{name} is not what the tables say; python3 docs/reference/update.py")
    if check:
        bad += words.wrong_examples("chic", sections)
    sys.exit("\n".join(bad) or 0)


if __name__ == "__main__":
    main()

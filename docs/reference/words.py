"""builtins.md: words.txt, compared with the tables of the compiler and with the output of chic."""
import collections
import subprocess
import tempfile
import pathlib
import re

import tables

HEAD = """# Built-in words and methods

All words that need no import, with the types, the decorators, and the methods of vecs, mats and fields. `python3 docs/reference/update.py` writes this page from the tables of the compiler (in `src/chi/Sema`) and from
[words.txt](words.txt), which describes each word; the tests run the examples and reject a word without a line. [The language](../language.md) describes how to use these words.

A name of the program hides the built-in one.
"""
SETUP = "import math\nx = field(i32, shape=3)\n"
RESET = "x[0] = 4\nx[1] = 9\nx[2] = 2\n"
Line = collections.namedtuple("Line", "word call what example printed number")


def entries(path):
    """Sections of words.txt: [title, sentences, lines]."""
    sections = []
    for number, text in enumerate(path.read_text().splitlines(), 1):
        if text.startswith("= "):
            sections.append([text[2:], [], []])
        elif text.startswith("> "):
            sections[-1][1].append(text[2:])
        elif text and text[0] != "#":
            parts = [part.strip() for part in re.split(r"(?<!\\)\|", text)]
            if len(parts) not in (3, 4) or not all(parts):
                raise SystemExit(f"words.txt:{number}: a line is WORD | how it is written | what it gives | EXAMPLE → RESULT")
            example, printed = parts[3].split(" → ") if len(parts) == 4 else ("", "")
            sections[-1][2].append(Line(*parts[:3], example, printed, number))
    return sections


def arguments(call):
    """How many arguments the first way of writing has."""
    inside = re.match(r"[^(]*\((.*?)\)", call)
    return len([part for part in inside[1].split(",") if part.strip()]) if inside else 0


def problems(root, sections):
    """What the tables and words.txt do not agree on."""
    known, later = tables.words(root)
    others = {*tables.methods(root), *tables.types(root), *tables.decorators(root)}
    lines = [line for section in sections for line in section[2]]
    count = collections.Counter(line.word for line in lines)
    for word in [*known, *sorted(others)]:
        if count[word] != 1:
            yield f"`{word}` is in the compiler's tables, and has {count[word] or 'no'} lines in docs/reference/words.txt"
    for line in lines:
        if line.word not in known and line.word not in others:
            yield f"words.txt:{line.number}: the compiler's tables have no `{line.word}`"
        elif line.word.split(".")[-1] not in line.call:
            yield f"words.txt:{line.number}: `{line.call}` does not show `{line.word}`"
        elif line.word in known and known[line.word][1] not in (None, arguments(line.call)):
            yield f"words.txt:{line.number}: `{line.word}` takes {known[line.word][1]} arguments"


def wrong_examples(chic, sections):
    """Runs all examples as one program."""
    lines = [line for section in sections for line in section[2] if line.example]
    program = SETUP + "".join(f"{RESET}print({line.example})\n" for line in lines)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "words.chi"
        path.write_text(program)
        done = subprocess.run([chic, "run", path.name], cwd=folder, capture_output=True, text=True)
    printed = done.stdout.splitlines()
    if done.returncode or len(printed) != len(lines):
        yield f"the examples of words.txt do not run: {done.stderr}"
        return
    for line, got in zip(lines, printed):
        if line.printed != got:
            yield f"words.txt:{line.number}: {line.example} prints {got}, not {line.printed}"


def table(lines, methods):
    has_receivers = any(line.word.startswith("value.") for line in lines)
    yield "| call | receiver | description | example |" if has_receivers else "| call | description | example |"
    yield "|---|---|---|---|" if has_receivers else "|---|---|---|"
    for line in lines:
        call = re.sub(r"\), (?=\w)", ")`, `", line.call)
        of = f" {methods[line.word]} |" if has_receivers else ""
        example = f"`{line.example}` → `{line.printed}`" if line.example else ""
        yield f"| `{call}` |{of} {line.what} | {example} |"


def page(root, sections):
    methods = tables.methods(root)
    _, later = tables.words(root)
    text = HEAD
    for title, sentences, lines in sections:
        text += f"\n## {title}\n" + "".join(f"\n{sentence}\n" for sentence in sentences)
        if lines:
            text += "\n" + "\n".join(table(lines, methods)) + "\n"
    reserved = ", ".join(f"`{word}`" for word in later)
    return text + f"\n## Reserved\n\nThese words are reserved and not supported yet: {reserved}.\n"

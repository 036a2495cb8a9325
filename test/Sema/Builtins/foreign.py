"""What is said for each word of Foreign.def is true.

    foreign.py FOREIGN_DEF CHIC FOLDER

Writes one program for each kind of word, asks `chic check` for the diagnostics
as JSON, and looks for the word's own replacement or advice at its place. Then it
makes the replacements: the program that they leave has no error.
"""
import json
import pathlib
import re
import subprocess
import sys

# Arguments for functions of the language, by what stands for the word.
ARGUMENTS = {"atan2": "2", "pow": "2", "max": "2", "min": "2", "mix": "3", "clamp": "3",
             "atomic_add": "x[0, 0], 1.0", "atomic_min": "x[0, 0], 1.0", "atomic_max": "x[0, 0], 1.0",
             "identity": "2", "where": "x[0, 0] > 0, 1.0, 2.0", "popcount": "i32(x[0, 0])"}
ONLY_IN_FOR = ("range", "ndrange")
STATEMENTS = ("print", "exit")
# A call with these has its own report, which names the arguments.
METHOD_OPERANDS = {"dot": ", v", "cross": ", v", "outer": ", v"}
MEMBER_ARGUMENTS = {"fill": "1", "copy_from": "y", "dot": "v", "outer": "v", "col": "0"}
ON_MATS = ("transpose", "inverse", "determinant", "trace")
OF = {"Field": "x", "Vector": "v", "Matrix": "m", "Tuple": "t", "Scalar": "s", "Any": "t"}
PLACES = """x = field(f32, shape=(3, 3))
y = field(f32, shape=(3, 3))
v = vec3(1)
m = mat3(1)
t = (1, 2, 3)
s = 1.5
"""


def entries(text, kind):
    """The texts in the parentheses of each `kind(…)`, with its macros put in."""
    macros = {name: "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', body)).replace('\\"', '"')
              for name, body in re.findall(r"^#define (CHI_\w+)\s+((?:.*\\\n)*.*)$", text, re.M)}
    for match in re.finditer(rf"^{kind}\(((?:[^()\"]|\"(?:[^\"\\]|\\.)*\")*)\)", text, re.M):
        parts, current = [], ""
        for piece in re.findall(r'"(?:[^"\\]|\\.)*"|,|\w+', match[1]):
            if piece == ",":
                parts.append(current)
                current = ""
            elif piece[0] == '"':
                current += piece[1:-1].replace('\\"', '"')
            else:
                current += macros.get(piece, piece)
        yield [*parts, current]


class Program:
    """A program, line by line, with what is expected of some lines."""

    def __init__(self, name):
        self.name, self.lines, self.expected = name, PLACES.splitlines(), []

    def add(self, line, word, own="", advice=""):
        self.lines.append(line)
        self.expected.append((len(self.lines), word, own, advice))

    def check(self, chic, folder):
        file = folder / f"{self.name}.chi"
        text = "\n".join(self.lines) + "\n"
        file.write_text(text)
        found = reports(chic, file)
        bad, fixes = [], []
        for line, word, own, advice in self.expected:
            here = [d for d in found if d["range"]["begin"]["line"] == line]
            notes = [n["message"] for d in here for n in d["notes"]]
            changes = [f for d in here for f in d["fixes"]]
            if len(here) != 1 or not any(f"`{word}" in d["message"] for d in here):
                bad.append(f"{word}: reported as {[d['message'] for d in here]}")
            if own and own not in [f["text"] for f in changes]:
                bad.append(f"{word}: no change to {own}, but {changes}")
            if advice and advice not in notes:
                bad.append(f"{word}: the note is not '{advice}', but {notes}")
            fixes += changes if own else []
        return bad + self.check_fixed(chic, folder, text, fixes)

    def check_fixed(self, chic, folder, text, fixes):
        """The program with the changes, without the lines that have none."""
        data = text.encode()
        for fix in sorted(fixes, key=lambda f: -f["range"]["begin"]["offset"]):
            begin, end = (fix["range"][at]["offset"] for at in ("begin", "end"))
            data = data[:begin] + fix["text"].encode() + data[end:]
        lines = data.decode().splitlines()
        for line, _, own, _ in self.expected:
            if not own:
                lines[line - 1] = ""
        file = folder / f"{self.name}-fixed.chi"
        file.write_text("\n".join(lines) + "\n")
        return [f"{file}:{d['range']['begin']['line']}: {d['message']}"
                for d in reports(chic, file) if d["severity"] == "error"]


def reports(chic, file):
    done = subprocess.run([chic, "check", file, "--diagnostics", "json"],
                          capture_output=True, text=True)
    if done.returncode > 1:
        sys.exit(f"{file}: chic ends with {done.returncode}")
    return [json.loads(line) for line in (done.stdout + done.stderr).splitlines()]


def types(text):
    program = Program("types")
    for k, (word, own) in enumerate(entries(text, "CHI_FOREIGN_TYPE")):
        program.add(f"def takes{k}(a: {word}): pass", word, own)
    for k, (word,) in enumerate(entries(text, "CHI_FOREIGN_ANNOTATION")):
        program.add(f"def annotated{k}(a: {word}): pass", word, "",
                    "remove the annotation to accept any type, or write the element type and "
                    "the number of axes: `field(f32, 2)`")
    return program


def modules(text):
    program = Program("modules")
    for name, alias, advice in entries(text, "CHI_FOREIGN_MODULE"):
        if name not in ("random",):  # planned: E0900
            program.add(f"import {name} as {alias}_", name, "", advice)
    return program


def functions(text):
    program = Program("functions")
    for word, own, advice in entries(text, "CHI_FOREIGN_FUNCTION"):
        if word in ("where", "type"):  # a word of the language, or a keyword
            continue
        given = ARGUMENTS.get(own, "1")
        args = ", ".join(["0.5"] * int(given)) if given.isdigit() else given
        args = "2" if own == "identity" or own in ONLY_IN_FOR or own in STATEMENTS else args
        if own in ONLY_IN_FOR:
            program.add(f"for i in {word}({args}): pass", word, own)
        elif own in STATEMENTS:
            program.add(f"def h{len(program.lines)}(): {word}({args})", word, own)
        else:
            program.add(f"print({word}({args}))", word, own, advice)
    return program


def methods(text):
    program = Program("methods")
    for word, own in entries(text, "CHI_FOREIGN_METHOD"):
        on = "m" if own in ON_MATS else "v"
        more = METHOD_OPERANDS.get(own, "")
        program.add(f"print({word}({on}{more}))", word, f"{on}.{own}({more[2:]})")
    return program


def members(text):
    program = Program("members")
    for of, word, own, advice in entries(text, "CHI_FOREIGN_MEMBER"):
        on = OF[of]
        call = "" if "$" in own else f"({MEMBER_ARGUMENTS.get(own, '')})"
        program.add(f"{on}.{word}{call}", word, own.replace("$", on), advice.replace("$", on))
    return program


def main():
    text = pathlib.Path(sys.argv[1]).read_text()
    text = text[text.index("//===-- modules"):]
    chic, folder = sys.argv[2], pathlib.Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    bad = []
    for make in (types, modules, functions, methods, members):
        program = make(text)
        if len(program.expected) < 10:
            bad.append(f"{program.name}: only {len(program.expected)} words were read")
        bad += program.check(chic, folder)
    print("\n".join(bad))
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()

"""Single-token edits of programs: where the first message lies.

    python3 test/fuzz/edits --chic build/bin/chic [--count 200] [--seed 1] [--show] PROGRAM...

Each edit deletes, doubles, misspells or replaces one token. A program that is
refused has its first message inside of the edited statement (its lines, with
what its brackets hold), in its block (the statements of that indentation and
the header above them) or elsewhere. A message at the use of a misspelt name is
one of the statement if it names the new word: "did you mean `axpc`?" Prints the shares of each program, and with
--show the edits whose message lies elsewhere. Exits with 1 if less than
--least (0.95) of all messages lie in the statement, or any outside of the block.
"""
import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

TOKEN = re.compile(r'''"""(?s:.*?)"""|f?"[^"\n]*"|\#[^\n]*|\w+|\*\*=?|//=?|[-+*/%&|^<>=!]=|->|<<|>>|\S''')
OPERATORS = ["+", "-", "*", "/", "%", "<", "==", "and", "or"]
BRACKETS = {"(": ")", "[": "]", "{": "}"}


def tokens(text):
    """Spans of the tokens that may be edited: no comments, no docstrings."""
    return [match.span() for match in TOKEN.finditer(text)
            if not match[0].startswith(("#", '"""'))]


def edited(text, span, chance):
    """The text with the token changed, and how."""
    begin, end = span
    token = text[begin:end]
    kinds = ["deleted", "doubled"]
    if re.fullmatch(r"[A-Za-z_]\w*", token):
        kinds += ["misspelt"] * 2
    if token in OPERATORS:
        kinds += ["replaced"] * 2
    kind = chance.choice(kinds)
    if kind == "deleted":
        new = ""
    elif kind == "doubled":
        new = f"{token} {token}"
    elif kind == "misspelt":
        at = chance.randrange(len(token))
        new = token[:at] + chance.choice("abcxyz") + token[at + 1:]
    else:
        new = chance.choice([op for op in OPERATORS if op != token])
    how = f"`{token}` {kind}" + (f": `{new}`" if new else "")
    return text[:begin] + new + text[end:], new, how


def statement(text, at):
    """First and last line of the statement that holds an offset, by the brackets of the text."""
    first = line = text.count("\n", 0, at) + 1
    depth, start, found = 0, 1, None
    number = 1
    for match in re.finditer(r'"""(?s:.*?)"""|"[^"\n]*"|#[^\n]*|[()\[\]{}]|\n', text):
        token = match[0]
        if token in BRACKETS:
            depth += 1
        elif token in BRACKETS.values():
            depth = max(0, depth - 1)
        elif token == "\n":
            number += 1
            if depth == 0:
                if start <= line < number:
                    found = (start, number - 1)
                    break
                start = number
        else:
            number += token.count("\n")
    return found or (first, first)


def block(lines, first, last):
    """The lines from the header of a statement's block to its end."""
    def indent(number):
        return len(lines[number - 1]) - len(lines[number - 1].lstrip())

    own = indent(first)
    begin = first
    while begin > 1 and (not lines[begin - 2].strip() or indent(begin - 1) >= own):
        begin -= 1
    end = last
    while end < len(lines) and (not lines[end].strip() or indent(end + 1) >= own):
        end += 1
    return max(1, begin - 1), end


def first_message(chic, path, folder):
    """Its first line and text; None if there is none."""
    done = subprocess.run([chic, "check", "-I", str(folder), "--diagnostics=json", path.name], cwd=path.parent,
                          capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
    if done.returncode not in (0, 1):
        sys.exit(f"{path.read_text()}\n{path.name}: exit status {done.returncode}\n{done.stderr}")
    for line in (done.stdout + done.stderr).splitlines():
        if line.startswith("{"):
            report = json.loads(line)
            if report["severity"] == "error":
                return report["range"]["begin"]["line"], f"{report['code']}: {report['message']}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--chic", default="chic")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=float, default=0.95)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()
    chic = str(pathlib.Path(options.chic).resolve()) if "/" in options.chic else options.chic
    total = {"statement": 0, "block": 0, "elsewhere": 0}
    for program in map(pathlib.Path, options.programs):
        text = program.read_text()
        chance = random.Random(f"{options.seed} {program.name}")
        spans, found = tokens(text), {"statement": 0, "block": 0, "elsewhere": 0}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / program.name
            for _ in range(options.count):
                span = chance.choice(spans)
                changed, new, how = edited(text, span, chance)
                path.write_text(changed)
                message = first_message(chic, path, program.resolve().parent)
                if not message:
                    continue
                line = text.count("\n", 0, span[0]) + 1
                first, last = statement(text, span[0])
                begin, end = block(text.splitlines(), first, last)
                named = f"`{new}`" in message[1]
                where = ("statement" if named or first <= message[0] <= last
                         else "block" if begin <= message[0] <= end else "elsewhere")
                found[where] += 1
                if options.show and where != "statement":
                    print(f"{program.name}:{line}: {how}: {where}: line {message[0]}: {message[1]}")
        print(f"{program.name}: {found['statement']} in the statement, {found['block']} in its block, "
              f"{found['elsewhere']} elsewhere")
        for where, count in found.items():
            total[where] += count
    refused = sum(total.values())
    share = total["statement"] / refused if refused else 1
    print(f"{refused} refused: {100 * share:.1f} % in the statement, {total['elsewhere']} elsewhere")
    return int(share < options.least or total["elsewhere"] > 0)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Public functions of headers have a comment.

Each function that a header of src declares in a namespace, or in the public part of a class, has a comment directly
above it: `///`, or `/* */` in headers of C. Declarations that follow without an empty line belong to the same comment.

A comment is not needed by: constructors, destructors, operators, conversions, `= default`, `= delete`, `override`,
`friend`; what an unnamed namespace or one named `detail` contains; and, in a class that has a comment, a function
whose body is one line without parameters, such as `Size size() const { return count; }`.

    check_comments.py --count  prints how many functions there are, and how many have a comment
"""
import pathlib
import re
import sys

from check_classes import end_of, is_function

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLANKED = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|(?<!\w)'(?:\\.|[^'\\\n])'"
                     r"|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M | re.S)
ACCESS = re.compile(r"\s*(public|private|protected)\s*")
HEAD = re.compile(r"\s*(?:template\s*<.*?>\s*)?(class|struct|union)\b(?:\s*(?:alignas\([^)]*\)|\[\[.*?\]\]))*\s*"
                  r"([\w:]*)[^(]*", re.S)
SPACE = re.compile(r"\s*(?:inline\s+)?namespace\b\s*([\w:]*)\s*|\s*extern\s*", re.S)
NEEDLESS = re.compile(r"\boperator\b|\boverride\b|=\s*(?:default|delete)|\bfriend\b|~\w+\s*\(")
COMMENT = re.compile(r"\s*///|.*\*/$")


def blanked(text):
    """The text with spaces for comments, strings and lines of the preprocessor, so that places stay."""
    return BLANKED.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def name_of(declaration):
    """The name of a declared function; None for a pointer to a function or an initialised variable."""
    plain = re.sub(r"\[\[.*?\]\]|\b__attribute__\s*\(\(.*?\)\)|\balignas\([^)]*\)", "", declaration, flags=re.S)
    while True:
        shorter = re.sub(r"<[^<>]*>", "", plain)
        if shorter == plain:
            break
        plain = shorter
    found = re.match(r"[^=([]*?([\w~]+)\s*\((?!\s*\*)", plain)
    return found and found[1]


class Header:
    """The functions of one header that need a comment."""

    def __init__(self, text):
        self.lines, self.text = text.split("\n"), blanked(text)
        self.needed = []  # (line, name, has a comment)

    def line(self, at):
        return self.text.count("\n", 0, at)

    def scan(self, at, end, className=None, isDocumented=False):
        """Looks at the declarations between two places; `className` is None in a namespace, and `isDocumented` says
        whether the class has a comment."""
        isPublic, last, start = True, (-2, False), at
        if className is not None:
            isPublic = not className.startswith("class ")
        while at < end:
            char, head = self.text[at], self.text[start:at]
            if char == ":" and className is not None and ACCESS.fullmatch(head):
                isPublic, start = ACCESS.fullmatch(head)[1] == "public", at + 1
            elif char == "(":  # default arguments may contain braces
                at = self.close(at) - 1
            elif char in ";{":
                first = self.line(start + len(head) - len(head.lstrip()))
                hasComment = bool(first and COMMENT.match(self.lines[first - 1])) or last == (first - 1, True)
                stop = at + 1 if char == ";" else end_of(self.text, at)
                if char == "{" and SPACE.fullmatch(head):
                    space = SPACE.fullmatch(head)[1]
                    if space is None or space and "detail" not in space:
                        self.scan(at + 1, stop - 1)
                    at = start = stop
                    continue
                isClass = char == "{" and HEAD.fullmatch(head)
                if isClass and isPublic:
                    self.scan(at + 1, stop - 1, f"{isClass[1]} {isClass[2]}", hasComment)
                if char == "{" and re.match(r"\s*(,|$)", head):  # what follows an initialiser `: member{…}`
                    hasComment = last[1]
                elif char == "{" and (isClass or not is_function(head)):  # an initialiser, an enum, a class
                    at = stop
                    while at < end and self.text[at] not in ";{":
                        at += 1
                    stop = at + 1
                elif isPublic and is_function(head):
                    self.add(head, self.text[at:stop], first, hasComment, className, isDocumented)
                last, start, at = (self.line(stop - 1), hasComment), stop, stop
                continue
            at += 1

    def close(self, at):
        depth = 0
        for place in range(at, len(self.text)):
            depth += {"(": 1, ")": -1}.get(self.text[place], 0)
            if depth == 0:
                return place + 1
        return len(self.text)

    def add(self, head, body, first, hasComment, className, isDocumented):
        name = name_of(head)
        isAccessor = isDocumented and re.search(r"\(\s*\)[\w\s&]*$", head) and re.match(r"\{.*\S.*\}$", body)
        if not name or NEEDLESS.search(head) or isAccessor or className and className.split()[-1] == name:
            return
        self.needed.append((first + 1, name, hasComment))


def main():
    bad, total = [], 0
    for file in sorted((ROOT / "src").rglob("*.h")):
        header = Header(file.read_text())
        header.scan(0, len(header.text))
        total += len(header.needed)
        bad += [f"{file.relative_to(ROOT)}:{line}: {name} has no comment"
                for line, name, hasComment in header.needed if not hasComment]
    if "--count" in sys.argv:
        print(f"{total} functions, {total - len(bad)} with a comment")
    print("\n".join(bad))
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()

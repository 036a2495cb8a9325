"""A program as blocks of statements, and a statement as tokens. No grammar:
what makes no program is found out by compiling it."""
import dataclasses
import re

TOKEN = re.compile(r'''
    (?P<string> [a-zA-Z]{0,2}(?: """(?:\\.|[^\\])*?""" | \'\'\'(?:\\.|[^\\])*?\'\'\'
                | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' ))
  | (?P<comment> \#[^\n]*)
  | (?P<number> 0[xX][\da-fA-F_]+ | 0[bB][01_]+ | 0[oO][0-7_]+
                | (?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][-+]?\d+)? )
  | (?P<name> [^\W\d]\w*)
  | (?P<newline> \n)
  | (?P<space> (?:[ \t\r\f]|\\\n)+)
  | (?P<operator> \*\*=?|//=?|<<=?|>>=?|->|[-+*/%&|^]=|[<>=!]=|.)
''', re.X | re.S)
OPENING, CLOSING = "([{", ")]}"


@dataclasses.dataclass(frozen=True)
class Token:
    kind: str
    text: str
    space: str = ""  # before it


def tokens_of(text):
    """Without comments and line ends; what stands in brackets may go over lines."""
    tokens, space = [], ""
    for match in TOKEN.finditer(text):
        if match.lastgroup in ("space", "newline", "comment"):
            space = " "
            continue
        tokens.append(Token(match.lastgroup, match[0], space if tokens else ""))
        space = ""
    return tokens


def joined(tokens):
    return "".join((token.space if i else "") + token.text for i, token in enumerate(tokens))


@dataclasses.dataclass
class Statement:
    """A line, what is indented below it, and what goes with it: `elif` and
    `else` of an `if`, decorators before a `def` (whose `head` they begin)."""
    head: list  # lines without indentation
    body: list = dataclasses.field(default_factory=list)
    follow: list = dataclasses.field(default_factory=list)

    def is_compound(self):
        return self.head[-1].endswith(":")

    def lines(self, indent=""):
        for line in self.head:
            yield indent + line
        if self.is_compound():
            inner = indent + "    "
            if not self.body:
                yield inner + "pass"
            for statement in self.body:
                yield from statement.lines(inner)
        for clause in self.follow:
            yield from clause.lines(indent)


def logical_lines(text):
    """(indentation, text in one line) of each statement's head; comments and
    empty lines are dropped."""
    line, depth, indent = "", 0, 0
    at_start = True
    for match in TOKEN.finditer(text + "\n"):
        kind, part = match.lastgroup, match[0]
        if kind == "newline" and depth == 0:
            if line.strip():
                yield indent, line.rstrip()
            line, at_start, indent = "", True, 0
            continue
        if kind == "comment":
            continue
        if at_start:
            if kind == "space":
                indent = len(part.expandtabs(8))
                continue
            at_start = False
        if kind == "operator":
            depth += (part in OPENING) - (part in CLOSING)
        line += " " if kind == "newline" or "\\\n" in part else part
    if line.strip():
        yield indent, line.rstrip()


def parse(text):
    """The statements of a program's top level."""
    root = []
    stack = [(-1, root)]  # (indentation of the block's owner, its statements)
    pending = []  # decorators
    for indent, line in logical_lines(text):
        if line.startswith("@"):
            pending.append(line)
            continue
        while stack[-1][0] >= indent:
            stack.pop()
        statement = Statement([*pending, line])
        pending = []
        block = stack[-1][1]
        if re.match(r"(elif|else)\b", line) and block:
            block[-1].follow.append(statement)
        else:
            block.append(statement)
        stack.append((indent, statement.body))
    return root


def text_of(statements):
    return "".join(line + "\n" for statement in statements for line in statement.lines())


def walk(statements, depth=0):
    """(statement, the list that holds it, its depth), outer ones first."""
    for statement in list(statements):
        yield statement, statements, depth
        yield from walk(statement.body, depth + 1)
        for clause in statement.follow:
            yield clause, statement.follow, depth
            yield from walk(clause.body, depth + 1)

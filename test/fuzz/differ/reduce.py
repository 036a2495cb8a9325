"""Makes a program that shows a difference small, keeping the difference.

Lines with what is indented under them are left out, blocks take the place of
their headers, expressions that of the expressions round them, and extents
shrink. A smaller program counts only if the interpreter and --check=races
still accept it: undefined programs may differ.
"""
import re

from compare import difference
from configurations import Configuration

WATCHED = Configuration(("-O0", "--float=strict", "--check=races"), 2)


class Reduction:
    def __init__(self, place, finding, floats, avoid, deadline):
        self.place, self.finding, self.floats, self.avoid = place, finding, floats, avoid
        self.deadline, self.tries = deadline, 0

    def shows(self, text):
        """Whether a program still differs in the same way."""
        self.tries += 1
        self.place.take(text)
        oracle = self.place.oracle()
        if self.finding.kind == "interpreter":
            return self.finding._replace(expected=oracle, found=oracle) if oracle.isCrash else None
        if self.finding.kind not in ("crash", "hang", "compile") or oracle.status:
            if oracle.status != self.finding.expected.status or oracle.isCrash \
                    or "error[E" in oracle.errors:
                return None
        found = difference(self.place, self.finding.way, oracle, self.floats, self.avoid)
        if found is None or found.kind != self.finding.kind:
            return None
        if found.kind in ("output", "status"):
            _, watched = self.place.native(WATCHED)
            if watched.status not in (0, oracle.status) or watched.output != oracle.output \
                    and self.finding.way.build != WATCHED.build \
                    and "races" in watched.errors:
                return None
        return found

    def run(self, text):
        """The smallest program that was found, and its finding."""
        best = self.finding
        isSmaller = True
        while isSmaller and not self.deadline():
            isSmaller = False
            for attempts in (self.shorter, self.flatter, self.simpler):
                position = 0
                while not self.deadline():
                    smaller = None
                    for position, candidate in attempts(text, position):
                        if self.deadline():
                            break
                        found = self.shows(candidate)
                        if found:
                            smaller, best, text = candidate, found, candidate
                            isSmaller = True
                            break
                    if smaller is None:
                        break
        return text, best

    # Each yields (where it was, a smaller text) from a position on, so that
    # what is known to be needed is not tried again at once.
    @staticmethod
    def extentOf(lines, first):
        """The end of the block that begins with a line."""
        depth = len(lines[first]) - len(lines[first].lstrip())
        last = first + 1
        while last < len(lines) and (not lines[last].strip() or len(lines[last])
                                     - len(lines[last].lstrip()) > depth):
            last += 1
        return last

    def shorter(self, text, start):
        lines = text.splitlines()
        for first in range(start, len(lines)):
            last = self.extentOf(lines, first)
            if lines[first] == "@kernel" and first + 1 < len(lines):
                last = self.extentOf(lines, first + 1)
            kept = lines[:first] + lines[last:]
            yield first, "\n".join(kept) + "\n"

    def flatter(self, text, start):
        """The body of a block alone."""
        lines = text.splitlines()
        for first in range(start, len(lines)):
            if not re.match(r"\s+(if|for|while|elif|else)\b.*:$", lines[first]):
                continue
            last = self.extentOf(lines, first)
            body = [line[4:] for line in lines[first + 1:last]]
            yield first, "\n".join(lines[:first] + body + lines[last:]) + "\n"

    def simpler(self, text, start):
        """Parts of expressions instead of the whole."""
        for match in re.finditer(r"\(", text):
            first = match.start()
            if first < start:
                continue
            last = closing(text, first)
            inner = text[first + 1:last]
            if last < 0 or "\n" in inner or text[max(0, first - 6):first].endswith("field"):
                continue
            name = re.search(r"[A-Za-z_][\w.]*$", text[:first])
            begin = name.start() if name and name[0] not in ("in", "if", "and", "or", "not") else first
            for part in [*parts(inner), "0", "1", "True"]:
                if part.strip() and len(part) < last + 1 - begin:
                    yield begin, text[:begin] + part.strip() + text[last + 1:]
        for match in re.finditer(r"(?<![\w.])\d{2,}(?![\w.])", text):
            if match.start() >= start and int(match[0]) > 16:
                for value in (int(match[0]) // 2, int(match[0]) - 1):
                    yield match.start(), text[:match.start()] + str(value) + text[match.end():]


def closing(text, first):
    depth = 0
    for at in range(first, len(text)):
        depth += text[at] in "(["
        depth -= text[at] in ")]"
        if depth == 0:
            return at
    return -1


def parts(text):
    """The operands and arguments of what stands in brackets."""
    found, depth, begin = [], 0, 0
    words = re.compile(r", | (?:\+|-|\*\*|\*|//|/|%|&|\||\^|<<|>>|<=|>=|==|!=|<|>|and|or|if|else) ")
    at = 0
    while at < len(text):
        depth += text[at] in "(["
        depth -= text[at] in ")]"
        match = words.match(text, at) if depth == 0 else None
        if match:
            found.append(text[begin:at])
            at = begin = match.end()
        else:
            at += 1
    return [*found, text[begin:]]

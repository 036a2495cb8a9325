#!/usr/bin/env python3
"""Classes of the front stay small enough to read.

A class in a header of AST, Parse or Sema has at most 40 member functions,
constructors included, nested classes apart. large_classes.txt names those that
have more, each with the number that it has.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOMS = ("AST", "Parse", "Sema")
MEMBERS = 40
# What has parentheses in a class and declares no member function.
OTHER = re.compile(r"\s*(?:using|friend|static_assert|typedef|enum|#)\b")


def plain(text):
    """The text without comments, strings and lines of the preprocessor."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r'"(?:\\.|[^"\\\n])*"|' + r"'(?:\\.|[^'\\\n])'", '""', text)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)


def end_of(text, at):
    """The place behind the brace that closes the one at `at`."""
    depth = 0
    for place in range(at, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return place + 1
    return len(text)


def is_function(declaration):
    """Does a declaration at the top of a class declare a function?"""
    while True:
        shorter = re.sub(r"<[^<>]*>", "", declaration)
        if shorter == declaration:
            break
        declaration = shorter
    return not OTHER.match(declaration) and bool(re.search(r"(?:\w|operator\S{1,3})\s*\(", declaration))


def members(body):
    """The number of member functions that a class with this body declares."""
    count, start, at = 0, 0, 0
    while at < len(body):
        if body[at] == "{":
            head = body[start:at]
            isNested = re.match(r"\s*(?:class|struct|union|enum)\b", head)
            at = end_of(body, at)
            if not isNested and is_function(head):
                count += 1
                start = at
            continue
        if body[at] == ";":
            count += is_function(body[start:at])
            start = at + 1
        elif body[at] == ":" and re.fullmatch(r"\s*(?:public|private|protected)\s*", body[start:at]):
            start = at + 1
        at += 1
    return count


def classes(text):
    """(name, member functions) of each class of a header."""
    text = plain(text)
    for head in re.finditer(r"\b(?:class|struct)\s+(\w+)[^;{}()]*\{", text):
        yield head[1], members(text[head.end():end_of(text, head.end() - 1) - 1])


def main():
    limits, bad = {}, []
    for line in (ROOT / "test/house/large_classes.txt").read_text().splitlines():
        words = line.split("#")[0].split()
        if words:
            limits[words[0], words[1]] = int(words[2])
    seen = {}
    for room in ROOMS:
        for file in sorted((ROOT / "src/chi" / room).rglob("*.h")):
            name = str(file.relative_to(ROOT))
            for each, count in classes(file.read_text()):
                seen[name, each] = count
                if count > limits.get((name, each), MEMBERS):
                    bad.append(f"{name}: {each} has {count} member functions, at most "
                               f"{limits.get((name, each), MEMBERS)}")
    for key in sorted(limits):
        if seen.get(key, 0) <= MEMBERS:
            bad.append(f"large_classes.txt: {' '.join(key)} needs no line (any more)")
    if "--all" in sys.argv:
        for (name, each), count in sorted(seen.items(), key=lambda item: -item[1])[:20]:
            print(count, each, name)
    print("\n".join(bad))
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()

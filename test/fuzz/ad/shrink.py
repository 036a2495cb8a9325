"""Smaller programs of which the same is true."""


def blocks(lines):
    """(first, past the last) of each statement with what is indented below it."""
    for first, line in enumerate(lines):
        if not line.strip():
            continue
        depth, last = len(line) - len(line.lstrip()), first + 1
        while last < len(lines) and (not lines[last].strip()
                                     or len(lines[last]) - len(lines[last].lstrip()) > depth):
            last += 1
        yield first, last


def shrink(text, holds, isOver):
    """Leaves out statements for as long as `holds(text)`."""
    lines = text.splitlines()
    isSmaller = True
    while isSmaller and not isOver():
        isSmaller = False
        for first, last in sorted(blocks(lines), key=lambda b: b[0] - b[1]):
            if isOver():
                break
            rest = lines[:first] + lines[last:]
            if lines[first].strip() and holds("\n".join(rest) + "\n"):
                lines, isSmaller = rest, True
                break
    return "\n".join(lines) + "\n"

"""Simpler forms of one line: parts of expressions, numbers, types."""
from .program import CLOSING, OPENING, Token, joined, tokens_of

WORDS = {"and", "or", "not", "if", "else", "in", "is"}
OPERATORS = {"+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^", "<", ">", "<=", ">=",
             "==", "!=", "~", *WORDS}
STEPS = {"+=": "=", "-=": "+=", "*=": "+=", "/=": "+=", "//=": "+=", "%=": "+=", "&=": "+=",
         "|=": "+=", "^=": "+=", "<<=": "+=", ">>=": "+=", "**=": "+="}
SIMPLER_TYPES = {"f64": "f32", "f16": "f32", "i64": "i32", "u64": "i32", "u32": "i32",
                 "i16": "i32", "u16": "i32", "i8": "i32", "u8": "i32", "bool": "i32"}


def partners(tokens):
    """For each bracket the place of its other half."""
    found, opened = {}, []
    for i, token in enumerate(tokens):
        if token.text in OPENING and token.kind == "operator":
            opened.append(i)
        elif token.text in CLOSING and token.kind == "operator" and opened:
            start = opened.pop()
            found[start], found[i] = i, start
    return found


def segments(tokens, match, start, end):
    """[from, to) of what commas, colons and assignments part in tokens[start:end]."""
    pieces, begin, i = [], start, start
    while i < end:
        if i in match and match[i] > i:
            i = match[i]
        elif tokens[i].text in (",", ":", "=", "->") or tokens[i].text in STEPS:
            pieces.append((begin, i))
            begin = i + 1
        i += 1
    pieces.append((begin, end))
    return [(a, b) for a, b in pieces if a < b]


def operands(tokens, match, start, end):
    """[from, to) of the operands of a segment; operators stand between them."""
    runs, begin, i = [], start, start
    while i < end:
        if i in match and match[i] > i:
            i = match[i]
        elif tokens[i].text in OPERATORS:
            if begin < i:
                runs.append((begin, i))
            begin = i + 1
        i += 1
    if begin < end:
        runs.append((begin, end))
    return runs


def groups(tokens, match):
    """The line as a whole, then the insides of brackets."""
    yield 0, len(tokens)
    for start, end in sorted(match.items()):
        if start < end:
            yield start + 1, end


def splice(tokens, start, end, parts):
    """tokens[start:end] replaced; the first part stands where the first one stood."""
    if parts and start < len(tokens):
        parts = [Token(parts[0].kind, parts[0].text, tokens[start].space), *parts[1:]]
    return tokens[:start] + parts + tokens[end:]


def without_elements(tokens, match):
    """One of several elements left out, with a comma."""
    for start, end in groups(tokens, match):
        commas = [i for i in range(start, end) if tokens[i].text == "," and
                  not any(a < i < b for a, b in match.items() if a < b and start <= a and b < end)]
        bounds = [start - 1, *commas, end]
        if not commas:
            if start and end > start:
                yield tokens[:start] + tokens[end:]
            continue
        for i in range(len(bounds) - 1):
            if i + 1 < len(bounds) - 1:
                yield splice(tokens, bounds[i] + 1, bounds[i + 2],
                             tokens[bounds[i + 1] + 1:bounds[i + 2]])
            else:
                yield tokens[:bounds[i]] + tokens[bounds[i + 1]:]


def smaller_sums(tokens, match):
    """Of `a + b * c`: each shorter run of operands."""
    for start, end in groups(tokens, match):
        for begin, finish in segments(tokens, match, start, end):
            runs = operands(tokens, match, begin, finish)
            count = len(runs)
            if count == 1 and runs[0] != (begin, finish):  # -x, not x
                yield splice(tokens, begin, finish, tokens[runs[0][0]:runs[0][1]])
            for length in range(1, count):
                if length not in (1, 2, count // 2, count - 1):
                    continue
                for first in range(count - length + 1):
                    keep = tokens[runs[first][0]:runs[first + length - 1][1]]
                    yield splice(tokens, begin, finish, keep)


def without_brackets(tokens, match):
    """`f(a, b)` to `a` or `b`; `(a)` to `a`; `x.f(a)` to `x`."""
    for start, end in sorted(match.items()):
        if start > end or tokens[start].text != "(":
            continue
        callee = start
        while callee and (tokens[callee - 1].kind == "name" or tokens[callee - 1].text == ".") \
                and tokens[callee - 1].text not in WORDS | {"def", "for", "return"}:
            callee -= 1
        for a, b in segments(tokens, match, start + 1, end):
            yield splice(tokens, callee, end + 1, tokens[a:b])
        for i in range(start - 1, callee, -1):
            if tokens[i - 1].text == ".":
                yield tokens[:i - 1] + tokens[end + 1:]


def smaller_number(text):
    """Candidates, the boldest first; by halves down to what matters."""
    if text.isdigit():
        value = int(text)
        tried = [0, 1, 2]
        step = value // 2
        while step:
            tried.append(value - step)
            step //= 2
        return [str(v) for v in dict.fromkeys(tried) if v < value]
    short = [t for t in ("0.0", "1.0", "0.5") if t != text]
    return [t for t in short if len(t) < len(text) or t == "0.0"] if "." in text else ["1"]


def constants(tokens, match):
    """Operands become numbers, numbers smaller, types common ones."""
    for i, token in enumerate(tokens):
        if token.kind == "number":
            for text in smaller_number(token.text):
                yield with_text(tokens, i, text)
        elif token.text in SIMPLER_TYPES:
            yield with_text(tokens, i, SIMPLER_TYPES[token.text])
        elif token.text in STEPS:
            yield with_text(tokens, i, STEPS[token.text])
    for start, end in groups(tokens, match):
        for begin, finish in segments(tokens, match, start, end):
            for a, b in [(begin, finish), *operands(tokens, match, begin, finish)]:
                if b - a > 1 or tokens[a].kind == "name":
                    for text in ("0", "1"):
                        yield splice(tokens, a, b, [Token("number", text)])


def with_text(tokens, i, text):
    return tokens[:i] + [Token(tokens[i].kind, text, tokens[i].space)] + tokens[i + 1:]


def simpler_lines(line):
    """Other texts for a line, each once."""
    tokens = tokens_of(line)
    match = partners(tokens)
    start = tokens[0].text if tokens else ""
    seen = {joined(tokens)}
    for way in (without_elements, smaller_sums, without_brackets, constants):
        for candidate in way(tokens, match):
            text = joined(candidate).strip()
            # A decorator stays one.
            if text and text not in seen and (start != "@" or text[0] == "@"):
                seen.add(text)
                yield text

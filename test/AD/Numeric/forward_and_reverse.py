"""Forward mode against tapes: forward_and_reverse.py CHIC FLAGS FILE...

For each tape of a program, <gradient, w> has to be the tangent of the loss in
the direction w, which is the marked fields themselves plus a pattern. Each file
becomes two programs that print these numbers: one with its tapes, one with
`with Forward():` in their place. Of the tapes at one line, and of those in one
test, the first one counts: what follows depends on gradients."""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FIELD = re.compile(r"^(\w+) = field\((.*)\)\s*(#.*)?$", re.M)
TAPE = re.compile(r"^( *)with Tape\((?:loss=)?(\w+)((?:, keep=True)?)\):\s*(#.*)?$")
NARROW = ("f16", "bf16", "hvec", "bvec")


def rank_of(arguments):
    shape = re.search(r"shape=(\((?:[^()]|\([^()]*\))*\)|[^,]+)", arguments)
    if not shape:
        return 0
    text = shape[1]
    return text.count(",") + 1 if text.startswith("(") else 1


def directions(marked):
    """Fields and kernels for the directions."""
    lines = []
    for name, arguments in marked.items():
        rank = rank_of(arguments)
        axes = ", ".join("ijklmn"[:rank])
        plain = re.sub(r", (grad|dual)=True", "", arguments)
        lines += [f"{name}__w = field({plain})", "@kernel", f"def {name}__direct():"]
        if rank == 0:
            lines.append(f"    {name}__w[None] += 0.3")
        else:
            lines += [f"    for {axes} in {name}__w:", f"        {name}__w[{axes}] += 0.3 + 0.1 * (i % 3)"]
    return lines


def program(text, marked, losses, is_forward):
    out, closing = [], None
    # A script ends behind its first tape: what follows depends on gradients.
    ending = "" if is_test(text) else "\nexit()"
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        indent = len(line) - len(line.lstrip())
        if closing and stripped and not stripped.startswith("#") and indent <= closing[0]:
            out += [" " * closing[0] + each for each in (closing[1] + ending).split("\n")]
            closing = None
        made = FIELD.match(line)
        if made:
            name, arguments = made[1], made[2]
            if (name in marked or name in losses) and is_forward and "dual=" not in arguments:
                arguments += ", dual=True"
            out.append(f"{name} = field({arguments})")
            continue
        tape = TAPE.match(line)
        if not tape:
            out.append(line)
            continue
        space, loss = tape[1], tape[2]
        for name in marked:
            out += [f"{space}{name}__w.copy_from({name})", f"{space}{name}__direct()"]
        if is_forward:
            if not tape[3]:
                out.append(f"{space}{loss}.fill(0)")
            out.append(f"{space}{loss}.dual.fill(0)")
            out += [f"{space}{name}.dual.copy_from({name}__w)" for name in marked]
            out.append(f"{space}with Forward():")
            closing = (indent, f'print("at", {number}, f"{{{loss}.dual[None]:.17g}}")')
        else:
            out.append(line)
            dots = " + ".join(f"{name}.grad.dot({name}__w)" for name in marked)
            closing = (indent, f'print("at", {number}, f"{{{dots}:.17g}}")')
    # Behind the fields, before what is run.
    last = max(k for k, line in enumerate(out) if FIELD.match(line))
    out[last + 1:last + 1] = directions(marked)
    if closing:
        out.append(" " * closing[0] + closing[1])
    return "\n".join(out) + "\n"


def is_test(text):
    return bool(re.search(r'^test "', text, re.M))


def run(chic, flags, text, path):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / path.name
        file.write_text(text)
        verb = "test" if is_test(text) else "run"
        done = subprocess.run([chic, verb, "--check=none", str(file), *flags], cwd=path.parent,
                              capture_output=True, text=True, timeout=600)
    found = {}
    for line in done.stdout.split("\n"):
        at = re.search(r"\bat (\d+) (\S+)$", line)
        if at and int(at[1]) not in found:
            found[int(at[1])] = float(at[2])
    return found, done


def is_first(text, number):
    """Is the tape the first one of its test, or outside of all?"""
    for line in reversed(text.split("\n")[:number - 1]):
        if TAPE.match(line):
            return False
        if line.startswith(("test ", "def ")):
            return True
    return True


def judge(chic, flags, path):
    text = path.read_text()
    marked = {m[1]: m[2] for m in FIELD.finditer(text) if "grad=True" in m[2]}
    losses = {m[2] for m in map(TAPE.match, text.split("\n")) if m}
    unfit = ("with Forward" in text or re.search(r"Tape\(.*\n *with Tape", text) or
             len(marked) != text.count("grad=True") or not losses or
             any(word in m for m in marked.values() for word in NARROW))
    if unfit:
        return "unfit", 0, []
    reverse, first = run(chic, flags, program(text, marked, losses, False), path)
    forward, second = run(chic, flags, program(text, marked, losses, True), path)
    if "error[E1021]" in second.stderr:
        return "refused", 0, []
    if not reverse or not forward:
        return "silent", 0, [first.stderr[-2000:] + second.stdout[-500:] + second.stderr[-2000:]]
    bad, count = [], 0
    tolerance = 1e-9 if "f32" not in text and "vec2" not in text.replace("dvec2", "") else 2e-3
    for number, value in reverse.items():
        if number not in forward or not is_first(text, number):
            continue
        count += 1
        if value == value and not abs(forward[number] - value) <= tolerance * max(1, abs(value)):
            bad.append(f"{path.name}:{number}: tape {value}, forward {forward[number]}")
    return "compared", count, bad


def main():
    chic, flags = sys.argv[1], sys.argv[2].split()
    total, tally, wrong = 0, {}, []
    for name in sys.argv[3:]:
        kind, count, bad = judge(chic, flags, Path(name))
        tally.setdefault(kind, []).append(Path(name).stem)
        total += count
        wrong += bad
    print(f"{total} tapes compared, {len(wrong)} wrong")
    for kind in sorted(tally):
        print(f"{kind}: {', '.join(sorted(tally[kind]))}")
    sys.exit("\n".join(wrong) if wrong else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Random tasks with indices of all kinds: what `chi-remove-checks` leaves must
fail for exactly the inputs that fail with every check in place, and no
operation that it marked `overflow<nsw>` may overflow where it is used.

  fuzz_ranges.py CHI-OPT [--seed N] [--tasks N]
"""
import argparse
import random
import re
import subprocess
import sys


class Fail(Exception):
    pass


class Poison:
    pass


POISON = Poison()
EXTENTS = [1, 2, 7, 16, 100]


# -- making tasks ------------------------------------------------------------
class Maker:
    def __init__(self, rng, number):
        self.rng, self.number, self.count = rng, number, 0
        self.lines, self.ints = [], []

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def emit(self, depth, text):
        self.lines.append("  " * depth + text)

    def constant(self, depth, value):
        name = self.fresh()
        self.emit(depth, f"{name} = arith.constant {value} : i32")
        return name

    def pick(self, names):
        # Recent values more often: expressions become deep.
        if self.rng.random() < 0.6:
            return self.rng.choice(names[-4:])
        return self.rng.choice(names)

    def condition(self, depth, names):
        rng = self.rng
        name = self.fresh()
        if rng.random() < 0.7:
            p = rng.choice("slt sle sgt sge eq ne ult ule ugt uge".split())
            other = self.pick(names)
            if rng.random() < 0.6:
                other = self.constant(depth, rng.choice([-1, 0, 1, 5, 7, 15, 16, 99]))
            self.emit(depth, f"{name} = arith.cmpi {p}, {self.pick(names)}, {other} : i32")
        else:
            a, b = self.condition(depth, names), self.condition(depth, names)
            self.emit(depth, f"{name} = arith.{rng.choice(['andi', 'ori'])} {a}, {b} : i1")
        return name

    def value(self, depth, names):
        rng = self.rng
        kind = rng.random()
        name = self.fresh()
        a = self.pick(names)
        if kind < 0.45:
            b = self.pick(names)
            if rng.random() < 0.6:
                b = self.constant(depth, rng.choice([0, 1, 2, 3, 7, 16, -1, -5, 100, 2**31 - 1, -2**31]))
            self.emit(depth, f"{name} = arith.{rng.choice(['addi', 'subi', 'addi', 'subi', 'muli'])} {a}, {b} : i32")
        elif kind < 0.7:
            c = self.constant(depth, rng.choice([1, 2, 3, 7, 16, 100, -3]))
            op = rng.choice(["chi.floordiv", "chi.floormod", "chi.floormod", "arith.divsi", "arith.remsi",
                             "arith.divui", "arith.remui"])
            self.emit(depth, f"{name} = {op} {a}, {c} : i32")
        elif kind < 0.85:
            b = self.constant(depth, rng.choice([0, 1, 6, 15, 99])) if rng.random() < .7 else self.pick(names)
            op = rng.choice(["minsi", "maxsi", "minui", "maxui", "andi", "ori", "xori"])
            self.emit(depth, f"{name} = arith.{op} {a}, {b} : i32")
        elif kind < 0.92:
            c = self.constant(depth, rng.choice([0, 1, 4, 31]))
            self.emit(depth, f"{name} = arith.{rng.choice(['shli', 'shrsi', 'shrui'])} {a}, {c} : i32")
        else:
            c = self.condition(depth, names)
            self.emit(depth, f"{name} = arith.select {c}, {a}, {self.pick(names)} : i32")
        return name

    def access(self, depth, names):
        name = self.fresh()
        i = self.pick(names)
        f = self.rng.randrange(3)
        kind = self.rng.random()
        if kind < 0.6:
            # Mostly inside, or a run would end at the first access.
            size = {0: 16, 1: 100, 2: self.rng.choice([1, 2, 7])}[f] + self.rng.choice([0, 0, -1, -2, 1])
            c = self.constant(depth, max(size, 1))
            j = self.fresh()
            self.emit(depth, f"{j} = chi.floormod {i}, {c} : i32")
            i = j
            if kind < 0.3:
                names.append(j)
                c = self.constant(depth, self.rng.choice([1, 2, -1, 3]))
                i = self.fresh()
                self.emit(depth, f"{i} = arith.{self.rng.choice(['addi', 'subi'])} {j}, {c} : i32")
        shape = {0: "16", 1: "100", 2: "?"}[f]
        place = " loc(#place)" if self.rng.random() < 0.3 else ""
        self.emit(depth, f"{name} = chi.load %f{f}[{i} : i32] : !chi.field<{shape}xi32> -> i32{place}")
        # Neighbours, as an unrolled loop has them: such checks are merged.
        if place and self.rng.random() < 0.5:
            for offset in (1, 2):
                c = self.constant(depth, offset)
                k, v = self.fresh(), self.fresh()
                self.emit(depth, f"{k} = arith.addi {i}, {c} : i32")
                self.emit(depth, f"{v} = chi.load %f{f}[{k} : i32] : !chi.field<{shape}xi32> -> i32{place}")
        return name

    def block(self, depth, names, nesting):
        names = list(names)
        for _ in range(self.rng.randint(2, 6)):
            kind = self.rng.random()
            if kind < 0.5:
                names.append(self.value(depth, names))
            elif kind < 0.75:
                names.append(self.access(depth, names))
            elif nesting < 3 and kind < 0.88:
                c = self.condition(depth, names)
                r = self.fresh()
                self.emit(depth, f"{r} = scf.if {c} -> (i32) {{")
                then = self.block(depth + 1, names, nesting + 1)
                self.emit(depth + 1, f"scf.yield {self.pick(then)} : i32")
                self.emit(depth, "} else {")
                other = self.block(depth + 1, names, nesting + 1)
                self.emit(depth + 1, f"scf.yield {self.pick(other)} : i32")
                self.emit(depth, "}")
                names.append(r)
            elif nesting < 3:
                lo = self.constant(depth, self.rng.choice([-2, 0, 1]))
                hi = self.constant(depth, self.rng.choice([0, 3, 7]))
                if self.rng.random() < 0.5:
                    cap = self.fresh()
                    self.emit(depth, f"{cap} = arith.minsi {self.pick(names)}, {hi} : i32")
                    hi = cap
                step = self.constant(depth, self.rng.choice([1, 1, 1, 2]))
                r, k, arg = self.fresh(), self.fresh(), self.fresh()
                self.emit(depth, f"{r} = scf.for {k} = {lo} to {hi} step {step} iter_args({arg} = {self.pick(names)}) -> (i32) : i32 {{")
                body = self.block(depth + 1, names + [arg, k], nesting + 1)
                self.emit(depth + 1, f"scf.yield {self.pick(body)} : i32")
                self.emit(depth, "}")
                names.append(r)
        return names

    def task(self):
        n = self.number
        lo, hi = self.rng.choice([(0, 5), (1, 15), (0, 16), (-3, 3)])
        self.emit(0, f"func.func @c{n}(%f0: !chi.field<16xi32>, %f1: !chi.field<100xi32>, %f2: !chi.field<?xi32>, %a: i32, %b: i32) attributes {{chi.control}} {{")
        self.emit(1, f"%lo = arith.constant {lo} : i32")
        self.emit(1, f"%hi = arith.constant {hi} : i32")
        self.emit(1, f"chi.launch @t{n}(%f0, %f1, %f2, %a, %b : !chi.field<16xi32>, !chi.field<100xi32>, !chi.field<?xi32>, i32, i32) from (%lo : i32) to (%hi : i32)")
        self.emit(1, "return")
        self.emit(0, "}")
        self.emit(0, f"chi.task @t{n} (%f0: !chi.field<16xi32>, %f1: !chi.field<100xi32>, %f2: !chi.field<?xi32>, %a: i32, %b: i32) (%i: i32) {{")
        d = self.fresh()
        self.emit(1, f"{d} = chi.dim %f2, 0 : !chi.field<?xi32> -> i32")
        self.block(1, ["%a", "%b", d, "%i"], 0)
        self.emit(1, "chi.next")
        self.emit(0, "}")
        return (lo, hi)


# -- reading and running them ------------------------------------------------
def parse(lines, at):
    """Statements up to the closing brace: (text, [blocks])."""
    block = []
    while True:
        line = lines[at].strip()
        at += 1
        if line == "}" or line.startswith("} else"):
            return block, at, line
        if line.endswith("{"):
            blocks = []
            inner, at, end = parse(lines, at)
            blocks.append(inner)
            while end.startswith("} else"):
                inner, at, end = parse(lines, at)
                blocks.append(inner)
            block.append((line, blocks))
        elif line:
            block.append((line, []))


def tasks_of(text):
    lines = text.splitlines()
    found = {}
    for at, line in enumerate(lines):
        m = re.match(r"\s*chi\.task @(\w+)\((.*)\) \((%\w+): i32\)", line)
        if m:
            args = re.findall(r"(%[\w-]+):", m[2]) + [m[3]]
            found[m[1]] = (args, parse(lines, at + 1)[0])
    return found


def wrap(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if bits > 1 and value >> (bits - 1) else value


def trunc_div(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


class Runner:
    def __init__(self, env, extent):
        self.env, self.extent, self.steps = env, extent, 0

    def get(self, name):
        return self.env[name]

    def solid(self, name):
        value = self.env[name]
        if value is POISON:
            raise AssertionError(f"{name} overflows where it is used")
        return value

    def run(self, block):
        for line, blocks in block:
            self.steps += 1
            if self.steps > 20000:
                raise Fail("too long")
            if line.startswith("scf.yield"):
                return [self.get(v) for v in re.findall(r"%[\w#-]+", line)]
            self.statement(line, blocks)
        return []

    def statement(self, line, blocks):
        m = re.match(r"(?:(%[\w-]+)(?::\d+)? = )?([\w.]+)\s+(.*)", line)
        if not m:
            m = re.match(r"()([\w.]+)()", line)
        if not m:
            raise SystemExit(f"cannot read: {line}")
        result, op, rest = m[1], m[2], m[3]
        names = re.findall(r"%[\w#-]+", rest)
        if op == "scf.if":
            values = self.run(blocks[0]) if self.solid(names[0]) else self.run(blocks[1]) if len(blocks) > 1 else []
            if result:
                self.env[result] = values[0]
            return
        if op == "scf.for":
            k, lo, hi, step = names[:4]
            carried = self.get(names[5]) if "iter_args" in rest else None
            at = self.solid(lo)
            while at < self.solid(hi):
                self.env[k] = at
                if carried is not None:
                    self.env[names[4]] = carried
                out = self.run(blocks[0])
                carried = out[0] if out else None
                at += self.solid(step)
            if result:
                self.env[result] = carried
            return
        if op == "chi.check":
            if not self.solid(names[0]):
                raise Fail("check")
            return
        if op == "chi.load":
            field, index = names[0], self.solid(names[1])
            extent = self.extent[field]
            if not 0 <= index < extent:
                raise AssertionError(f"load outside: {field}[{index}] of {extent}")
            self.env[result] = wrap(index * 2654435761 + extent, 32) >> (index % 30)
            return
        if op == "chi.next":
            return
        if op == "chi.dim":
            self.env[result] = self.extent[names[0]]
            return
        self.env[result] = self.compute(op, rest, [self.get(n) for n in names])

    def compute(self, op, rest, v):
        if op == "arith.constant":
            word = rest.split()[0]
            return {"true": 1, "false": 0}.get(word) if word in ("true", "false") else int(word)
        if op == "arith.select":
            return POISON if v[0] is POISON else v[1] if v[0] else v[2]
        if any(x is POISON for x in v):
            return POISON
        bits = int(re.search(r": i(\d+)", rest)[1])
        if op == "arith.extsi":
            return v[0]
        a, b = v
        ua, ub = a & ((1 << bits) - 1), b & ((1 << bits) - 1)
        if op == "arith.cmpi":
            p = rest.split(",")[0]
            x, y = (ua, ub) if p[0] == "u" else (a, b)
            return int({"eq": x == y, "ne": x != y}.get(p, {"lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}.get(p[1:])))
        exact = {
            "arith.addi": lambda: a + b, "arith.subi": lambda: a - b, "arith.muli": lambda: a * b,
            "arith.divsi": lambda: trunc_div(a, b), "arith.remsi": lambda: a - b * trunc_div(a, b),
            "arith.divui": lambda: ua // ub, "arith.remui": lambda: ua % ub,
            "chi.floordiv": lambda: a // b, "chi.floormod": lambda: a % b,
            "arith.minsi": lambda: min(a, b), "arith.maxsi": lambda: max(a, b),
            "arith.minui": lambda: min(ua, ub), "arith.maxui": lambda: max(ua, ub),
            "arith.andi": lambda: a & b, "arith.ori": lambda: a | b, "arith.xori": lambda: a ^ b,
            "arith.shli": lambda: a << ub, "arith.shrsi": lambda: a >> ub, "arith.shrui": lambda: ua >> ub,
        }[op]()
        if "overflow<nsw>" in rest and wrap(exact, bits) != exact:
            return POISON
        return wrap(exact, bits)


def outcome(task, values, extent):
    args, block = task
    try:
        Runner(dict(zip(args, values)), dict(zip(args[:3], (16, 100, extent)))).run(block)
        return "ends"
    except Fail as fail:
        return str(fail)


def optimised(opt, text, flags):
    done = subprocess.run([opt, *flags], input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{opt} {flags} failed:\n{done.stderr[:2000]}")
    return done.stdout


def main():
    args = argparse.ArgumentParser()
    args.add_argument("opt")
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--tasks", type=int, default=150)
    args = args.parse_args()
    rng = random.Random(args.seed)
    text, domains = [], {}
    for number in range(args.tasks):
        maker = Maker(rng, number)
        domains[f"t{number}"] = maker.task()
        text += maker.lines
    text = "\n".join(text) + '\n#place = loc("t.chi":1:1)\n'
    all_checks = optimised(args.opt, text, ["--chi-launch-facts", "--chi-insert-checks"])
    few_checks = optimised(args.opt, text, ["--chi-launch-facts", "--chi-insert-checks", "--chi-remove-checks"])
    before, after = tasks_of(all_checks), tasks_of(few_checks)
    bad = runs = failing = 0
    for name, (lo, hi) in domains.items():
        for _ in range(25):
            numbers = [rng.choice([0, 1, 2, 5, 15, 16, 99, 100, -1, -2**31, 2**31 - 1, rng.randint(-2**31, 2**31 - 1)])
                       for _ in range(2)]
            extent = rng.choice(EXTENTS)
            values = [None] * 3 + numbers + [rng.randint(lo, hi - 1)]
            want = outcome(before[name], values, extent)
            runs += 1
            failing += want == "check"
            try:
                got = outcome(after[name], values, extent)
            except AssertionError as error:
                got = str(error)
            if want != got and bad < 5:
                bad += 1
                print(f"{name} {values[3:]} extent {extent}: {want} before, {got} after")
    checks = all_checks.count("chi.check"), few_checks.count("chi.check")
    print(f"{runs} runs, {failing} with a failing check, checks {checks[0]} -> {checks[1]}, "
          f"{few_checks.count('<nsw>')} exact, {'FAILED' if bad else 'passed'}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

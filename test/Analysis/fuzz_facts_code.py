"""Random operations for fuzz_facts.py: their text, and what they do."""
import re

from fuzz_facts_numbers import BINARY, COMPARE, WIDTHS, WRAPPING, Stop, number, unsigned, wrap


class Access:
    def __init__(self, line, field):
        self.line, self.field = line, field


class Maker:
    """Writes lines and keeps, for each, what it does: a list of functions of
    the environment, the questions' and the accesses' observers."""

    def __init__(self, rng, lines, task):
        self.rng, self.lines, self.task, self.count = rng, lines, task, 0
        self.types, self.accesses = {}, []
        self.loops, self.in_loops = 0, set()

    def emit(self, depth, text):
        self.lines.append("  " * depth + text)
        return len(self.lines)

    def fresh(self, width):
        self.count += 1
        name = f"v{self.count}"
        self.types[name] = width
        return name

    def pick(self, names, width):
        fitting = [n for n in names if self.types[n] == width]
        if not fitting:
            return None
        return self.rng.choice(fitting[-5:] if self.rng.random() < 0.6 else fitting)

    def constant(self, depth, body, width, value=None):
        value = number(self.rng, width) if value is None else value
        name = self.fresh(width)
        self.emit(depth, f"%{name} = arith.constant {value} : i{width}")
        body.append(lambda run: run.env.__setitem__(name, value))
        return name

    def operand(self, depth, body, names, width):
        found = self.pick(names, width) if self.rng.random() < 0.65 else None
        return found or self.constant(depth, body, width)

    def binary(self, depth, body, names):
        rng = self.rng
        width = rng.choice(WIDTHS)
        op = rng.choice(["arith.addi"] * 4 + ["arith.subi"] * 4 + ["arith.muli"] * 2 + list(BINARY))
        a = self.pick(names, width) or self.constant(depth, body, width)
        # Most divisors and shifts have a meaning, or runs would end early.
        b = self.constant(depth, body, width, rng.choice([1, 2, 3, 4, 7, 0 if "sh" in op else -2])) \
            if re.search("div|mod|rem|sh", op) and rng.random() < 0.85 else self.operand(depth, body, names, width)
        name, flag = self.fresh(width), ""
        if op in WRAPPING[:3] and rng.random() < 0.1:
            flag = " overflow<nsw>"
        is_unsigned = op in ("chi.floordiv", "chi.floormod") and rng.random() < 0.2
        self.emit(depth, f"%{name} = {op} %{a}, %{b}{' unsigned' if is_unsigned else ''}{flag} : i{width} loc(\"{name}\")")

        def do(run):
            x, y = run.env[a], run.env[b]
            if is_unsigned:
                x, y = unsigned(x, width), unsigned(y, width)
            exact = BINARY[op](x, y, width)
            run.env[name] = wrap(exact, width)
            run.wraps(name, op in WRAPPING and run.env[name] != exact)
            if flag and run.env[name] != exact:
                raise Stop
        body.append(do)
        if op in WRAPPING and rng.random() < 0.4:
            self.ask(depth, body, "wraps", name)
        return name

    def unary(self, depth, body, names):
        rng = self.rng
        a = rng.choice(names)
        width = self.types[a]
        if width == 1:
            to, op = rng.choice([8, 32, 64]), rng.choice(["extsi", "extui"])
        elif rng.random() < 0.3:
            to, op = width, "absi"
        else:
            to = rng.choice([w for w in (8, 32, 64) if w != width])
            op = rng.choice(["extsi", "extui"]) if to > width else "trunci"
        name = self.fresh(to)
        if op == "absi":
            self.emit(depth, f"%{name} = math.absi %{a} : i{to} loc(\"{name}\")")
        else:
            self.emit(depth, f"%{name} = arith.{op} %{a} : i{width} to i{to} loc(\"{name}\")")

        def do(run):
            x = run.env[a]
            if op == "extsi" and width == 1:
                x = -x
            elif op == "extui":
                x = unsigned(x, width)
            elif op == "absi":
                x = abs(x)
            run.env[name] = wrap(x, to)
        body.append(do)
        return name

    def condition(self, depth, body, names, nesting=0):
        rng = self.rng
        kind = rng.random()
        name = self.fresh(1)
        if nesting < 2 and kind < 0.3:
            a, b = (self.condition(depth, body, names, nesting + 1) for _ in range(2))
            op = rng.choice(["andi", "ori", "xori"])
            self.emit(depth, f"%{name} = arith.{op} %{a}, %{b} : i1 loc(\"{name}\")")
            body.append(lambda run: run.env.__setitem__(
                name, BINARY["arith." + op](run.env[a], run.env[b], 1)))
        elif nesting < 2 and kind < 0.4:
            a = self.condition(depth, body, names, nesting + 1)
            true = self.fresh(1)
            self.emit(depth, f"%{true} = arith.constant true")
            self.emit(depth, f"%{name} = arith.xori %{a}, %{true} : i1")
            body.append(lambda run: run.env.__setitem__(name, 1 - run.env[a]))
        else:
            width = rng.choice(WIDTHS)
            a = self.pick(names, width) or self.constant(depth, body, width)
            b = self.operand(depth, body, names, width)
            p = rng.choice("slt sle sgt sge eq ne ult ule ugt uge".split())
            return self.compare(depth, body, p, a, b)
        return name

    def compare(self, depth, body, p, a, b):
        name, width = self.fresh(1), self.types[a]
        self.emit(depth, f"%{name} = arith.cmpi {p}, %{a}, %{b} : i{width} loc(\"{name}\")")

        def do(run):
            x, y = run.env[a], run.env[b]
            if p[0] == "u":
                x, y = unsigned(x, width), unsigned(y, width)
            run.env[name] = int(COMPARE[p if p in COMPARE else p[1:]](x, y))
        body.append(do)
        return name

    def ask(self, depth, body, kind, name):
        line = self.emit(depth, f'"ask.{kind}"(%{name}) : (i{self.types[name]}) -> ()')
        if self.loops:
            self.in_loops.add(line)
        body.append(lambda run: run.ask(line, kind, name, run.env))

    def questions(self, depth, body, names):
        for name in self.rng.sample(names, min(3, len(names))):
            kinds = ["true", "axes", "interval"] if self.types[name] == 1 else \
                ["interval", "interval", "linear", "linear", "axes", "uniform"]
            self.ask(depth, body, self.rng.choice(kinds), name)

    def select(self, depth, body, names):
        width = self.rng.choice(WIDTHS)
        c = self.condition(depth, body, names)
        a, b = (self.operand(depth, body, names, width) for _ in range(2))
        name = self.fresh(width)
        self.emit(depth, f"%{name} = arith.select %{c}, %{a}, %{b} : i{width} loc(\"{name}\")")
        body.append(lambda run: run.env.__setitem__(name, run.env[a if run.env[c] else b]))
        return name

    def access(self, depth, body, names):
        """A load from or a store to one of three fields, with extents 4, 16 and
        whatever the run says; often several beside each other."""
        name, k = None, self.rng.randrange(3)
        while name is None or self.rng.random() < 0.5:
            name = self.one_access(depth, body, names, k)
        return name

    def one_access(self, depth, body, names, k):
        rng = self.rng
        width = rng.choice([32, 32, 64])
        i = self.operand(depth, body, names, width)
        if rng.random() < 0.5:
            # Most programs have sums of indices and constants.
            c = self.constant(depth, body, width, rng.choice([1, 2, -1, 4]))
            base = self.pick([n for n in names if n in ("i0", "i1")], width) or i
            i = self.fresh(width)
            op = rng.choice(["arith.addi", "arith.muli", "arith.subi"])
            self.emit(depth, f"%{i} = {op} %{base}, %{c} : i{width} loc(\"{i}\")")
            body.append(lambda run: run.env.__setitem__(
                i, wrap(BINARY[op](run.env[base], run.env[c], width), width)))
        field, kind = f"!chi.field<{['4', '16', '?'][k]}xi32>", rng.random()
        name = self.fresh(32)
        if kind < 0.6:
            line = self.emit(depth, f"%{name} = chi.load %f{k}[%{i} : i{width}] : {field} -> i32")
        else:
            self.emit(depth, f"%{name} = arith.constant 7 : i32")
            line = self.emit(depth, f"chi.store %{name}, %f{k}[%{i} : i{width}] : i32, {field}")
        self.accesses.append(Access(line, k))

        def do(run):
            run.touch(line, (run.env[i],))
            # One number for each element: no run here sees what others store.
            run.env[name] = 7 if kind >= 0.6 else wrap(run.env[i] * 2654435761 + k, 32) >> (run.env[i] % 30)
        body.append(do)
        return name

    def local(self, depth, body, names):
        """Sets an element of a local array, or gets one."""
        i = self.constant(depth, body, 32, self.rng.randrange(4))
        found = self.pick(names, 32) if self.rng.random() < 0.3 else None
        if found:
            four = self.constant(depth, body, 32, 4)
            i = self.fresh(32)
            self.emit(depth, f"%{i} = chi.floormod %{found}, %{four} : i32")
            body.append(lambda run: run.env.__setitem__(i, run.env[found] % 4))
        array = self.rng.choice(["l0", "l1", "l2"])
        if self.rng.random() < 0.5:
            value = self.operand(depth, body, names, 32)
            self.emit(depth, f"chi.set %{value}, %{array}[%{i} : i32] : i32, !chi.local<4xi32>")
            body.append(lambda run: run.arrays[array].__setitem__(run.env[i], run.env[value]))
            return value
        name = self.fresh(32)
        self.emit(depth, f"%{name} = chi.get %{array}[%{i} : i32] : !chi.local<4xi32> -> i32 loc(\"{name}\")")
        body.append(lambda run: run.env.__setitem__(name, run.arrays[array][run.env[i]]))
        return name

    def branch(self, depth, body, names, nesting):
        width = self.rng.choice(WIDTHS)
        c = self.condition(depth, body, names)
        name = self.fresh(width)
        self.emit(depth, f"%{name} = scf.if %{c} -> (i{width}) {{")
        sides = []
        for end in ("} else {", "}"):
            inner = []
            known = self.block(depth + 1, inner, names, nesting + 1)
            value = self.operand(depth + 1, inner, known, width)
            self.emit(depth + 1, f"scf.yield %{value} : i{width}")
            self.emit(depth, end)
            sides.append((inner, value))

        def do(run):
            inner, value = sides[0] if run.env[c] else sides[1]
            run.block(inner)
            run.env[name] = run.env[value]
        body.append(do)
        return name

    def loop(self, depth, body, names, nesting):
        rng = self.rng
        low = self.constant(depth, body, 32, rng.choice([-2, 0, 0, 1])) if rng.random() < 0.7 \
            else self.operand(depth, body, names, 32)
        high = self.operand(depth, body, names, 32)
        if rng.random() < 0.7:
            high = self.constant(depth, body, 32, rng.choice([0, 2, 4, 7]))
        step = self.constant(depth, body, 32, rng.choice([1, 1, 1, 2, 3]))
        width = rng.choice(WIDTHS)
        first = self.operand(depth, body, names, width)
        name, k, carried = self.fresh(width), self.fresh(32), self.fresh(width)
        self.emit(depth, f"%{name} = scf.for %{k} = %{low} to %{high} step %{step} "
                         f"iter_args(%{carried} = %{first}) -> (i{width}) : i32 {{")
        inner = []
        self.loops += 1
        known = self.block(depth + 1, inner, names + [carried, k], nesting + 1)
        self.loops -= 1
        last = self.operand(depth + 1, inner, known, width)
        self.emit(depth + 1, f"scf.yield %{last} : i{width}")
        self.emit(depth, "}")

        def do(run):
            value, at, end = run.env[first], run.env[low], run.env[high]
            while at < end:
                run.env[k], run.env[carried] = at, value
                run.block(inner)
                value = run.env[last]
                at += run.env[step]
            run.env[name] = value
        body.append(do)
        return name

    def repeat(self, depth, body, names, nesting):
        """A while."""
        width = self.rng.choice([32, 64])
        first = self.operand(depth, body, names, width)
        name, before, after = (self.fresh(width) for _ in range(3))
        self.emit(depth, f"%{name} = scf.while (%{before} = %{first}) : (i{width}) -> i{width} {{")
        head, inner = [], []
        self.loops += 1
        c = self.condition(depth + 1, head, names + [before])
        self.questions(depth + 1, head, names + [before])
        self.emit(depth + 1, f"scf.condition(%{c}) %{before} : i{width}")
        self.emit(depth, "} do {")
        self.emit(depth, f"^bb0(%{after}: i{width}):")
        known = self.block(depth + 1, inner, names + [after], nesting + 1)
        self.loops -= 1
        last = self.operand(depth + 1, inner, known, width)
        self.emit(depth + 1, f"scf.yield %{last} : i{width}")
        self.emit(depth, "}")

        def do(run):
            run.env[before] = run.env[first]
            run.block(head)
            while run.env[c]:
                run.env[after] = run.env[before]
                run.block(inner)
                run.env[before] = run.env[last]
                run.block(head)
            run.env[name] = run.env[before]
        body.append(do)
        return name

    def check(self, depth, body, names):
        a, rng = self.pick(names, 32), self.rng
        if a and rng.random() < 0.8:
            # One that mostly holds.
            b = self.constant(depth, body, 32, rng.choice([-100, -8, -3]))
            p = rng.choice(["sge", "sgt", "ne"])
            if rng.random() < 0.5:
                b, p = self.constant(depth, body, 32, rng.choice([16, 100, 1000])), rng.choice(["slt", "sle", "ult"])
            c = self.compare(depth, body, p, a, b)
        else:
            c = self.condition(depth, body, names)
        self.emit(depth, f"chi.check bounds %{c}")

        def do(run):
            if not run.env[c]:
                raise Stop
        body.append(do)

    def block(self, depth, body, names, nesting):
        names = list(names)
        for _ in range(self.rng.randint(2, 7 if nesting else 12)):
            kind = self.rng.random()
            if kind < 0.38:
                names.append(self.binary(depth, body, names))
            elif kind < 0.48:
                names.append(self.unary(depth, body, names))
            elif kind < 0.55:
                names.append(self.select(depth, body, names))
            elif kind < 0.61:
                names.append(self.local(depth, body, names))
            elif kind < 0.7:
                names.append(self.access(depth, body, names))
            elif kind < 0.75:
                self.check(depth, body, names)
            elif nesting < 3 and kind < 0.84:
                names.append(self.branch(depth, body, names, nesting))
            elif nesting < 3 and kind < 0.92:
                names.append(self.loop(depth, body, names, nesting))
            elif nesting < 2 and kind < 0.95:
                names.append(self.repeat(depth, body, names, nesting))
            else:
                names.append(self.condition(depth, body, names))
            self.questions(depth, body, names[-6:])
        return names

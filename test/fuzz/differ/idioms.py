"""Loops as people write them: stencils, products, scans, scatters. They are
what the optimiser has passes for; the other tasks are made of anything."""
from elements import BOOL, Bound, HELD, I32, Index, Local
from expressions import Value
from statements import Statements
from walks import Walks

IDIOMS = {"stencil": 30, "table": 8, "product": 10, "convolution": 10, "transpose": 6, "scan": 12,
          "escape": 14, "scatter": 10, "guarded": 8, "search": 8, "pairs": 6, "advect": 8,
          "offset": 8}


class Idioms(Statements, Walks):
    """Each method writes one parallel loop, or returns False where no available
    field fits."""

    def idiom(self, scope, fields, sums):
        data = [field for field in fields if not field.isSink and field.shape
                and field.element.scalar != BOOL]
        kind = self.dice.weighted(IDIOMS)
        if len(data) < 2:
            return False
        target, source = self.dice.sample(data, 2)
        scope.sums = sums
        return getattr(self, "_idiom_" + kind)(scope, target, source, data) is not False

    def begin(self, scope, header, indices, trips, owned, readable):
        scope.line(f"for {header}:")
        scope.depth += 1
        scope.indices += indices
        scope.trips *= max(1, trips)
        scope.owned = {field: (lambda at=at: at) for field, at in owned.items()}
        scope.readable = [field for field in readable if field not in owned]

    def value(self, scope, field, at):
        """A scalar of a field's element."""
        return Value(field.at(at) + self.component(scope, field.element),
                     HELD.get(field.element.scalar.name))

    def cast(self, value, scalar, source):
        """A value of one scalar as another that holds it."""
        if scalar == source:
            return value
        if scalar.isFloat and not source.isFloat:
            return Value(f"{scalar.name}({value.text} & 7)", Bound(7, 0))
        if scalar.isFloat:
            value = self.fit(value, source, HELD[scalar.name])
        return Value(f"{scalar.name}({value.text})", value.bound)

    def put(self, scope, field, at, value, source):
        """A store of a value, cast and brought into what the field holds."""
        scalar = field.element.scalar
        value = self.fit(self.cast(value, scalar, source), scalar, HELD.get(scalar.name))
        scope.line(f"{field.at(at)}{self.component(scope, field.element)} = {value.text}")

    def wide(self, scalar):
        """A type to sum up numbers of another in."""
        if scalar.isFloat:
            return scalar
        fit = [s for s in self.integers if s.kind == scalar.kind and s.bits >= scalar.bits]
        return self.dice.choice([*fit, I32])

    def total(self, scope, scalar, turns, bound):
        """(a variable for a sum, the bound of what may be added)."""
        name = scope.fresh("s")
        scope.line(f"{name}: {scalar.name} = 0")
        if not scalar.isFloat or self.floats != "exact":
            return name, bound
        limit = Bound(max(1, (1 << {16: 9, 32: 20, 64: 30}[scalar.bits]) // max(1, turns)), 0)
        return name, bound if Bound(bound.mag * turns, bound.frac).fits(scalar) else limit

    def finish(self, scope, field, at, name, scalar):
        """Stores a sum; of exact floats its part that the field may hold."""
        held = HELD.get(scalar.name)
        value = Value(name, Bound(held.mag + 1, held.frac + 1) if held else None)
        self.put(scope, field, at, self.fit(value, scalar, held), scalar)
        if not held or self.floats != "exact":
            scope.locals.append(Local(name, scalar))
        self.after(scope)

    def after(self, scope):
        """Perhaps something else in the same iteration."""
        dice = self.dice
        if scope.sums:
            self._reduce(scope, 1)
        if dice.chance(25):
            self.statement(scope, 1)
        scope.depth -= 1

    def whole(self, scope, field):
        """(header, indices) of a loop over all of a field."""
        dice = self.dice
        names = [scope.fresh("ix") for _ in field.shape]
        indices = [Index(n, 0, e.value - 1) for n, e in zip(names, field.shape)]
        if dice.chance(60):
            return f"{', '.join(names)} in {field.name}", indices
        spans = ", ".join(e.text for e in field.shape)
        call = "range" if len(names) == 1 else "ndrange"
        return f"{', '.join(names)} in {call}({spans})", indices

    # -- windows -------------------------------------------------------------
    def _idiom_stencil(self, scope, target, source, data):
        dice, scalar = self.dice, source.element.scalar
        header, indices = self.whole(scope, target)
        names = [index.name for index in indices]
        self.begin(scope, header, indices, target.size, {target: names}, data)
        low, high = dice.choice([(-1, 2), (-1, 2), (-1, 2), (0, 2), (-2, 3), (-1, 1), (0, 3)])
        rank = len(source.shape)
        if rank > 2:
            low, high = -1, 1 + dice.chance(50)
        offsets = [scope.fresh("d") for _ in range(rank)]
        turns = (high - low) ** rank
        wide = self.wide(scalar)
        name, bound = self.total(scope, wide, turns, HELD.get(scalar.name))
        spans = f"({low}, {high})"
        walk = f"range({low}, {high})" if rank == 1 else f"ndrange({', '.join([spans] * rank)})"
        if dice.chance(25):
            walk = f"static({walk})"
        at = self._neighbours(names, offsets, source, indices)
        value = self.cast(self.value(scope, source, at), wide, scalar)
        value = self.fit(value, wide, bound)
        scope.line(f"for {', '.join(offsets)} in {walk}:")
        scope.depth += 1
        if dice.chance(20):
            scope.line(f"if {offsets[0]} != 0{f' or {offsets[1]} != 0' if rank > 1 else ''}:")
            scope.line(f"    {name} += {value.text}")
        else:
            scope.line(f"{name} {'+' if wide.isFloat else dice.choice('++++-^')}= {value.text}")
        scope.depth -= 1
        if wide.isInteger and dice.chance(20):
            scope.line(f"{name} = {dice.choice([name + ' // 9', name + ' % 3', name + ' >> 1'])}")
        self.finish(scope, target, names, name, wide)

    def _neighbours(self, names, offsets, source, indices):
        dice, found = self.dice, []
        style = dice.choice(["wrap", "wrap", "clamp", "plus", "mixed"])
        for axis, extent in enumerate(source.shape):
            index = indices[axis % len(indices)]
            moved = f"{index.name} {dice.choice('++-')} {offsets[axis]}"
            kind = dice.choice(["wrap", "clamp", "plus"]) if style == "mixed" else style
            if "wrap2" in self.avoid and extent.wrapsByMask:
                kind = "clamp"
            if kind == "wrap":
                found.append(f"({moved}) % {extent.text}")
            elif kind == "plus":
                found.append(f"({moved} + {extent.text}) % {extent.text}")
            elif dice.chance(70):
                found.append(f"clamp({moved}, 0, {extent.text} - 1)")
            else:
                found.append(f"max(min({moved}, {extent.text} - 1), 0)")
        return found

    def _idiom_table(self, scope, target, source, data):
        header, indices = self.whole(scope, target)
        names = [index.name for index in indices]
        others = [f for f in data if f not in (target, source) and len(f.shape) == len(names)
                  and all(a.value <= b.value for a, b in zip(target.shape, f.shape))]
        owned = {target: names, **{f: names for f in others[:1]}}
        self.begin(scope, header, indices, target.size, owned, data)
        at = [f"{names[axis % len(names)]} % {extent.text}"
              if not ("wrap2" in self.avoid and extent.wrapsByMask)
              else f"min({names[axis % len(names)]}, {extent.text} - 1)"
              for axis, extent in enumerate(source.shape)]
        self.put(scope, target, names, self.value(scope, source, at), source.element.scalar)
        if others:
            self._update(scope, 1)
        self.after(scope)

    def _idiom_convolution(self, scope, target, source, data):
        """s += w[t] * x[i + t], inside."""
        dice, scalar = self.dice, source.element.scalar
        weights = [f for f in data if f is not target and f.element.scalar == scalar
                   and len(f.shape) == 1]
        if not weights or source.shape[-1].value < 3:
            return False
        weight = dice.choice(weights)
        taps = min(dice.choice([2, 3, 5, 8, 31]), weight.shape[0].value, source.shape[-1].value)
        count = min(target.shape[-1].value, source.shape[-1].value - taps + 1)
        i, t = scope.fresh("ix"), scope.fresh("t")
        own = [*("0" for _ in target.shape[1:]), i]
        self.begin(scope, f"{i} in range({count})", [Index(i, 0, count - 1)], count,
                   {target: own}, data)
        held = HELD.get(scalar.name)
        product = Bound(held.mag ** 2, 2 * held.frac) if held else None
        name, bound = self.total(scope, self.wide(scalar), taps, product)
        wide = self.wide(scalar) if scalar.isFloat else None
        scope.lines.pop()  # its type is chosen here, once
        wide = wide or self.wide(scalar)
        scope.line(f"{name}: {wide.name} = 0")
        scope.line(f"for {t} in {dice.choice(['range', 'range', 'static(range'])}({taps}):")
        if "static" in scope.lines[-1]:
            scope.lines[-1] = scope.lines[-1][:-1] + "):"
        place = dice.choice([f"{i} + {t}", f"{i} + {taps - 1} - {t}"])
        at = [*(str(dice.randrange(e.value)) for e in source.shape[:-1]), place]
        a = self.cast(self.value(scope, source, at), wide, scalar)
        b = self.cast(self.value(scope, weight, [t]), wide, scalar)
        value = self.fit(Value(f"({a.text} * {b.text})", product), wide, bound)
        scope.line(f"    {name} += {value.text}")
        self.finish(scope, target, own, name, wide)

    def _idiom_product(self, scope, target, source, data):
        """s += a[i, k] * b[k, j], or rows by rows."""
        dice, scalar = self.dice, source.element.scalar
        planes = [f for f in data if f is not target and f.element.scalar == scalar
                  and len(f.shape) == 2]
        if len(target.shape) != 2 or len(source.shape) != 2 or not planes:
            return False
        other = dice.choice(planes)
        i, j, k = scope.fresh("ix"), scope.fresh("ix"), scope.fresh("k")
        isByRows = dice.chance(30)
        inner = other.shape[isByRows].value
        rows = min(target.shape[0].value, source.shape[0].value)
        columns = min(target.shape[1].value, other.shape[not isByRows].value)
        turns = min(source.shape[1].value, inner)
        if rows * columns * turns > 400_000:
            rows = max(1, 400_000 // (columns * turns))
        self.begin(scope, f"{i}, {j} in ndrange({rows}, {columns})",
                   [Index(i, 0, rows - 1), Index(j, 0, columns - 1)], rows * columns,
                   {target: [i, j]}, data)
        held, wide = HELD.get(scalar.name), self.wide(scalar)
        product = Bound(held.mag ** 2, 2 * held.frac) if held else None
        name, bound = self.total(scope, wide, turns, product)
        first = dice.choice(["0, ", "0, ", f"min({i}, {turns}), ", "1, "])
        scope.line(f"for {k} in range({first}{turns}):")
        a = self.cast(self.value(scope, source, [i, k]), wide, scalar)
        b = self.cast(self.value(scope, other, [j, k] if isByRows else [k, j]), wide, scalar)
        value = self.fit(Value(f"({a.text} * {b.text})", product), wide, bound)
        scope.line(f"    {name} += {value.text}")
        self.finish(scope, target, [i, j], name, wide)

    def _idiom_transpose(self, scope, target, source, data):
        rank = len(target.shape)
        if rank < 2 or len(source.shape) != rank:
            return False
        axes = self.dice.sample(range(rank), rank)
        names = [scope.fresh("ix") for _ in axes]
        spans = [min(target.shape[axis].value, source.shape[k].value)
                 for k, axis in enumerate(axes)]
        own = [names[axes.index(axis)] for axis in range(rank)]
        size = 1
        for span in spans:
            size *= span
        self.begin(scope, f"{', '.join(names)} in ndrange({', '.join(map(str, spans))})",
                   [Index(n, 0, s - 1) for n, s in zip(names, spans)], size, {target: own}, data)
        self.put(scope, target, own, self.value(scope, source, names), source.element.scalar)
        self.after(scope)

    # -- rows ----------------------------------------------------------------
    def _idiom_scan(self, scope, target, source, data):
        """Sums along the rows of which each iteration has one."""
        dice, scalar = self.dice, source.element.scalar
        if len(target.shape) != 2 or len(source.shape) != 2:
            return False
        axis = dice.randrange(2)
        i, j = scope.fresh("ix"), scope.fresh("j")
        rows = min(target.shape[axis].value, source.shape[axis].value)
        length = min(target.shape[1 - axis].value, source.shape[1 - axis].value)
        place = [i, j] if axis == 0 else [j, i]
        self.begin(scope, f"{i} in range({rows})", [Index(i, 0, rows - 1)], rows,
                   {target: place}, data)
        wide = self.wide(scalar)
        name, bound = self.total(scope, wide, length, HELD.get(scalar.name))
        walk = dice.choice([f"0, {length}", f"{length - 1}, -1, -1", f"0, {length}, 2",
                            f"0, min({i} + 1, {length})", f"min({i}, {length - 1}), {length}",
                            f"max({i} - 3, 0), min({i} + 4, {length})"])
        scope.line(f"for {j} in range({walk}):")
        scope.depth += 1
        value = self.fit(self.cast(self.value(scope, source, place), wide, scalar), wide, bound)
        if dice.chance(30):
            scope.line(f"if {self.value(scope, source, place).text} "
                       f"{dice.choice(['==', '>', '<'])} {dice.choice([0, 1, 3, 7])}:")
            scope.line(f"    {dice.choice(['break', 'continue'])}")
        scope.line(f"{name} += {value.text}")
        held = HELD.get(scalar.name)
        self.put(scope, target, place, self.fit(
            Value(name, Bound(held.mag + 1, held.frac + 1) if held else None), wide,
            HELD.get(wide.name)), wide)
        scope.depth -= 2
        return True

    def _idiom_escape(self, scope, target, source, data):
        """A while that neighbouring iterations leave at different turns."""
        dice = self.dice
        header, indices = self.whole(scope, target)
        names = [index.name for index in indices]
        self.begin(scope, header, indices, target.size, {target: names}, data)
        c, v = scope.fresh("c"), scope.fresh("v")
        most = dice.choice([10, 20, 50])
        if self.floats == "wild" and dice.chance(60):
            scalar = self.someFloat()
            scope.line(f"{v}: {scalar.name} = {scalar.name}({names[-1]}) / {dice.choice([7, 16, 30])}")
            step = dice.choice([f"{v} * {v} + {self.float(scope, scalar, 0).text}",
                                f"({v} + 3 / {v}) / 2", f"{v} * 1.5 + {self.float(scope, scalar, 1).text}"])
            live = f"{v} * {v} < {dice.choice([4, 16, 1000])}"
        else:
            scalar = dice.choice([s for s in self.integers])
            scope.line(f"{v}: {scalar.name} = {self.integer(scope, scalar, 1).text}")
            step = dice.choice([f"({v} // 2 if {v} % 2 == 0 else 3 * {v} + 1)",
                                f"({v} >> 1) ^ ({scalar.name}({names[0]}) & 7)", f"{v} // 3",
                                f"{v} - {v} // 4 - 1"])
            live = dice.choice([f"{v} > 1", f"{v} != 1", f"{v} > {scalar.name}({names[-1]} & 31)"])
        scope.line(f"{c}: i32 = 0")
        if dice.chance(50):
            scope.line(f"while {live} and {c} < {most}:")
            scope.line(f"    {v} = {step}")
        else:
            scope.line(f"for {scope.fresh('q')} in range({most}):")
            scope.line(f"    if not ({live}):")
            scope.line("        break")
            scope.line(f"    {v} = {step}")
        scope.line(f"    {c} += 1")
        scope.locals += [Local(c, I32), Local(v, scalar, HELD.get(scalar.name))][:1 + (
            self.floats != "exact" or scalar.isInteger)]
        self.put(scope, target, names, Value(dice.choice([c, f"({c} * 3)"])), I32)
        self.after(scope)

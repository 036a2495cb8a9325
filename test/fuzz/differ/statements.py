"""Statements of one iteration, or of a function: free of races by what the
scope lets them touch."""
from elements import BOOL, Bound, Extent, HELD, I32, Index, Local, SCALARS
from expressions import Expressions, Value

UPDATES = {"+": "add", "-": "sub", "&": "and", "|": "or", "^": "xor", "*": None,
           "min": "min", "max": "max"}
MOST_STEPS = 150_000  # of one loop of a kernel, all inner turns counted


class Statements(Expressions):
    def block(self, scope, count, fuel, isIndented=True):
        marks = scope.marks()
        scope.depth += isIndented
        start = len(scope.lines)
        for _ in range(count):
            self.statement(scope, fuel)
        if len(scope.lines) == start:
            scope.line("pass")
        scope.depth -= isIndented
        scope.restore(marks)

    def statement(self, scope, fuel):
        dice = self.dice
        table = {"declare": 16, "assign": 10}
        if scope.owned:
            table.update(store=12, update=6, exchange=2)
        if scope.adding:
            table["add"] = 22
        if scope.sums:
            table["reduce"] = 22
        if fuel > 0:
            table.update({"if": 14, "range": 8, "window": 18, "sum": 10, "while": 6, "static": 3,
                          "array": 2, "vec": 3})
        if scope.isInLoop:
            table["leave"] = 8
        if scope.isTask and "draws" not in self.avoid:
            table["draw"] = 4
        kind = dice.weighted(table)
        getattr(self, "_" + kind.replace("if", "branch").replace("while", "turn"))(scope, fuel)

    # -- variables -----------------------------------------------------------
    def someScalar(self):
        dice = self.dice
        if self.floats != "none" and dice.chance(45):
            return self.someFloat()
        return BOOL if dice.chance(6) else dice.choice(self.integers)

    def _declare(self, scope, fuel, scalar=None):
        scalar = scalar or self.someScalar()
        held = HELD.get(scalar.name)
        value = self.fit(self.some(scope, scalar, 2), scalar, held)
        name = scope.fresh("v")
        scope.line(f"{name}: {scalar.name} = {value.text}")
        scope.locals.append(Local(name, scalar, held, True))
        return name

    def _assign(self, scope, fuel):
        dice = self.dice
        fit = [local for local in scope.locals if local.isAssignable]
        if not fit:
            return self._declare(scope, fuel)
        local = dice.choice(fit)
        value = self.fit(self.some(scope, local.scalar, 2), local.scalar, local.bound)
        if local.scalar.isInteger and dice.chance(50):
            scope.line(f"{local.name} {dice.choice('+-*^&|')}= {value.text}")
        else:
            scope.line(f"{local.name} = {value.text}")

    def _draw(self, scope, fuel):
        """A random number: of exact floats and integers a small whole one."""
        dice, name = self.dice, scope.fresh("v")
        if self.floats == "wild" and dice.chance(60):
            scalar = dice.choice([SCALARS["f32"], SCALARS["f64"]])
            scope.line(f"{name}: {scalar.name} = {dice.choice(['random', 'random', 'randn'])}"
                       f"{'()' if scalar.bits == 32 else f'({scalar.name})'}")
        else:
            scalar = dice.choice(self.integers)
            scope.line(f"{name}: {scalar.name} = {scalar.name}(random() * {dice.choice([2, 7, 100])})")
        scope.locals.append(Local(name, scalar))

    def _array(self, scope, fuel):
        dice = self.dice
        scalar, length = dice.choice(self.integers), dice.choice([2, 3, 4, 5, 7, 8])
        extent = Extent(length, str(length))
        name, q = scope.fresh("t"), scope.fresh("q")
        scope.line(f"{name} = array({scalar.name}, {length})")
        scope.line(f"for {q} in range({length}):")
        scope.indices.append(Index(q, 0, length - 1))
        scope.depth += 1
        scope.line(f"{name}[{self.position(scope, extent)}] "
                   f"{dice.choice(['=', '+=', '='])} {self.integer(scope, scalar, 1).text}")
        scope.depth -= 1
        scope.indices.pop()
        scope.arrays.append((name, scalar, extent))

    def _vec(self, scope, fuel):
        element = self.program.someVec(self.dice)
        name = scope.fresh("w")
        scope.line(f"{name} = {self.vector(scope, element, 1)}")
        scope.vecs.append((name, element, True))

    # -- fields --------------------------------------------------------------
    def _store(self, scope, fuel):
        dice = self.dice
        field = dice.choice(list(scope.owned))
        at, element = field.at(scope.owned[field]()), field.element
        if element.isScalar:
            scope.line(f"{at} = {self.fitted(scope, element.scalar, 3)}")
        elif dice.chance(60):
            scope.line(f"{at} = {self.vector(scope, element, 2)}")
        else:
            scope.line(f"{at}{self.component(scope, element)} = "
                       f"{self.fitted(scope, element.scalar, 2)}")

    def fitted(self, scope, scalar, fuel):
        return self.fit(self.some(scope, scalar, self.dice.randint(1, fuel)), scalar,
                        HELD.get(scalar.name)).text

    def _update(self, scope, fuel):
        """An own element, by an operator."""
        dice = self.dice
        field = dice.choice(list(scope.owned))
        scalar = field.element.scalar
        if scalar == BOOL or (scalar.isFloat and self.floats == "exact"):
            return self._store(scope, fuel)
        at = field.at(scope.owned[field]()) + self.component(scope, field.element)
        op = dice.choice("+-*") if scalar.isFloat else dice.choice("++-*&|^")
        scope.line(f"{at} {op}= {self.some(scope, scalar, 2).text}")

    def _exchange(self, scope, fuel):
        """An atomic of an own element, whose old value is no accident."""
        dice = self.dice
        fit = [field for field in scope.owned
               if field.element.isScalar and field.element.scalar.isInteger]
        if not fit:
            return self._store(scope, fuel)
        field = dice.choice(fit)
        scalar, name = field.element.scalar, scope.fresh("v")
        at = field.at(scope.owned[field]())
        arguments = [self.integer(scope, scalar, 1).text]
        kind = dice.choice(["exchange", "cas", "add", "max", "xor"])
        if kind == "cas":
            arguments.insert(0, dice.choice([at, self.integer(scope, scalar, 1).text]))
        scope.line(f"{name}: {scalar.name} = atomic_{kind}({at}, {', '.join(arguments)})")
        scope.locals.append(Local(name, scalar))

    def _add(self, scope, fuel):
        """An accumulation at any element: one operator for the whole loop."""
        dice = self.dice
        field = dice.choice(list(scope.adding))
        op, scalar = scope.adding[field], field.element.scalar
        value = self.limited(scope, scalar, field, op)
        if value is None:
            return
        at = field.at(self.indicesOf(scope, field)) + self.component(scope, field.element)
        if op in ("min", "max") or (UPDATES[op] and dice.chance(30)):
            scope.line(f"atomic_{UPDATES[op]}({at}, {value})")
        else:
            scope.line(f"{at} {op}= {value}")

    def limited(self, scope, scalar, target, op):
        """A value to add; of exact floats what the target's room allows."""
        value = self.some(scope, scalar, 2)
        if not scalar.isFloat or self.floats != "exact" or op in ("min", "max"):
            return self.fit(value, scalar, HELD.get(scalar.name)).text
        small = Bound(2, 0) if scalar.bits == 32 else HELD[scalar.name]
        value = self.fit(value, scalar, small)
        more = scope.trips * scope.turns * self.program.mostCalls * value.bound.mag
        if not Bound(target.used + more, value.bound.frac + 2).fits(scalar):
            return None
        target.used += more
        return value.text

    def _reduce(self, scope, fuel):
        dice = self.dice
        total = dice.choice(scope.sums)
        value = self.limited(scope, total.scalar, total, total.op)
        if value is None:
            return
        if total.op in ("min", "max"):
            scope.line(f"{total.name} = {total.op}({total.name}, {value})")
        else:
            place = total.place(self, scope)
            scope.line(f"{place} {total.op}= {value}")

    # -- control -------------------------------------------------------------
    def _branch(self, scope, fuel):
        dice = self.dice
        scope.line(f"if {self.boolean(scope, 2)}:")
        self.block(scope, dice.randint(1, 2), fuel - 1)
        if dice.chance(15):
            scope.line(f"elif {self.boolean(scope, 1)}:")
            self.block(scope, 1, fuel - 1)
        if dice.chance(40):
            scope.line("else:")
            self.block(scope, dice.randint(1, 2), fuel - 1)

    def _leave(self, scope, fuel):
        scope.line(f"if {self.boolean(scope, 1)}:")
        scope.line("    " + self.dice.choice(["break", "break", "continue"]))

    def _loop(self, scope, header, names, turns, body):
        """One loop round what body() makes."""
        if scope.trips * scope.turns * turns > MOST_STEPS:
            return False
        marks, saved = scope.marks(), (scope.turns, scope.isInLoop)
        scope.line(header)
        scope.indices += names
        scope.turns, scope.isInLoop = scope.turns * turns, True
        scope.depth += 1
        body()
        scope.depth -= 1
        scope.turns, scope.isInLoop = saved
        scope.restore(marks)
        return True

    def _header(self, scope):
        """(text after `for`, indices, most turns) of a sequential loop."""
        dice, q = self.dice, scope.fresh("q")
        kind = dice.weighted({"count": 30, "data": 20, "falling": 10, "near": 18, "axis": 20})
        if kind == "count":
            count, step = dice.choice([2, 3, 4, 5, 8, 9]), dice.choice([1, 1, 1, 2, 3])
            text = f"range({count})" if step == 1 else f"range(0, {count}, {step})"
            return f"{q} in {text}", [Index(q, 0, count - 1)], count
        if kind == "data":
            most = dice.choice([3, 7, 15])
            first = dice.choice(["0", "1", "-2"])
            return (f"{q} in range({first}, {self.integer(scope, I32, 1).text} & {most})",
                    [Index(q, -2, most - 1)], most + 2)
        if kind == "falling":
            count = dice.choice([3, 4, 7, 8])
            return (f"{q} in range({count}, {dice.choice([-1, 0, 1])}, {dice.choice([-1, -1, -2])})",
                    [Index(q, 0, count)], count + 1)
        near = [i for i in scope.indices if abs(i.low) < 4096 and abs(i.high) < 4096
                and i.scalar == I32]
        if kind == "near" and near:
            i = dice.choice(near)
            most = i.high - dice.randint(0, 1)
            return (f"{q} in range(max({i.name} - 1, {max(i.low, 0)}), min({i.name} + 2, {most}))",
                    [Index(q, max(0, i.low), max(0, i.high))], 3)
        extent = dice.choice(self.program.extents)
        return f"{q} in range({extent.text})", [Index(q, 0, extent.value - 1)], extent.value

    def _range(self, scope, fuel):
        header, names, turns = self._header(scope)
        self._loop(scope, f"for {header}:", names, turns,
                   lambda: self.block(scope, self.dice.randint(1, 2), fuel - 1, False))

    def _static(self, scope, fuel):
        q = scope.fresh("q")
        if self.dice.chance(30):
            header = f"for {q} in (1, 2, 5):"
        else:
            header = f"for {q} in static(range(3)):"
        marks, wasInLoop = scope.marks(), scope.isInLoop
        scope.line(header)
        # By a variable: a constant that does not fit its type is an error.
        scope.indices.append(Index(scope.fresh("q"), 0, 5))
        scope.line(f"    {scope.indices[-1].name}: i32 = {q}")
        scope.isInLoop, scope.turns = False, scope.turns * 3
        self.block(scope, 1, fuel - 1)
        scope.isInLoop, scope.turns = wasInLoop, scope.turns // 3
        scope.restore(marks)

    def windowHeader(self, scope):
        dice = self.dice
        names = [scope.fresh("d") for _ in range(dice.choice([1, 2, 2]))]
        low, high = dice.choice([(-1, 2), (-1, 2), (0, 2), (-2, 3), (0, 3)])
        indices = [Index(name, low, high - 1) for name in names]
        turns = (high - low) ** len(names)
        if len(names) == 1:
            text = f"range({low}, {high})"
        else:
            text = f"ndrange(({low}, {high}), ({low}, {high}))"
        if dice.chance(30):
            text = f"static({text})"
        return f"for {', '.join(names)} in {text}:", indices, turns

    def shifted(self, scope, field, offsets):
        """Indices round the loop's own, wrapped or clamped."""
        dice, found = self.dice, []
        around = [i for i in scope.indices if i not in offsets and i.scalar == I32
                  and abs(i.low) < 4096 and abs(i.high) < 4096]
        isWrapped = dice.chance(60)
        for axis, extent in enumerate(field.shape):
            if not around:
                found.append(self.position(scope, extent))
                continue
            name = around[axis % len(around)].name
            offset = offsets[axis % len(offsets)].name
            moved = f"{name} {dice.choice('++-')} {offset}"
            if isWrapped and not ("wrap2" in self.avoid and extent.wrapsByMask):
                found.append(f"({moved}) % {extent.text}")
            else:
                found.append(f"clamp({moved}, 0, {extent.text} - 1)")
        return found

    def _window(self, scope, fuel):
        """s = 0; for a window: s += a neighbour."""
        fields = [field for field, own in scope.elementsToRead(
            lambda field: not field.isSink and field.shape and field.element.scalar != BOOL)
            if own is None]
        if not fields:
            return self._sum(scope, fuel)
        field = self.dice.choice(fields)
        scalar = field.element.scalar
        wide = self.dice.choice(self.integers) if scalar.isInteger else scalar
        header, indices, turns = self.windowHeader(scope)

        def body():
            at = field.at(self.shifted(scope, field, indices)) + \
                self.component(scope, field.element)
            return Expressions.fit(self, Value(f"{wide.name}({at})", HELD.get(scalar.name)),
                                   wide, HELD.get(wide.name))
        self._summing(scope, wide, header, indices, turns, body)

    def _sum(self, scope, fuel):
        scalar = self.someFloat() if self.floats != "none" and self.dice.chance(40) \
            else self.dice.choice(self.integers)
        header, indices, turns = self._header(scope)
        self._summing(scope, scalar, f"for {header}:", indices, turns,
                      lambda: self.some(scope, scalar, 2))

    def _summing(self, scope, scalar, header, indices, turns, makeValue):
        dice, name = self.dice, scope.fresh("s")
        ops = "+++-^*" if scalar.isInteger else "++-"
        op = dice.choice(ops)
        held = HELD.get(scalar.name)
        if scope.trips * scope.turns * turns > MOST_STEPS:
            return
        scope.line(f"{name}: {scalar.name} = {1 if op == '*' else 0}")

        def body():
            if dice.chance(20):
                self._leave(scope, 0)
            value = makeValue()
            if scalar.isFloat and self.floats == "exact":
                room = Bound(turns * value.bound.mag, value.bound.frac)
                if not room.fits(scalar):
                    value = self.fit(value, scalar, Bound(max(1, 512 // turns), 0))
            elif dice.chance(20):
                scope.line(f"if {self.boolean(scope, 1)}:")
                scope.line(f"    {name} {op}= {value.text}")
                return
            scope.line(f"{name} {op}= {value.text}")
        self._loop(scope, header, indices, turns, body)
        if scalar.isFloat and self.floats == "exact":
            fitted = self.fit(Value(name, Bound(held.mag + 1, held.frac + 1)), scalar, held)
            last = scope.fresh("v")
            scope.line(f"{last}: {scalar.name} = {fitted.text}")
            name = last
        scope.locals.append(Local(name, scalar, held, True))
        if scope.owned and dice.chance(60):
            self._storeLocal(scope, scope.locals[-1])

    def _storeLocal(self, scope, local):
        """Cast to an own element."""
        field = self.dice.choice(list(scope.owned))
        scalar = field.element.scalar
        if scalar == BOOL:
            return
        value = Value(local.name, local.bound)
        if scalar.isFloat and not local.scalar.isFloat:
            value = Value(f"({local.name} & 7)" if local.scalar.isInteger else local.name,
                           Bound(7, 0))
        value = self.fit(Value(f"{scalar.name}({value.text})", value.bound), scalar,
                         HELD.get(scalar.name))
        scope.line(f"{field.at(scope.owned[field]())}{self.component(scope, field.element)} = "
                   f"{value.text}")

    def _turn(self, scope, fuel):
        """A while with a side condition, that ends by its counter."""
        dice, c = self.dice, scope.fresh("c")
        most = dice.choice([3, 6, 10])
        if scope.trips * scope.turns * most > MOST_STEPS:
            return
        first = f"({self.integer(scope, I32, 1).text} & 3)"
        scope.line(f"{c}: i32 = {first}")
        scope.locals.append(Local(c, I32))
        side = f" {dice.choice(['and', 'and', 'or'])} {self.boolean(scope, 1)}"
        if " or " in side:
            side = f" and ({c} < 2 or {self.boolean(scope, 1)})"
        header = f"while {c} < {most}{side if dice.chance(80) else ''}:"

        def body():
            more = f"1 + ({self.integer(scope, I32, 1).text} & 1)" if dice.chance(30) else "1"
            scope.line(f"{c} += {more}")
            self.block(scope, dice.randint(1, 3), fuel - 1, False)
        self._loop(scope, header, [], most, body)

    # -- functions -----------------------------------------------------------
    def functionBody(self, scope, result):
        dice = self.dice
        for _ in range(dice.randint(0, 3)):
            self.statement(scope, 1)
            if dice.chance(40):
                scope.line(f"if {self.boolean(scope, 1)}:")
                scope.line(f"    return {self.fitted(scope, result, 2)}")
        scope.line(f"return {self.fitted(scope, result, 2)}")

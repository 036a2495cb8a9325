"""More loops as people write them: places that data say, neighbours where
there are any, searches, and indices that are right though nothing proves it."""
from elements import Bound, HELD, I32, Index, Local
from expressions import Value


class Walks:
    """Mixed into Idioms."""

    # -- places that data say ------------------------------------------------
    def _idiom_scatter(self, scope, target, source, data):
        dice, scalar = self.dice, target.element.scalar
        if scalar.isFloat:
            return False
        header, indices = self.whole(scope, source)
        self.begin(scope, header, indices, source.size, {}, data)
        scope.readable.remove(target)
        op = dice.choice("++-^|&*")
        b = [self.position(scope, extent) for extent in target.shape]
        if dice.chance(40) and target.shape[-1].value > 3:
            q, base = scope.fresh("q"), scope.fresh("b")
            scope.line(f"{base} = clamp(i32({b[-1]}), 0, {target.shape[-1].value - 3})")
            scope.line(f"for {q} in {dice.choice(['range(3)', 'static(range(3))'])}:")
            b[-1] = f"{base} + {q}"
            scope.depth += 1
            scope.line(f"{target.at(b)}{self.component(scope, target.element)} {op}= "
                       f"{self.integer(scope, scalar, 1).text}")
            scope.depth -= 1
        else:
            scope.line(f"{target.at(b)}{self.component(scope, target.element)} {op}= "
                       f"{self.integer(scope, scalar, 1).text}")
        if scope.sums:
            self._reduce(scope, 1)
        scope.depth -= 1
        return True

    def _idiom_guarded(self, scope, target, source, data):
        """A neighbour where there is one."""
        dice, scalar = self.dice, source.element.scalar
        if len(source.shape) != len(target.shape) or any(
                a.value < b.value for a, b in zip(source.shape, target.shape)):
            return False
        header, indices = self.whole(scope, target)
        names = [index.name for index in indices]
        self.begin(scope, header, indices, target.size, {target: names}, data)
        parts = []
        for axis, index in enumerate(indices):
            for move, guard in ((-1, f"{index.name} > 0"),
                                (1, f"{index.name} < {source.shape[axis].text} - 1")):
                at = list(names)
                at[axis] = f"{index.name} {'+' if move > 0 else '-'} 1"
                other = dice.choice([self.value(scope, source, names).text, "0"])
                parts.append(f"({self.value(scope, source, at).text} if {guard} else {other})")
        held = HELD.get(scalar.name)
        chosen = parts[:dice.randint(1, len(parts))]
        bound = Bound(held.mag * len(chosen), held.frac) if held else None
        if bound and self.floats == "exact" and not bound.fits(scalar):
            chosen, bound = chosen[:1], held
        self.put(scope, target, names, Value("(" + " + ".join(chosen) + ")", bound), scalar)
        self.after(scope)

    def _idiom_search(self, scope, target, source, data):
        """How far a walk through a field goes."""
        dice, scalar = self.dice, source.element.scalar
        header, indices = self.whole(scope, target)
        names = [index.name for index in indices]
        length = source.shape[-1].value
        if target.size * length > 400_000:
            return False
        self.begin(scope, header, indices, target.size, {target: names}, data)
        c, q = scope.fresh("c"), scope.fresh("q")
        scope.line(f"{c}: i32 = {dice.choice([0, -1])}")
        first = self.position(scope, source.shape[-1])
        scope.line(f"for {q} in range({dice.choice(['0', f'i32({first})'])}, {source.shape[-1].text}):")
        at = [*(self.position(scope, e) for e in source.shape[:-1]), q]
        found = self.value(scope, source, at).text
        scope.line(f"    if {found} {dice.choice(['>', '==', '<'])} "
                   f"{self.some(scope, scalar, 0).text}:")
        scope.line(f"        {dice.choice([c + ' = ' + q, c + ' += 1'])}")
        scope.line(f"        {dice.choice(['break', 'continue', 'break'])}")
        if dice.chance(50):
            scope.line(f"    {c} += {dice.choice([1, 2])}")
        scope.locals.append(Local(c, I32))
        self.put(scope, target, names, Value(c), I32)
        self.after(scope)

    def _idiom_pairs(self, scope, target, source, data):
        """Neighbours in order, as odd-even sort does."""
        dice, scalar, i = self.dice, target.element.scalar, scope.fresh("ix")
        length, first = target.shape[-1].value, dice.choice([0, 1])
        if length < 4 or not target.element.isScalar:
            return False
        head = [str(dice.randrange(e.value)) for e in target.shape[:-1]]
        a, b = target.at([*head, i]), target.at([*head, f"{i} + 1"])
        scope.line(f"for {i} in range({first}, {length - 1}, 2):")
        scope.depth += 1
        op = dice.choice(["<", ">", "<="])
        if dice.chance(50):
            scope.line(f"if {a} {op} {b}:")
            scope.line(f"    {a}, {b} = {b}, {a}")
        else:
            name = scope.fresh("v")
            scope.line(f"{name}: {scalar.name} = {a}")
            scope.line(f"if {name} {op} {b}:")
            scope.line(f"    {a} = {b}")
            scope.line(f"    {b} = {name}")
        scope.depth -= 1
        return True

    def _idiom_advect(self, scope, target, source, data):
        """Positions that are floats, brought back to the grid."""
        dice = self.dice
        if self.floats == "none" or ("nanindex" in self.avoid and self.floats == "wild"):
            return False
        header, indices = self.whole(scope, target)
        names = [index.name for index in indices]
        self.begin(scope, header, indices, target.size, {target: names}, data)
        at = []
        for axis, extent in enumerate(source.shape):
            p = scope.fresh("v")
            half = dice.choice(["0.5", "0.25", "1.0", "0.0"])
            back = dice.choice(["0.5", half, half, "1.5"])
            move = f" - {self.fit(self.float(scope, self.f32, 1), self.f32, Bound(64, 2)).text}" \
                if dice.chance(50) and self.floats == "exact" else ""
            scope.line(f"{p}: f32 = (f32({names[axis % len(names)]}) + {half}){move} - {back}")
            at.append(f"clamp(i32({dice.choice(['floor', 'floor', 'ceil', 'round'])}({p})), 0, "
                      f"{extent.text} - 1)")
        self.put(scope, target, names, self.value(scope, source, at), source.element.scalar)
        self.after(scope)

    def _idiom_offset(self, scope, target, source, data):
        """Indices that are right but that nothing proves."""
        dice, scalar = self.dice, source.element.scalar
        small = [index for index in scope.indices if index.high <= 7 and index.low >= 0]
        count = min(target.shape[-1].value, source.shape[-1].value) - 7
        if not small or count < 1:
            return False
        p, i = dice.choice(small).name, scope.fresh("ix")
        own = [*(str(dice.randrange(e.value)) for e in target.shape[:-1]), i]
        head = [str(dice.randrange(e.value)) for e in source.shape[:-1]]
        self.begin(scope, f"{i} in range({count})", [Index(i, 0, count - 1)], count,
                   {target: own}, data)
        name, bound = self.total(scope, scalar, 8, HELD.get(scalar.name))
        q = scope.fresh("q")
        scope.line(f"for {q} in range({p}{dice.choice(['', ' + 1'])}):")
        value = self.fit(self.value(scope, source, [*head, f"{i} + {q}"]), scalar, bound)
        scope.line(f"    {name} += {value.text}")
        self.finish(scope, target, own, name, scalar)

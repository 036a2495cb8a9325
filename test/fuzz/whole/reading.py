"""Reads of names, elements and components, and the indices for them."""
from kinds import BOOL, I32, Mat, Vec
from places import isArray, isMat, isScalar, isVec


class Reading:
    """Part of Expressions: `scope`, `dice`, `program` are the writer's; `inside` counts
    the indices round the one that is written."""

    # -- indices -------------------------------------------------------------
    def index(self, length, fuel=1):
        """An i32 from 0 to length - 1, of which the compiler may know little."""
        dice, scope = self.dice, self.scope
        near = [index for index in scope.indices if 0 <= index.low and index.high < length]
        if near and dice.chance(45):
            index = dice.choice(near)
            return dice.choice([index.name] * 3 + [f"{length - 1} - {index.name}"]) \
                if index.scalar == I32 else index.name
        if near and self.program.isLean and dice.chance(70):
            name = dice.choice(near).name
            return dice.choice([f"({name} + {dice.choice([1, 2, 3])}) % {length}",
                                f"min({name} + {dice.choice([1, 2])}, {length - 1})",
                                f"max({name} - {dice.choice([1, 3])}, 0)",
                                f"({name} - 1) % {length}"])
        kind = dice.weighted({"constant": 25, "wrapped": 35, "shifted": 20, "clamped": 20,
                              "masked": 10, "guarded": 10})
        if kind == "constant" or length == 1 or self.inside >= 2:
            return str(dice.randrange(length))
        self.inside += 1
        text = self.computed(kind, length, fuel)
        self.inside -= 1
        return text

    def computed(self, kind, length, fuel):
        dice, scope = self.dice, self.scope
        if kind == "shifted" and scope.indices:
            name = dice.choice(scope.indices).name
            by = dice.choice(["+ 1", "- 1", "+ 2", f"+ {length // 2}", "- 3", "* 3", "* 2 + 1"])
            return f"({name} {by}) % {length}"
        e = self.integer(I32, fuel - 1)
        if self.program.mayStop and dice.chance(4):
            return f"{e} % {length + 1}"
        if kind == "clamped":
            return f"clamp({e}, 0, {length - 1})"
        if kind == "masked":
            power = 1 << (length.bit_length() - 1)
            return f"({e} & {power - 1})"
        if kind == "guarded":
            return f"({e} % {length} if {self.condition(fuel - 1)} else {dice.randrange(length)})"
        return f"{e} % {length}"

    def indices(self, field, fuel=1):
        dice, found = self.dice, []
        for extent in field.shape:
            at = self.index(extent.value, fuel)
            if dice.chance(15):  # the end as the program writes it
                at = f"{extent.text} - 1"
            found.append(at)
        return found

    def element(self, field, own, fuel=1):
        return field.at(own if own is not None else self.indices(field, fuel))

    # -- what is there -------------------------------------------------------
    def component(self, kind, fuel=0):
        """Behind a vec or mat: one of its numbers."""
        dice = self.dice
        if isMat(kind):
            i, j = self.index(kind.rows, fuel), self.index(kind.columns, fuel)
            return f"[{i}][{j}]" if dice.chance(15) else f"[{i}, {j}]"
        if kind.size <= 4 and dice.chance(50):
            return "." + dice.choice("xyzw"[:kind.size])
        return f"[{self.index(kind.size, fuel)}]"

    def found(self, kind, fuel=0):
        """A scalar that stands somewhere; None without any of its type."""
        dice, scope, table = self.dice, self.scope, {}
        names = scope.having(lambda k: k == kind)
        indices = [index for index in scope.indices if index.scalar == kind]
        elements = scope.readable(lambda f: f.kind == kind)
        parts = [v for v in scope.having(lambda k: not isScalar(k)) if v.kind.scalar == kind]
        members = scope.readable(lambda f: not isScalar(f.kind) and f.kind.scalar == kind)
        table = {"name": 30 * bool(names), "index": 15 * bool(indices),
                 "element": 30 * bool(elements), "part": 20 * bool(parts),
                 "member": 12 * bool(members)}
        if not any(table.values()):
            return None
        chosen = dice.weighted(table)
        if chosen == "name":
            return dice.choice(names).name
        if chosen == "index":
            return dice.choice(indices).name
        if chosen == "element":
            return self.element(*dice.choice(elements), fuel)
        if chosen == "part":
            var = dice.choice(parts)
            return var.name + self.part(var.kind, fuel)
        field, own = dice.choice(members)
        return self.element(field, own, fuel) + self.component(field.kind, fuel)

    def part(self, kind, fuel=1):
        """Behind a name of a vec, mat or array: one of its numbers."""
        if isArray(kind):
            return f"[{', '.join(self.index(n, fuel) for n in kind.shape)}]"
        return self.component(kind, fuel)

    def whole(self, kind, fuel=0):
        """A vec or mat that stands somewhere, or None."""
        dice, scope = self.dice, self.scope
        found = [v.name for v in scope.having(lambda k: k == kind)] * 2
        found += scope.readable(lambda f: f.kind == kind)
        if isVec(kind):
            found += [v for v in scope.having(isMat)
                      if v.kind.columns == kind.size and v.kind.scalar == kind.scalar]
            found += [v for v in scope.having(isVec) if v.kind.scalar == kind.scalar
                      and v.kind.size <= 4 and 2 <= kind.size <= 4 and v.kind.size >= 2]
        if not found:
            return None
        chosen = dice.choice(found)
        if isinstance(chosen, str):
            return chosen
        if isinstance(chosen[1], Mat):
            return f"{chosen.name}[{self.index(chosen.kind.rows, fuel)}]"
        if isinstance(chosen[1], Vec):
            letters = "xyzw"[:chosen.kind.size]
            return f"{chosen.name}.{''.join(dice.choice(letters) for _ in range(kind.size))}"
        return self.element(*chosen, fuel)

    def call(self, kind, fuel):
        """A call of a function with such a result, or None."""
        fit = [f for f in self.scope.functions if f.results == [kind]]
        return self.dice.choice(fit).call(self, fuel - 1) if fit else None

    def some(self, kind, fuel):
        """An expression of a kind."""
        if kind == BOOL:
            return self.condition(fuel)
        if isScalar(kind):
            return self.float(kind, fuel) if kind.isFloat else self.integer(kind, fuel)
        return self.vector(kind, fuel)

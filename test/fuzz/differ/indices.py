"""Indices that lie within an axis by construction: plain, shifted, reversed,
wrapped, clamped and gathered ones."""


class Indices:
    """Mixed into Expressions: needs self.integer and self.dice."""

    def position(self, scope, extent, fuel=1):
        """The text of an index from 0 to extent.value - 1."""
        dice = self.dice
        forms = {"wrap": 30, "clamp": 20, "gather": 12, "constant": 4, "float": 3, "divide": 5}
        plain = [i for i in scope.indices if i.low >= 0 and i.high < extent.value]
        if plain:
            forms.update(plain=40, reverse=14)
        near = [i for i in scope.indices if abs(i.low) < 4096 and abs(i.high) < 4096]
        if not near:
            forms = {"gather": 3, "constant": 1}
        if "wrap2" in self.avoid and extent.wrapsByMask:
            forms["wrap"] = 0
        if self.floats == "none" or ("nanindex" in self.avoid and self.floats == "wild"):
            forms["float"] = 0
        if fuel <= 0:  # an index of an index of an index must end
            forms["gather"] = 0
        kind = dice.weighted(forms)
        if kind == "constant":
            return str(dice.choice([0, extent.value - 1, dice.randrange(extent.value)]))
        if kind == "plain":
            return dice.choice(plain).name
        if kind == "reverse":
            return f"({extent.text} - 1 - {dice.choice(plain).name})"
        if kind == "gather":
            return self._gathered(scope, extent, fuel)
        if kind == "float":
            scalar = self.someFloat()
            return self.wrapped(f"i32({self.float(scope, scalar, fuel).text})", extent)
        return self._shifted(dice.choice(near), extent, kind)

    def _shifted(self, index, extent, kind):
        dice = self.dice
        shift = dice.choice([1, 1, 2, 3, 7, extent.value // 2])
        name = index.name if index.scalar.name == "i32" else f"i32({index.name})"
        moved = dice.choice([f"{name} + {shift}", f"{name} - {shift}", name])
        if kind == "wrap":
            moved = dice.choice([moved, moved, f"{name} + {extent.text} - {shift}",
                                 f"{name} * {dice.choice([2, 3, 5])}"])
            return f"({moved}) % {extent.text}"
        if kind == "divide":
            by = dice.choice([2, 3, 4, 8])
            return f"clamp(({moved}) // {by}, 0, {extent.text} - 1)"
        low = index.low - shift >= 0
        if low and dice.chance(50):
            return f"min({moved}, {extent.text} - 1)"
        return f"clamp({moved}, 0, {extent.text} - 1)"

    def _gathered(self, scope, extent, fuel):
        """An index out of data."""
        scalar = self.dice.choice([s for s in self.integers if s.most >= extent.value]
                                  or [self.i32])
        return self.wrapped(self.integer(scope, scalar, fuel).text, extent, scalar)

    def wrapped(self, text, extent, scalar=None):
        """Any integer brought into the axis."""
        if "wrap2" in self.avoid and extent.wrapsByMask:
            if scalar is not None and scalar.kind == "uint":
                return f"min({text}, {extent.value - 1})"
            return f"clamp({text}, 0, {extent.value - 1})"
        if scalar is not None and scalar.name == "i8" and "mod8" in self.avoid:
            return f"(i32({text}) % {extent.value})"
        by = str(extent.value) if scalar is not None and scalar.name != "i32" else extent.text
        return f"(({text}) % {by})"

    def indicesOf(self, scope, field, fuel=1):
        """Indices of some element of a field."""
        return [self.position(scope, extent, fuel) for extent in field.shape]

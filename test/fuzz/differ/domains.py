"""The domain of a parallel loop and the element that each iteration owns."""
from elements import I32, Index, SCALARS


class Domains:
    """Mixed into Kernels."""

    def _domain(self, scope, target):
        """(header, own indices, iterations) of a loop over axes of target."""
        dice, shape = self.dice, target.shape
        axes = list(range(len(shape)))
        if len(axes) > 1 and dice.chance(20):
            axes = sorted(dice.sample(axes, dice.randint(1, len(axes) - 1)))
        isWhole = len(axes) == len(shape)
        names = {axis: scope.fresh("ix") for axis in axes}
        if isWhole and dice.chance(35):
            scope.indices += [Index(names[a], 0, shape[a].value - 1) for a in axes]
            header = f"for {', '.join(names[a] for a in axes)} in {target.name}:"
            return header, self._own(shape, names, {}), target.size
        if isWhole and dice.chance(12):
            return self._grouped(scope, target)
        if len(shape) == 1 and dice.chance(12):
            return self._beside(scope, target)
        order = dice.sample(axes, len(axes)) if dice.chance(30) else axes
        spans, trips, shifts = [], 1, {}
        for axis in order:
            text, low, high, count, shift = self._span(shape[axis], len(order) == 1)
            spans.append(text)
            trips *= count
            shifts[axis] = shift
            scalar = I32 if shift is None or shift[1] is None else shift[1]
            scope.indices.append(Index(names[axis], low, high, scalar))
        listed = ", ".join(names[axis] for axis in order)
        if len(order) == 1:
            header = f"for {listed} in range({spans[0]}):"
        else:
            header = f"for {listed} in ndrange({', '.join(f'({s})' if ',' in s else s for s in spans)}):"
        return header, self._own(shape, names, shifts), trips

    def _grouped(self, scope, target):
        """A loop whose name holds all indices."""
        name = scope.fresh("ix")
        parts = [f"{name}.{'xyz'[axis]}" for axis in range(len(target.shape))]
        scope.indices += [Index(part, 0, extent.value - 1)
                          for part, extent in zip(parts, target.shape)]
        return f"for {name} in grouped({target.name}):", lambda: [name], target.size

    def _beside(self, scope, target):
        """A loop over one axis with something that counts beside it."""
        dice, extent = self.dice, target.shape[0]
        name, beside = scope.fresh("ix"), scope.fresh("j")
        both = [Index(name, 0, extent.value - 1), Index(beside, 0, extent.value - 1)]
        scope.indices += both
        other = dice.choice([f"range({extent.text})", f"reversed(range({extent.text}))",
                             f"range({extent.text} - 1, -1, -1)"])
        header = dice.choice([f"for {name}, {beside} in zip({target.name}, {other}):",
                              f"for {beside}, {name} in enumerate({other}):"])
        return header, self._own(target.shape, {0: name}, {}), extent.value

    def _span(self, extent, isAlone):
        """(range's text, least, greatest, count, (what is taken off, type))."""
        dice, size, text = self.dice, extent.value, extent.text
        kinds = {"whole": 55}
        if size > 2:
            kinds["inner"] = 25
        if isAlone:
            kinds.update(step=8, falling=8, long=5, ends=6 if "ends" not in self.avoid else 0)
        kind = dice.weighted(kinds)
        if kind == "inner":
            low, less = dice.choice([(0, 1), (1, 0), (1, 1), (1, 1)])
            return (f"{low}, {text} - {less}" if less else f"{low}, {text}", low,
                    size - 1 - less, size - low - less, None)
        if kind == "step":
            step = dice.choice([2, 3, 4, 7])
            return f"0, {text}, {step}", 0, size - 1, -(-size // step), None
        if kind == "long":  # counts in i64, as axes of loaded fields do
            return f"i64(0), i64({text})", 0, size - 1, size, (0, SCALARS["i64"])
        if kind == "falling":
            step = dice.choice([-1, -1, -2, -3])
            return f"{text} - 1, -1, {step}", 0, size - 1, size, None
        if kind == "ends":
            scalar = SCALARS[dice.choice(["i32", "u32", "i64", "i32"])]
            isLow = scalar.kind == "int" and dice.chance(30)
            first = scalar.least + 1 + dice.randint(0, 2) if isLow else \
                scalar.most - size - dice.randint(0, 2)
            cast = (lambda n: str(n)) if scalar != SCALARS["u32"] else (lambda n: f"u32({n})")
            span = f"{cast(first)}, {cast(first + size)}"
            if not isLow and dice.chance(30) and scalar.kind == "int":
                span = f"{first + size - 1}, {first - 1}, -1"
            return span, first, first + size - 1, size, (first, scalar)
        return text, 0, size - 1, size, None

    def _own(self, shape, names, shifts):
        """A function that writes the indices of the iteration's own element."""
        dice, fixed = self.dice, {}
        for axis, name in names.items():
            shift, extent = shifts.get(axis), shape[axis]
            kind = dice.weighted({"plain": 80, "reverse": 10, "rotate": 8})
            if shift is not None:
                first, scalar = shift
                less = f"{name} - {first}" if first >= 0 else f"{name} + {-first}"
                fixed[axis] = f"i32({less})" if scalar == I32 or dice.chance(50) else f"({less})"
            elif kind == "reverse":
                fixed[axis] = f"{extent.text} - 1 - {name}"
            elif kind == "rotate" and not ("wrap2" in self.avoid and extent.wrapsByMask):
                fixed[axis] = f"({name} + {dice.choice([1, 2, extent.value - 1])}) % {extent.text}"
            else:
                fixed[axis] = name

        def own():
            return [fixed[axis] if axis in fixed else self._anywhere(shape[axis])
                    for axis in range(len(shape))]
        return own

    def _anywhere(self, extent):
        dice = self.dice
        return str(dice.choice([0, extent.value - 1, dice.randrange(extent.value)]))

    def _alsoOwn(self, scope, field):
        """Own indices in another field: each index of the loop takes an axis."""
        loops = [i for i in scope.indices if i.name.startswith("i")]
        axes = list(range(len(field.shape)))
        if len(axes) < len(loops):
            return None
        chosen = self.dice.sample(axes, len(loops))
        if self.dice.chance(70):
            chosen.sort()
        names = {}
        for axis, index in zip(chosen, loops):
            if index.low < 0 or index.high >= field.shape[axis].value or index.scalar != I32:
                return None
            names[axis] = index.name
        return self._own(field.shape, names, {})

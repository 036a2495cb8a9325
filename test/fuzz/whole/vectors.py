"""Expressions of vecs and mats of any size."""
from kinds import HELD, Mat, Vec
from places import isMat, isVec


class Vectors:
    def vector(self, kind, fuel):
        if fuel <= 0:
            return self.whole(kind) or self.built(kind, 0)
        isExact = kind.scalar.isFloat and self.program.floats == "exact"
        table = {"built": 20, "whole": 20, "choice": 8, "negated": 4, "extreme": 6, "call": 6}
        if not isExact:
            table.update(componentwise=30, scaled=15, product=12, changed=5, quotient=4)
        else:
            table.update(componentwise=20)
        found = getattr(self, "vector_" + self.dice.weighted(table))(kind, fuel - 1)
        return found or self.built(kind, fuel - 1)

    def built(self, kind, fuel):
        """Component by component."""
        dice, scalar = self.dice, kind.scalar
        if dice.chance(15):
            return f"{kind.text}({self.some(scalar, fuel)})"
        if isVec(kind):
            parts = ", ".join(self.some(scalar, min(fuel, 1) if kind.size < 5 else 0)
                              for _ in range(kind.size))
            return f"[{parts}]" if dice.chance(40) and kind.size > 1 else f"{kind.text}({parts})"
        if kind.rows * kind.columns > 12:
            return f"{kind.text}({self.some(scalar, fuel)})"
        rows = ", ".join("[" + ", ".join(self.some(scalar, 0) for _ in range(kind.columns)) + "]"
                         for _ in range(kind.rows))
        return f"{kind.text}([{rows}])"

    def vector_built(self, kind, fuel):
        return self.built(kind, fuel)

    def vector_whole(self, kind, fuel):
        return self.whole(kind, fuel)

    def vector_componentwise(self, kind, fuel):
        a, b = self.vector(kind, fuel), self.vector(kind, fuel)
        if kind.scalar.isFloat and self.program.floats == "exact":
            most = HELD[kind.scalar.name].mag
            return f"clamp({a} {self.dice.choice('+-')} {b}, -{most}, {most})"
        ops = "+-*" if kind.scalar.isFloat else "+-*&|^"
        return f"({a} {self.dice.choice(ops)} {b})"

    def vector_quotient(self, kind, fuel):
        a = self.vector(kind, fuel)
        if kind.scalar.isFloat:
            return f"({a} / {self.vector(kind, fuel)})"
        return f"({a} {self.dice.choice(['//', '%'])} {self.dice.choice([2, 3, 5, 8])})"

    def vector_scaled(self, kind, fuel):
        a, s = self.vector(kind, fuel), self.some(kind.scalar, fuel)
        if self.dice.chance(30):
            a, s = s, a
        return f"({a} {self.dice.choice('+-*')} {s})"

    def vector_negated(self, kind, fuel):
        return f"(-{self.vector(kind, fuel)})"

    def vector_extreme(self, kind, fuel):
        a, b = self.vector(kind, fuel), self.vector(kind, fuel)
        return f"{self.dice.choice(['min', 'max'])}({a}, {b})"

    def vector_choice(self, kind, fuel):
        return f"({self.vector(kind, fuel)} if {self.condition(fuel)} else " \
               f"{self.vector(kind, fuel)})"

    def vector_call(self, kind, fuel):
        return self.call(kind, fuel)

    def vector_changed(self, kind, fuel):
        """Functions by component, and casts."""
        dice, a = self.dice, self.vector(kind, fuel)
        if kind.scalar.isFloat:
            return f"{dice.choice(['abs', 'floor', 'sqrt', 'sin', 'exp', 'tanh'])}({a})"
        return f"abs({a})" if dice.chance(50) else f"({a} ** 2)"

    def vector_product(self, kind, fuel):
        """What a product of matrices, a column or a transpose gives."""
        dice, scalar = self.dice, kind.scalar
        inner = dice.choice([1, 2, 3, 4, 2, 3, 5])
        if isMat(kind):
            forms = ["@", "transpose", "outer"]
            if kind.rows == kind.columns and scalar.isFloat and scalar.bits > 16:
                forms += ["inverse"]
            form = dice.choice(forms)
            if form == "@":
                return f"({self.vector(Mat(kind.rows, inner, scalar), 0)} @ " \
                       f"{self.vector(Mat(inner, kind.columns, scalar), 0)})"
            if form == "transpose":
                return f"{self.vector(Mat(kind.columns, kind.rows, scalar), fuel)}.transpose()"
            if form == "inverse":
                return f"{self.vector(kind, 0)}.inverse()"
            return f"{self.vector(Vec(kind.rows, scalar), 0)}" \
                   f".outer({self.vector(Vec(kind.columns, scalar), 0)})"
        forms = ["@", "@"]
        forms += ["cross"] * (kind.size == 3) + ["normalized"] * scalar.isFloat
        mats = [v for v in self.scope.having(isMat)
                if v.kind.rows == kind.size and v.kind.scalar == scalar]
        forms += ["col"] * bool(mats)
        form = dice.choice(forms)
        if form == "col":
            mat = dice.choice(mats)
            return f"{mat.name}.col({self.index(mat.kind.columns, 0)})"
        if form == "@":
            return f"({self.vector(Mat(kind.size, inner, scalar), 0)} @ " \
                   f"{self.vector(Vec(inner, scalar), 0)})"
        a = self.vector(kind, 0)
        if form == "normalized":
            return f"{a}.normalized({dice.choice(['', '', '1e-3'])})"
        return f"{a}.cross({self.vector(kind, 0)})"

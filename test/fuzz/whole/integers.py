"""Expressions of integers, and conditions."""
from kinds import BOOL, I32, INTEGERS, SCALARS
from places import isVec

WIDENED = {"i16": ["i8"], "i32": ["i8", "i16", "u8", "u16"], "u16": ["u8"], "u32": ["u8", "u16"],
           "i64": ["i8", "i16", "i32", "u8", "u16"], "u64": ["u8", "u16", "u32"]}


class Integers:
    def literal(self, scalar):
        dice = self.dice
        ends = [0, 1, 2, 3, 4, 5, 7, 10, scalar.most, scalar.least + 1, scalar.most // 3,
                dice.randint(scalar.least + 1, scalar.most), dice.randint(0, 100)]
        if scalar.family == "signed":
            ends += [-1, -2, -5]
        value = dice.choice(ends[:8] + ends)
        if value >= 0 and dice.chance(8):
            return hex(value)
        return str(value)

    def integerLeaf(self, scalar):
        dice = self.dice
        if dice.chance(80):
            found = self.found(scalar)
            if found:
                return found
        others = [each for each in self.program.integers if each != scalar]
        if others and dice.chance(60):
            found = self.found(dice.choice(others))
            if found:
                return f"{scalar.name}({found})"
        if self.scope.indices and dice.chance(60):
            return f"{scalar.name}({dice.choice(self.scope.indices).name})"
        return f"{scalar.name}({self.literal(scalar)})"

    def integer(self, scalar, fuel):
        if fuel <= 0:
            return self.integerLeaf(scalar)
        kind = self.dice.weighted({
            "sum": 30, "bits": 12, "shift": 6, "quotient": 9, "extreme": 8, "choice": 9, "cast": 12,
            "unary": 5, "power": 2, "call": 8, "leaf": 10, "mixed": 6, "vector": 5, "count": 2,
            "table": 3})
        found = getattr(self, "integer_" + kind)(scalar, fuel - 1)
        return found or self.integerLeaf(scalar)

    def operand(self, scalar, fuel):
        """The right operand, which may be a literal without a cast."""
        return self.literal(scalar) if self.dice.chance(25) else self.integer(scalar, fuel)

    def integer_leaf(self, scalar, fuel):
        return self.integerLeaf(scalar)

    def integer_sum(self, scalar, fuel):
        return f"({self.integer(scalar, fuel)} {self.dice.choice('++--*')} " \
               f"{self.operand(scalar, fuel)})"

    def integer_bits(self, scalar, fuel):
        return f"({self.integer(scalar, fuel)} {self.dice.choice('&|^')} " \
               f"{self.operand(scalar, fuel)})"

    def integer_shift(self, scalar, fuel):
        by = f"({self.integer(scalar, fuel)} & {self.dice.choice([3, 7, 15, 31, 63])})"
        if self.dice.chance(50):
            by = str(self.dice.choice([1, 2, 3, 4, 7, scalar.bits - 1, scalar.bits // 2]))
        return f"({self.integer(scalar, fuel)} {self.dice.choice(['<<', '>>'])} {by})"

    def integer_quotient(self, scalar, fuel):
        dice = self.dice
        by = str(dice.choice([2, 3, 4, 5, 7, 8, 10, 16, 25, 100]))
        if scalar.family == "signed" and dice.chance(20):
            by = dice.choice(["-1", "-2", "-3", "-8"])
        if dice.chance(35):
            by = f"({self.integer(scalar, fuel)} | {0 if self.mayFail(8) else 1})"
        return f"({self.integer(scalar, fuel)} {dice.choice(['//', '%'])} {by})"

    def mayFail(self, percent):
        return self.program.mayStop and self.dice.chance(percent)

    def integer_extreme(self, scalar, fuel):
        dice = self.dice
        a, b = self.integer(scalar, fuel), self.operand(scalar, fuel)
        if dice.chance(30):
            low, high = sorted(dice.randint(scalar.least // 2, scalar.most // 2) for _ in "ab")
            return f"clamp({a}, {low}, {high})"
        if dice.chance(20):
            return f"{dice.choice(['min', 'max'])}({a}, {b}, {self.integer(scalar, 0)})"
        return f"{dice.choice(['min', 'max'])}({a}, {b})"

    def integer_choice(self, scalar, fuel):
        return f"({self.integer(scalar, fuel)} if {self.condition(fuel)} " \
               f"else {self.integer(scalar, fuel)})"

    def integer_cast(self, scalar, fuel):
        dice = self.dice
        if self.program.floats != "none" and dice.chance(35):
            return f"{scalar.name}({self.float(self.someFloat(), fuel)})"
        if dice.chance(15):
            return f"{scalar.name}({self.condition(fuel)})"
        return f"{scalar.name}({self.integer(dice.choice(INTEGERS), fuel)})"

    def integer_unary(self, scalar, fuel):
        a = self.integer(scalar, fuel)
        forms = [f"(~{a})", f"abs({a})", f"(-{a})", f"sign({a})"]
        return self.dice.choice(forms if scalar.family == "signed" else forms[:3])

    def integer_power(self, scalar, fuel):
        return f"({self.integer(scalar, fuel)} ** {self.dice.choice([0, 1, 2, 2, 3, 5])})"

    def integer_call(self, scalar, fuel):
        return self.call(scalar, fuel)

    def integer_mixed(self, scalar, fuel):
        """An operand of a narrower type, widened silently."""
        fit = WIDENED.get(scalar.name)
        if not fit:
            return None
        other = SCALARS[self.dice.choice(fit)]
        a, b = self.integer(scalar, fuel), self.integer(other, fuel)
        if self.dice.chance(50):
            a, b = b, a
        return f"({a} {self.dice.choice('+-*&|^')} {b})"

    def integer_vector(self, scalar, fuel):
        fit = [v for v in self.scope.having(isVec) if v.kind.scalar == scalar]
        if not fit:
            return None
        v = self.dice.choice(fit)
        if self.dice.chance(30):
            return f"{v.name}.dot({self.vector(v.kind, fuel)})"
        what = self.dice.choice(["sum", "min", "max"] + ["norm_sqr"] * (scalar.bits >= 32))
        # A sum of integers may be wider than they are.
        return f"{scalar.name}({v.name}.{what}())"

    def integer_table(self, scalar, fuel):
        """A constant of a list of them."""
        if not self.program.tables:
            return None
        name, length = self.dice.choice(self.program.tables)
        return f"{scalar.name}(i32({name}[{self.index(length, fuel)}]))"

    def integer_count(self, scalar, fuel):
        fit = self.scope.having(lambda k: k == BOOL)
        return f"{scalar.name}({self.dice.choice(fit).name})" if fit else None

    # -- conditions ----------------------------------------------------------
    def condition(self, fuel):
        dice = self.dice
        if fuel <= 0 or dice.chance(12):
            found = self.found(BOOL) if dice.chance(60) else None
            if found:
                return found
        kind = dice.weighted({"compare": 50, "edge": 25, "logic": 20, "not": 5, "chain": 6,
                              "member": 4, "vector": 5, "class": 3, "call": 5})
        if kind == "edge" and self.scope.indices:
            index = dice.choice(self.scope.indices)
            at = dice.randint(index.low, max(index.low, index.high))
            return f"({index.name} {dice.choice(['<', '<=', '==', '!=', '>', '>='])} {at})"
        if kind == "call":
            return self.call(BOOL, fuel) or "True"
        if fuel > 1:
            if kind == "logic":
                return f"({self.condition(fuel - 1)} {dice.choice(['and', 'or'])} " \
                       f"{self.condition(fuel - 1)})"
            if kind == "not":
                return f"(not {self.condition(fuel - 1)})"
        if kind == "member":
            a, low = self.integer(I32, fuel - 1), dice.randint(-3, 5)
            return dice.choice([f"({a} in range({low}, {low + dice.randint(1, 40)}))",
                                f"({a} in ({low}, {low + 2}, {low + 5}))"])
        if kind == "vector":
            found = self.vectorCondition(fuel - 1)
            if found:
                return found
        if kind == "class" and self.program.floats == "wild":
            return f"{dice.choice(['isnan', 'isfinite', 'isinf'])}" \
                   f"({self.float(self.someFloat(), fuel - 1)})"
        return self.comparison(kind, fuel - 1)

    def comparison(self, kind, fuel):
        dice = self.dice
        scalar = self.someFloat() if self.program.floats != "none" and dice.chance(30) \
            else dice.choice(self.program.integers)
        a, b = self.some(scalar, fuel), self.some(scalar, fuel)
        if scalar.isInteger and dice.chance(30):
            b = self.literal(scalar)
        if kind == "chain":
            return f"({a} <= {b} {dice.choice(['<', '<=', '!='])} {self.some(scalar, 0)})"
        return f"({a} {dice.choice(['<', '<=', '==', '!=', '>', '>='])} {b})"

    def vectorCondition(self, fuel):
        fit = [v for v in self.scope.having(isVec) if v.kind.scalar != BOOL]
        if not fit:
            return None
        v, dice = self.dice.choice(fit), self.dice
        op = dice.choice(["<", ">", "==", "!=", "<="])
        return f"({v.name} {op} {self.vector(v.kind, fuel)}).{dice.choice(['any', 'all'])}()"

"""Expressions of floats: wild ones, and exact ones, which nothing rounds."""
from kinds import FLOATS, HELD, I32, REACH, Room, SCALARS
from places import isVec

NUMBERS = ["0.0", "-0.0", "0.5", "1.5", "-2.25", "3", "1e-3", "math.pi", "1e4", "0.1", "-0.3",
           "math.inf", "-math.inf", "math.nan", "1e-7", "65504.0", "1e-5", "2.5", "-0.5", "1e30"]
#: what has no upper end in f16
LARGE = {"1e30"}
UNARY = ["abs", "floor", "ceil", "round", "sign", "trunc"]
ELEMENTARY = ["sqrt", "sin", "cos", "exp", "tanh", "atan", "log", "log2", "cbrt", "exp2", "tan",
              "asin", "acos", "sinh", "cosh", "asinh", "log1p", "expm1", "erf", "log10"]


class Floats:
    def someFloat(self):
        return SCALARS[self.dice.choice(self.program.floatNames)]

    def float(self, scalar, fuel):
        if self.program.floats == "exact":
            return self.held(scalar, *self.exact(scalar, REACH[scalar.name], fuel))
        return self.wild(scalar, fuel)

    # -- wild ones -----------------------------------------------------------
    def wildLeaf(self, scalar):
        dice = self.dice
        if dice.chance(80):
            found = self.found(scalar)
            if found:
                return found
        if dice.chance(30):
            return f"{scalar.name}({self.integer(I32, 0)})"
        number = dice.choice(NUMBERS)
        if scalar.name == "f16" and number in LARGE:
            number = "1.0"
        return f"{scalar.name}({number})"

    def wild(self, scalar, fuel):
        if fuel <= 0:
            return self.wildLeaf(scalar)
        kind = self.dice.weighted({
            "sum": 40, "quotient": 8, "unary": 10, "elementary": 9, "two": 4, "extreme": 10,
            "choice": 10, "leaf": 8, "cast": 8, "call": 8, "modulo": 5, "mixed": 6, "vector": 6,
            "bare": 8, "power": 3})
        found = getattr(self, "wild_" + kind)(scalar, fuel - 1)
        return found or self.wildLeaf(scalar)

    def wild_leaf(self, scalar, fuel):
        return self.wildLeaf(scalar)

    def wild_sum(self, scalar, fuel):
        return f"({self.wild(scalar, fuel)} {self.dice.choice('+-**')} {self.wild(scalar, fuel)})"

    def wild_bare(self, scalar, fuel):
        """A literal takes the type of the other operand."""
        number = self.dice.choice(["2", "0.5", "0.1", "3.25", "1e-3", "7", "1.0"])
        return f"({self.wild(scalar, fuel)} {self.dice.choice('+-*/')} {number})"

    def wild_quotient(self, scalar, fuel):
        return f"({self.wild(scalar, fuel)} / {self.wild(scalar, fuel)})"

    def wild_unary(self, scalar, fuel):
        name, a = self.dice.choice([*UNARY, "-", "-"]), self.wild(scalar, fuel)
        return f"(-{a})" if name == "-" else f"{name}({a})"

    def wild_elementary(self, scalar, fuel):
        return f"{self.dice.choice(ELEMENTARY)}({self.wild(scalar, fuel)})"

    def wild_two(self, scalar, fuel):
        a, b = self.wild(scalar, fuel), self.wild(scalar, fuel)
        return f"{self.dice.choice(['atan2', 'hypot'])}({a}, {b})"

    def wild_power(self, scalar, fuel):
        a = self.wild(scalar, fuel)
        return self.dice.choice([f"({a} ** 2)", f"({a} ** 3)", f"({a} ** 0.5)",
                                 f"({a} ** {self.wild(scalar, fuel)})", f"({a} ** -1)"])

    def wild_extreme(self, scalar, fuel):
        dice = self.dice
        a, b = self.wild(scalar, fuel), self.wild(scalar, fuel)
        if dice.chance(25):
            return f"clamp({a}, {dice.choice(['-1', '-0.5', '0'])}, {dice.choice(['1', '0.75'])})"
        if dice.chance(10):
            return f"mix({a}, {b}, {dice.choice(['0.25', '0.5'])})"
        return f"{dice.choice(['min', 'max'])}({a}, {b})"

    def wild_choice(self, scalar, fuel):
        return f"({self.wild(scalar, fuel)} if {self.condition(fuel)} else " \
               f"{self.wild(scalar, fuel)})"

    def wild_cast(self, scalar, fuel):
        kinds = [*self.program.integers, *FLOATS]
        return f"{scalar.name}({self.some(self.dice.choice(kinds), fuel)})"

    def wild_call(self, scalar, fuel):
        return self.call(scalar, fuel)

    def wild_modulo(self, scalar, fuel):
        op = self.dice.choice(["%", "//"])
        return f"({self.wild(scalar, fuel)} {op} {self.wild(scalar, fuel)})"

    def wild_mixed(self, scalar, fuel):
        """Another type, which the operator brings to this one."""
        fit = [I32] if scalar.name != "f16" else []
        fit += [each for each in FLOATS if each.bits < scalar.bits]
        if not fit:
            return None
        return f"({self.wild(scalar, fuel)} {self.dice.choice('+-*')} " \
               f"{self.some(self.dice.choice(fit), fuel)})"

    def wild_vector(self, scalar, fuel):
        fit = [v for v in self.scope.having(isVec) if v.kind.scalar == scalar]
        if not fit:
            return None
        v = self.dice.choice(fit)
        if self.dice.chance(35):
            return f"{v.name}.dot({self.vector(v.kind, fuel)})"
        if scalar.name == "f16":
            return f"f16({v.name}.{self.dice.choice(['sum', 'min', 'max', 'norm'])}())"
        return f"{v.name}.{self.dice.choice(['sum', 'min', 'max', 'norm', 'norm_sqr'])}()"

    # -- exact ones ----------------------------------------------------------
    def held(self, scalar, text, room):
        """Brings an exact float to what a name holds."""
        held = HELD[scalar.name]
        if room.frac > held.frac:
            text = f"floor({text})"
        if room.mag > held.mag:
            text = f"clamp({text}, -{held.mag}, {held.mag})"
        return text

    def exactLeaf(self, scalar, room):
        dice, held = self.dice, HELD[scalar.name]
        if held.mag <= room.mag and held.frac <= room.frac and dice.chance(75):
            found = self.found(scalar)
            if found:
                return found, held
        most = next(n for n in (7, 3, 1, 0) if n <= room.mag)
        if dice.chance(30) and room.frac >= 1 and most:
            return f"{scalar.name}({dice.choice([0.5, -0.5, 1.0, -1.0, 0.0])})", Room(1, 1)
        return f"{scalar.name}({self.integer(I32, 0)} & {most})", Room(most, 0)

    def exact(self, scalar, room, fuel):
        """(text, what it stays within) of an expression no larger than `room`."""
        dice = self.dice
        if fuel <= 0 or room.mag < 16:
            return self.exactLeaf(scalar, room)
        kind = dice.weighted({"sum": 40, "product": 25, "unary": 12, "extreme": 10, "choice": 10,
                              "leaf": 10, "call": 5, "half": 4, "cast": 5})
        if kind == "sum":
            half = Room(room.mag // 2, room.frac)
            (a, p), (b, q) = self.exact(scalar, half, fuel - 1), self.exact(scalar, half, fuel - 1)
            return f"({a} {dice.choice('++-')} {b})", Room(p.mag + q.mag, max(p.frac, q.frac))
        if kind == "product":
            side = Room(int(room.mag ** 0.5), room.frac // 2)
            (a, p), (b, q) = self.exact(scalar, side, fuel - 1), self.exact(scalar, side, fuel - 1)
            return f"({a} * {b})", Room(p.mag * q.mag, p.frac + q.frac)
        if kind == "half" and room.frac > 0:
            a, p = self.exact(scalar, Room(room.mag, room.frac - 1), fuel - 1)
            return dice.choice([f"({a} / 2)", f"({a} * 0.5)"]), Room(p.mag, p.frac + 1)
        if kind == "unary":
            a, p = self.exact(scalar, Room(room.mag - 1, room.frac), fuel - 1)
            name = dice.choice([*UNARY, "-", "-"])
            if name in ("-", "abs"):
                return (f"(-{a})" if name == "-" else f"abs({a})"), p
            return f"{name}({a})", Room(p.mag + 1, 0)
        held = HELD[scalar.name]
        if kind in ("call", "cast") and held.mag <= room.mag and held.frac <= room.frac:
            if kind == "cast":
                other = self.someFloat()
                text, p = self.exact(other, REACH[other.name], fuel - 1)
                low = Room(min(HELD[other.name].mag, held.mag), min(HELD[other.name].frac, held.frac))
                text = f"floor({text})" if p.frac > low.frac else text
                return f"{scalar.name}(clamp({text}, -{low.mag}, {low.mag}))", low
            text = self.call(scalar, fuel)
            if text:
                return text, held
        if kind in ("extreme", "choice"):
            (a, p), (b, q) = (self.exact(scalar, room, fuel - 1) for _ in "ab")
            both = Room(max(p.mag, q.mag), max(p.frac, q.frac))
            if kind == "extreme":
                return f"{dice.choice(['min', 'max'])}({a}, {b})", both
            return f"({a} if {self.condition(fuel - 1)} else {b})", both
        return self.exactLeaf(scalar, room)

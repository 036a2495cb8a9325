"""Expressions of a wanted type out of what is in scope."""
from typing import NamedTuple

from elements import BOOL, Bound, Element, HELD, I32, Local, SCALARS
from indices import Indices


class Value(NamedTuple):
    text: str
    bound: Bound = None  # of exact floats


class Expressions(Indices):
    i32, f32 = I32, SCALARS["f32"]

    def __init__(self, program):
        self.program, self.dice = program, program.dice
        self.avoid, self.floats = program.avoid, program.floats
        self.integers = [SCALARS[name] for name in program.integers]

    def someFloat(self):
        return SCALARS[self.dice.choice(self.program.floatTypes)]

    def some(self, scope, scalar, fuel):
        if scalar.isFloat:
            return self.float(scope, scalar, fuel)
        return Value(self.boolean(scope, fuel)) if scalar == BOOL \
            else self.integer(scope, scalar, fuel)

    # -- what is there -------------------------------------------------------
    def element(self, scope, scalar, fuel):
        """A scalar of a field, a vec, an array or a local; None without any."""
        dice, found = self.dice, []
        names = [local for local in scope.locals if local.scalar == scalar]
        if names:
            found += ["local"] * 2
        fields = scope.elementsToRead(
            lambda field: field.element.scalar == scalar and not field.isSink)
        found += ["field"] * (3 if fields else 0)
        vecs = [vec for vec in scope.vecs if vec[1].scalar == scalar]
        arrays = [array for array in scope.arrays if array[1] == scalar]
        found += ["vec"] * bool(vecs) + ["array"] * bool(arrays)
        if not found:
            return None
        kind = dice.choice(found)
        if kind == "local":
            local = dice.choice(names)
            return Value(local.name, local.bound)
        held = HELD.get(scalar.name)
        if kind == "vec":
            name, element, _ = dice.choice(vecs)
            return Value(name + self.component(scope, element), held)
        if kind == "array":
            name, _, length = dice.choice(arrays)
            near = [i.name for i in scope.indices if i.scalar == I32]
            at = self.wrapped(dice.choice(near), length) if near else str(length.value - 1)
            return Value(f"{name}[{at}]", held)
        field, own = dice.choice(fields)
        at = own() if own is not None else self.indicesOf(scope, field, min(fuel, 1))
        return Value(field.at(at) + self.component(scope, field.element), held)

    def component(self, scope, element):
        if element.isScalar:
            return ""
        if element.columns:
            return f"[{self.dice.randrange(element.rows)}, {self.dice.randrange(element.columns)}]"
        if element.rows <= 4 and self.dice.chance(50):
            return "." + self.dice.choice("xyzw"[:element.rows])
        return f"[{self.dice.randrange(element.rows)}]"

    # -- integers ------------------------------------------------------------
    def literal(self, scalar):
        ends = [0, 1, 2, 3, 5, 7, scalar.most, scalar.most - 1, scalar.least + 1,
                self.dice.randint(scalar.least + 1, scalar.most), self.dice.randint(0, 100)]
        if scalar.kind == "int":
            ends += [-1, -2, -7]
        return str(self.dice.choice(ends[:6] + ends))

    def leaf(self, scope, scalar):
        dice = self.dice
        if dice.chance(75):
            value = self.element(scope, scalar, 0)
            if value:
                return value.text
            other = dice.choice(self.integers)
            value = self.element(scope, other, 0) if dice.chance(60) else None
            if value:
                return f"{scalar.name}({value.text})"
        if scope.indices and dice.chance(75):
            index = dice.choice(scope.indices)
            return index.name if index.scalar == scalar else f"{scalar.name}({index.name})"
        return f"{scalar.name}({self.literal(scalar)})"

    def integer(self, scope, scalar, fuel):
        dice, name = self.dice, scalar.name
        if fuel <= 0:
            return Value(self.leaf(scope, scalar))
        kind = dice.weighted({"arithmetic": 40, "bits": 14, "shift": 6, "divide": 8, "extreme": 8,
                              "choice": 10, "cast": 14, "unary": 5, "power": 2, "call": 5,
                              "leaf": 12})
        if kind == "leaf":
            return Value(self.leaf(scope, scalar))
        if kind == "call":
            return self.call(scope, scalar, fuel) or Value(self.leaf(scope, scalar))
        a = self.integer(scope, scalar, fuel - 1).text
        b = self.literal(scalar) if dice.chance(30) else \
            self.integer(scope, scalar, fuel - 1).text
        if kind == "arithmetic":
            return Value(f"({a} {dice.choice('++--*')} {b})")
        if kind == "bits":
            return Value(f"({a} {dice.choice('&|^')} {b})")
        if kind == "shift":
            most = dice.choice([7, 15, 31, 63])
            return Value(f"({a} {dice.choice(['<<', '>>'])} ({b} & {most}))")
        if kind == "divide":
            return Value(self._quotient(scope, scalar, a, fuel))
        if kind == "extreme":
            if dice.chance(20):
                low, high = sorted(dice.randint(scalar.least // 2, scalar.most) for _ in "ab")
                return Value(f"clamp({a}, {low}, {high})")
            return Value(f"{dice.choice(['min', 'max'])}({a}, {b})")
        if kind == "choice":
            return Value(f"({a} if {self.boolean(scope, fuel - 1)} else {name}({b}))")
        if kind == "unary":
            return Value(dice.choice([f"(-{a})", f"(~{a})", f"abs({a})"]))
        if kind == "power":
            return Value(f"({a} ** {dice.choice([2, 3, 2, 5])})")
        return Value(f"{name}({self.source(scope, scalar, fuel - 1)})")

    def _quotient(self, scope, scalar, a, fuel):
        by = str(self.dice.choice([2, 3, 4, 7, 8, 10, 16, 100]))
        op = self.dice.choice(["//", "%"])
        if self.dice.chance(30):
            by = f"({self.integer(scope, scalar, fuel - 1).text} | 1)"
        if op == "%" and scalar.name == "i8" and "mod8" in self.avoid:
            op = "//"
        return f"({a} {op} {by})"

    def source(self, scope, scalar, fuel):
        """What is cast to an integer."""
        dice = self.dice
        if self.floats != "none" and dice.chance(30):
            return self.float(scope, self.someFloat(), fuel).text
        if dice.chance(15):
            return self.boolean(scope, fuel)
        return self.integer(scope, dice.choice(self.integers), fuel).text

    def call(self, scope, scalar, fuel):
        fit = [f for f in scope.functions if f.result == scalar]
        if not fit:
            return None
        function = self.dice.choice(fit)
        arguments = []
        for parameter in function.parameters:
            value = self.some(scope, parameter, min(fuel - 1, 1))
            arguments.append(self.fit(value, parameter, HELD.get(parameter.name)).text)
        return Value(f"{function.name}({', '.join(arguments)})", HELD.get(scalar.name))

    # -- conditions ----------------------------------------------------------
    def boolean(self, scope, fuel):
        dice = self.dice
        if fuel <= 0 or dice.chance(15):
            value = self.element(scope, BOOL, 0) if dice.chance(50) else None
            if value:
                return value.text
            fuel = 1
        kind = dice.weighted({"compare": 60, "edge": 20, "logic": 18, "not": 6, "chain": 6})
        if kind == "edge" and scope.indices:
            index = dice.choice(scope.indices)
            at = dice.choice([index.low, index.high, index.low + 1, index.high - 1,
                              (index.low + index.high) // 2])
            at = max(index.low, min(index.high, at))
            return f"({index.name} {dice.choice(['<', '<=', '==', '!=', '>', '>='])} {at})"
        if kind == "logic" and fuel > 1:
            return (f"({self.boolean(scope, fuel - 1)} {dice.choice(['and', 'or'])} "
                    f"{self.boolean(scope, fuel - 1)})")
        if kind == "not":
            return f"(not {self.boolean(scope, fuel - 1)})"
        scalar = self.someFloat() if self.floats != "none" and dice.chance(30) \
            else dice.choice(self.integers)
        a, b = (self.some(scope, scalar, fuel - 1).text for _ in "ab")
        op = dice.choice(["<", "<=", "==", "!=", ">", ">="])
        if kind == "chain":
            c = self.some(scope, scalar, 0).text
            return f"({a} <= {b} {dice.choice(['<', '<=', '!='])} {c})"
        return f"({a} {op} {b})"

    # -- floats --------------------------------------------------------------
    def fit(self, value, scalar, bound):
        """Brings an exact float within a bound; other values stay."""
        if not scalar.isFloat or self.floats != "exact" or value.bound.within(bound):
            return value
        text = value.text if value.bound.frac <= bound.frac else f"floor({value.text})"
        if value.bound.mag > bound.mag:
            text = f"clamp({text}, -{bound.mag}, {bound.mag})"
        return Value(text, bound)

    def float(self, scope, scalar, fuel):
        if self.floats == "exact":
            return self._exact(scope, scalar, fuel)
        return Value(self._wild(scope, scalar, fuel))

    def _exactLeaf(self, scope, scalar):
        dice = self.dice
        if dice.chance(75):
            value = self.element(scope, scalar, 0)
            if value and value.bound.fits(scalar):
                return value
        if dice.chance(30):
            frac = dice.randint(0, HELD[scalar.name].frac)
            number = dice.randint(-8, 8) / 2 ** frac
            return Value(f"{scalar.name}({number})", Bound(8, frac))
        most = dice.choice([1, 3, 7])
        return Value(f"{scalar.name}({self.integer(scope, I32, 0).text} & {most})", Bound(most, 0))

    def _exact(self, scope, scalar, fuel):
        dice = self.dice
        if fuel <= 0:
            return self._exactLeaf(scope, scalar)
        kind = dice.weighted({"sum": 40, "product": 20, "unary": 15, "extreme": 8, "choice": 10,
                              "leaf": 10, "cast": 6, "call": 5, "half": 4})
        if kind == "leaf":
            return self._exactLeaf(scope, scalar)
        if kind == "call":
            return self.call(scope, scalar, fuel) or self._exactLeaf(scope, scalar)
        if kind == "cast":
            other = self.float(scope, self.someFloat(), fuel - 1)
            other = self.fit(other, scalar, HELD[scalar.name])
            return Value(f"{scalar.name}({other.text})", other.bound)
        a = self._exact(scope, scalar, fuel - 1)
        if kind == "half":
            found = Value(f"({a.text} / 2)", Bound(a.bound.mag, a.bound.frac + 1))
            return found if found.bound.fits(scalar) else a
        if kind == "unary":
            op = dice.choice(["-", "abs", "floor", "ceil", "round", "sign", "trunc"])
            whole = Bound(a.bound.mag + 1, 0) if op not in ("-", "abs") else a.bound
            found = Value(f"(-{a.text})" if op == "-" else f"{op}({a.text})", whole)
            return found if found.bound.fits(scalar) else a
        b = self._exact(scope, scalar, fuel - 1)
        frac, mag = max(a.bound.frac, b.bound.frac), max(a.bound.mag, b.bound.mag)
        if kind == "choice":
            return Value(f"({a.text} if {self.boolean(scope, fuel - 1)} else {b.text})",
                         Bound(mag, frac))
        if kind == "extreme":
            return Value(f"{dice.choice(['min', 'max'])}({a.text}, {b.text})", Bound(mag, frac))
        if kind == "product":
            found = Value(f"({a.text} * {b.text})",
                          Bound(a.bound.mag * b.bound.mag, a.bound.frac + b.bound.frac))
        else:
            found = Value(f"({a.text} {dice.choice('++-')} {b.text})",
                          Bound(a.bound.mag + b.bound.mag, frac))
        return found if found.bound.fits(scalar) else a

    def _wildLeaf(self, scope, scalar):
        dice = self.dice
        if dice.chance(75):
            value = self.element(scope, scalar, 0)
            if value:
                return value.text
        if dice.chance(25):
            return f"{scalar.name}({self.integer(scope, I32, 0).text})"
        number = dice.choice(["0.0", "-0.0", "0.5", "1.5", "-2.25", "3", "1e-3", "math.pi", "1e4",
                              "0.1", "-0.3", "math.inf", "-math.inf", "math.nan", "1e-7",
                              "65504.0", "1e-5", "2.5", "-0.5"])
        return f"{scalar.name}({number})"

    def _wild(self, scope, scalar, fuel):
        dice = self.dice
        if fuel <= 0:
            return self._wildLeaf(scope, scalar)
        kind = dice.weighted({"arithmetic": 50, "divide": 8, "unary": 14, "function": 8, "two": 4,
                              "extreme": 0 if "minmax0" in self.avoid else 10, "choice": 10,
                              "leaf": 8, "cast": 8, "call": 5,
                              "modulo": 0 if "fmod" in self.avoid else 6})
        if kind == "leaf":
            return self._wildLeaf(scope, scalar)
        if kind == "call":
            value = self.call(scope, scalar, fuel)
            return value.text if value else self._wildLeaf(scope, scalar)
        if kind == "cast":
            other = dice.choice([*self.integers, self.someFloat(), self.someFloat()])
            return f"{scalar.name}({self.some(scope, other, fuel - 1).text})"
        a = self._wild(scope, scalar, fuel - 1)
        if kind == "unary":
            op = dice.choice(["-", "abs", "floor", "ceil", "round", "sign", "trunc"])
            return f"(-{a})" if op == "-" else f"{op}({a})"
        if kind == "function":
            return dice.choice(["sqrt", "sin", "cos", "exp", "tanh", "atan", "log", "log2", "cbrt",
                                "exp2", "tan", "asin"]) + f"({a})"
        b = self._wild(scope, scalar, fuel - 1)
        if kind == "choice":
            return f"({a} if {self.boolean(scope, fuel - 1)} else {b})"
        if kind in ("extreme", "two"):
            names = ["min", "max"] if kind == "extreme" else ["atan2", "hypot", "pow", "copysign"]
            name = dice.choice(names)
            if name == "copysign":
                b = f"max({b}, {dice.choice([-3, -0.5])})"  # a NaN's sign is nobody's
            return f"{name}({a}, {b})"
        op = {"divide": "/", "modulo": dice.choice(["%", "//"])}.get(kind) or dice.choice("++-**")
        return f"({a} {op} {b})"

    # -- vecs and mats -------------------------------------------------------
    def vector(self, scope, element, fuel):
        """A vec or mat, its exact components held within HELD."""
        dice, scalar = self.dice, element.scalar
        fields = scope.elementsToRead(lambda field: field.element == element and not field.isSink)
        names = [vec for vec in scope.vecs if vec[1] == element]
        if names and dice.chance(30):
            return dice.choice(names)[0]
        if fields and dice.chance(60 if fuel <= 0 else 25):
            field, own = dice.choice(fields)
            return field.at(own() if own is not None else self.indicesOf(scope, field, 0))
        if fuel <= 0 or dice.chance(30) or (scalar.isFloat and self.floats == "exact"):
            return self._built(scope, element, fuel)
        a, b = (self.vector(scope, element, fuel - 1) for _ in "ab")
        kind = dice.choice(["op", "op", "scaled", "choice"])
        if kind == "scaled":
            return f"({a} * {self.some(scope, scalar, fuel - 1).text})"
        if kind == "choice":
            return f"({a} if {self.boolean(scope, 1)} else {b})"
        return f"({a} {dice.choice('+-*')} {b})"

    def _built(self, scope, element, fuel):
        held = HELD.get(element.scalar.name)

        def part():
            return self.fit(self.some(scope, element.scalar, min(fuel, 1)),
                            element.scalar, held).text

        if element.columns:
            rows = ", ".join("[" + ", ".join(part() for _ in range(element.columns)) + "]"
                             for _ in range(element.rows))
            return f"{element.text}([{rows}])"
        return f"{element.text}({', '.join(part() for _ in range(element.rows))})"


__all__ = ["Element", "Expressions", "Local", "Value"]

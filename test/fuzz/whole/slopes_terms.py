"""The iterations of gradient programs: kinks, and hazards beside branches."""
import re

SMOOTH = ["sin({})", "cos({})", "tanh({})", "exp(-({0}) * ({0}))", "({0} * {0})", "atan({})",
          "sqrt(1.0 + {0} * {0})", "(0.5 * {})", "(-{})", "({} ** 3)", "log(2.0 + {0} * {0})",
          "erf({})", "asinh({})", "(1.0 / (1.5 + {0} * {0}))", "({} + 1.0)"]
#: not finite, or without a finite slope, at some of the inputs
HAZARDS = ["(1.0 / {})", "sqrt({})", "log({})", "({} ** 0.5)", "({} ** -1)", "({} ** -2)",
           "asin({})", "acos({})", "exp(100.0 * {})", "(1.0 / ({0} * {0}))", "atanh({})",
           "log1p({})", "cbrt({})", "acosh({})", "({0} / {0})", "(1.0 / sqrt({}))", "tan({})"]
KINKS = ["abs({})", "max({}, 0.0)", "min({}, 1.0)", "clamp({}, 0.0, 1.0)", "clamp({}, -1.0, 0.5)",
         "max(0.0, {})", "max({}, -1.0)"]
TWO_KINKS = ["max({}, {})", "min({}, {})"]
TWO = ["({} + {})", "({} - {})", "({} * {})", "({} * {})", "hypot({}, {})", "atan2({}, {})",
       "vec2({}, {}).norm()", "dvec2({}, {}).norm_sqr()", "max({}, {})", "min({}, {})",
       "[{}, {}].max()", "({} / {})", "[{}, 0.5].dot([{}, 2.0])", "dvec2({}, {}).normalized().x",
       "dvec2({}, {}).sum()", "([{}, 1.0] @ mat(2, 2, f64)([[{}, 1.0], [0.5, 2.0]])).y"
       .replace("@ mat", "@ mat"), "mix({}, {}, 0.25)"]


class Terms:
    def __init__(self, program):
        self.program, self.dice = program, program.dice
        self.names, self.depth, self.lines = [], 0, []
        self.arrays, self.result, self.target = [], None, None
        self.inLoop = False

    def line(self, text):
        self.lines.append("    " * self.depth + text)

    # -- terms ---------------------------------------------------------------
    def leaf(self):
        dice = self.dice
        if self.arrays and dice.chance(15):
            name, size = dice.choice(self.arrays)
            return f"{name}[{self.place(size)}]"
        if dice.chance(85):
            return dice.choice(self.names)
        return dice.choice(["0.5", "2.0", "1.0", "0.0", "-1.0", "0.3"])

    def place(self, size):
        if self.result or self.dice.chance(30):
            return str(self.dice.randrange(size))
        return f"m[i] % {size}"

    def smooth(self, fuel):
        dice = self.dice
        if fuel <= 0:
            return dice.choice(self.names)
        if dice.chance(60):
            return dice.choice(SMOOTH).format(self.smooth(fuel - 1))
        form, left, right = dice.choice(["({} + {})", "({} * {})", "({} - {})"]), \
            self.smooth(fuel - 1), self.smooth(fuel - 1)
        return (form if left != right else form.replace("-", "+")).format(left, right)

    def single(self):
        """One kink between smooth functions."""
        dice = self.dice
        kink = dice.choice(KINKS).format(self.smooth(dice.choice([0, 0, 1]))) if dice.chance(50) \
            else dice.choice(TWO_KINKS).format(self.smooth(dice.choice([0, 0, 1])),
                                               self.smooth(dice.choice([0, 0, 1])))
        text = dice.choice([*SMOOTH, "{}", "{}", "{}"]).format(kink)
        return f"({text} * {self.smooth(1)})" if dice.chance(40) else text

    def term(self, fuel):
        dice = self.dice
        if fuel <= 0:
            return self.leaf()
        kind = dice.weighted({"smooth": 25, "kink": 15, "two": 25, "guarded": 25, "hazard": 8,
                              "call": 8, "leaf": 8, "choice": 8})
        if kind == "smooth":
            return dice.choice(SMOOTH).format(self.term(fuel - 1))
        if kind == "kink":
            return dice.choice(KINKS).format(self.term(fuel - 1))
        if kind == "two":
            form, left, right = dice.choice(TWO), self.term(fuel - 1), self.term(fuel - 1)
            # A fast sum cancels x - x, also where x is not finite (Num.5).
            return (form if left != right else form.replace("-", "+")).format(left, right)
        if kind == "hazard":
            return self.hazard(fuel - 1)
        if kind == "guarded":
            return self.guarded(fuel - 1)
        if kind == "call" and self.program.functions:
            return f"{dice.choice(self.program.functions)}" \
                   f"({self.term(fuel - 1)}, {self.term(fuel - 1)})"
        if kind == "choice":
            return f"({self.term(fuel - 1)} if {self.condition(fuel - 1)} else " \
                   f"{self.term(fuel - 1)})"
        return self.leaf()

    def hazard(self, fuel):
        term = self.term(fuel)
        # Of literals alone it would be a constant, which must fit in f32.
        if not re.search(r"\b([avt]\d+|[pqxyz])\b", term):
            term = self.dice.choice(self.names)
        return self.dice.choice(HAZARDS).format(term)

    def guarded(self, fuel):
        """A hazard, and something that discards it."""
        dice, hazard, safe = self.dice, self.hazard(fuel), self.term(fuel)
        form = dice.choice(["branch", "branch", "not", "zero", "extreme", "bounded", "integer"])
        if form == "branch":
            return f"({hazard} if {self.condition(0)} else {safe})"
        if form == "not":
            return f"({safe} if {self.condition(0)} else {hazard})"
        if form == "zero":
            # 1 / x and x / x are so at one point alone.
            self.program.isPointwise |= any(each in hazard for each in ("/", "** -"))
            return f"({safe} if {dice.choice(['isnan', 'isinf'])}({hazard}) else {self.leaf()})"
        if form == "extreme":
            return f"{dice.choice(['min', 'max'])}({hazard}, {safe})"
        if form == "bounded":
            return f"{dice.choice(['atan', 'tanh', 'sign', 'floor', 'erf'])}({hazard})"
        if self.result:
            return safe
        return f"({hazard} if m[i] % 2 == {dice.randrange(2)} else {safe})"

    def condition(self, fuel):
        dice = self.dice
        if not self.result and dice.chance(20):
            return f"m[i] % 3 {dice.choice(['==', '!='])} {dice.randrange(3)}"
        name = self.term(fuel) if fuel > 0 else dice.choice(self.names)
        op = dice.weighted({">": 30, "<": 20, ">=": 20, "<=": 20, "!=": 12, "==": 5})
        if op in ("!=", "=="):
            self.program.isPointwise = True
        if dice.chance(12):
            return f"isfinite({name})"
        text = f"{name} {op} {dice.choice(['0', '0', '0', '1', '-1', '0.5', *self.names])}"
        if dice.chance(15):
            self.program.isPointwise = True
            text = f"{text} {dice.choice(['and', 'or'])} {dice.choice(self.names)} < 1"
        return text

    # -- statements ----------------------------------------------------------
    def block(self, header, count, inLoop=None, first=()):
        names, arrays, before = list(self.names), list(self.arrays), self.inLoop
        self.inLoop = before if inLoop is None else inLoop
        self.line(header)
        self.depth += 1
        for text in first:
            self.line(text)
        for _ in range(count):
            self.statement()
        self.depth -= 1
        self.names, self.arrays, self.inLoop = names, arrays, before

    def statement(self):
        dice = self.dice
        table = {"local": 25, "update": 18, "array": 4, "both": 8, "element": 6}
        if self.depth < 5:
            table.update(branch=18, loop=9, whiles=5)
        if self.target:
            table["add"] = 20
        if self.inLoop:
            table["leave"] = 12
        if self.result and self.depth > 1:
            table["early"] = 25
        getattr(self, "put_" + dice.weighted(table))()

    def locals(self):
        return [name for name in self.names if name[0] == "a" and name[1:].isdigit()]

    def put_local(self):
        name = self.program.fresh("a")
        self.line(f"{name} = {self.term(2)}")
        self.names.append(name)

    def put_update(self):
        fit = self.locals()
        if not fit:
            return self.put_local()
        name, dice = self.dice.choice(fit), self.dice
        op = dice.choice(["=", "+=", "*=", "-=", "="])
        self.line(f"{name} {op} {self.term(2)}")

    def put_both(self):
        """A name from a hazard or from something else."""
        name = self.program.fresh("a")
        pair = [self.hazard(1), self.term(1)]
        self.dice.shuffle(pair)
        self.line(f"if {self.condition(1)}:")
        self.line(f"    {name} = {pair[0]}")
        self.line("else:")
        self.line(f"    {name} = {pair[1]}")
        self.names.append(name)

    def put_array(self):
        name, size = self.program.fresh("v"), self.dice.choice([2, 3, 5])
        self.line(f"{name} = array(f64, {size})")
        self.line(f"{name}[{self.place(size)}] = {self.term(2)}")
        self.arrays.append((name, size))

    def put_element(self):
        if not self.arrays:
            return self.put_array()
        name, size = self.dice.choice(self.arrays)
        self.line(f"{name}[{self.place(size)}] {self.dice.choice(['=', '+=', '*='])} "
                  f"{self.term(2)}")

    def put_add(self):
        op = self.dice.choice(["+=", "+=", "-=", "*=", "="])
        self.line(f"{self.target}[i] {op} {self.term(2)}")

    def put_branch(self):
        dice = self.dice
        # What is computed before a branch and used in it alone is discarded beside it.
        if dice.chance(50):
            name = self.program.fresh("a")
            self.line(f"{name} = {self.hazard(1)}")
            self.line(f"if {self.condition(1)}:")
            place = f"{self.target}[i] +=" if self.target else f"{name} ="
            self.line(f"    {place} {dice.choice([name, self.term(1) + ' * ' + name])}")
            return
        self.block(f"if {self.condition(1)}:", dice.choice([1, 2]))
        if dice.chance(50):
            self.block("else:", 1)

    def put_loop(self):
        dice, name = self.dice, self.program.fresh("k")
        length = str(dice.choice([1, 2, 3, 5]))
        if not self.result and dice.chance(40):
            length = f"m[i] % {dice.choice([3, 4])}"
        self.block(f"for {name} in range({length}):", dice.choice([1, 2]), inLoop=True)

    def put_whiles(self):
        name, most = self.program.fresh("w"), self.dice.choice([1, 2, 4])
        self.line(f"{name} = 0")
        self.block(f"while {name} < {most} and ({self.condition(1)}):", 1, inLoop=True,
                   first=[f"{name} += 1"])

    def put_leave(self):
        self.line(f"if {self.condition(1)}:")
        self.line(f"    {self.dice.choice(['break', 'continue'])}")

    def put_early(self):
        self.line(f"if {self.condition(1)}:")
        self.line(f"    return {self.term(2)}")

    # -- wholes --------------------------------------------------------------
    def function(self):
        """A function of two numbers, with early returns."""
        dice, name = self.dice, self.program.fresh("f")
        self.names, self.arrays, self.lines, self.depth = ["p", "q"], [], [], 1
        self.result, self.target = True, None
        for _ in range(dice.choice([1, 2, 3])):
            self.statement()
        if dice.chance(70):
            self.put_early()
        self.line(f"return {self.term(2)}")
        self.program.definitions += [f"def {name}(p: f64, q: f64) -> f64:", *self.lines, ""]
        self.program.functions.append(name)

    def iteration(self, target, known):
        """The body of a loop that sets an element of `target`."""
        dice = self.dice
        self.names = [f"{name}[i]" for name in known]
        self.arrays, self.lines, self.depth = [], [], 2
        self.result, self.target = None, target
        if self.program.isSingle:
            self.line(f"{target}[i] = {self.single()}")
            return self.lines
        self.line(f"{target}[i] = {self.term(2)}")
        for _ in range(dice.choice([0, 1, 2, 3, 4])):
            self.statement()
        return self.lines

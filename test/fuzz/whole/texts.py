"""The host's part: calls, swaps, copies, elements, and what is printed."""
from kinds import BOOL, HELD
from places import Field, isMat, isScalar, isVec

FORMATS = {"int": ["", "d", "6d", "<6", ">7", "+d", "x", "#x", "b", "08d", ",", "^9"],
           "float": ["", ".3f", "10.3e", ".2f", "g", "+.1f", "12.4f", "e", "<10", "08.2f"]}


class Texts:
    def __init__(self, program, kernels):
        self.program, self.dice, self.kernels = program, program.dice, kernels
        self.lines, self.depth = [], 0

    def line(self, text):
        self.lines.append("    " * self.depth + text)

    def script(self):
        dice = self.dice
        self.line("init()")
        for kernel in self.kernels:
            for _ in range(dice.choice([1, 1, 2])):
                self.around(kernel)
        for field in self.program.fields:
            self.shown(field)
        return self.lines

    def around(self, kernel):
        dice = self.dice
        if dice.chance(30):
            turn = self.program.fresh("t")
            header = dice.choice([f"for {turn} in range({dice.choice([2, 3])}):"])
            self.line(header)
            self.depth += 1
            self.called(kernel, turn)
            if dice.chance(60):
                self.swapped()
            self.depth -= 1
        else:
            self.called(kernel, None)
        for _ in range(dice.choice([0, 1, 1, 2])):
            getattr(self, dice.choice(["swapped", "copied", "filled", "stored", "told", "told",
                                       "summed"]))()

    # -- kernels -------------------------------------------------------------
    def number(self, scalar, turn=None):
        dice = self.dice
        if scalar == BOOL:
            return dice.choice(["True", "False"])
        if scalar.isFloat:
            return dice.choice(["0.5", "-1.0", "2", "3.5", "-0.0", "0.25" if
                                self.program.floats == "exact" else "0.3"])
        if turn and scalar.name == "i32" and dice.chance(50):
            return turn
        return str(dice.choice([0, 1, 2, 3, 5, 7, 31, 100, scalar.most]))

    def constant(self, kind, turn=None):
        if isScalar(kind):
            return self.number(kind, turn)
        if self.dice.chance(25):
            return f"{kind.text}({self.number(kind.scalar)})"
        if isVec(kind):
            return f"{kind.text}({', '.join(self.number(kind.scalar) for _ in range(kind.size))})"
        rows = ", ".join("[" + ", ".join(self.number(kind.scalar) for _ in range(kind.columns))
                         + "]" for _ in range(kind.rows))
        return f"{kind.text}([{rows}])"

    def called(self, kernel, turn):
        arguments, free = [], list(self.program.fields)
        for parameter in kernel.parameters:
            if isinstance(parameter, Field):
                fit = [field for field in free if field.isLike(parameter)]
                chosen = self.dice.choice(fit) if self.fits(kernel, fit) else parameter
                if chosen in free:
                    free.remove(chosen)
                arguments.append(chosen.name)
            else:
                arguments.append(self.constant(parameter, turn))
        call = f"{kernel.name}({', '.join(arguments)})"
        if not kernel.results:
            return self.line(call)
        if len(kernel.results) > 1 and self.dice.chance(60):
            names = [self.program.fresh("r") for _ in kernel.results]
            self.line(f"{', '.join(names)} = {call}")
            texts = [self.formatted(name, kind) for name, kind in zip(names, kernel.results)]
            return self.line(f'print(f"{" ".join(texts)}")')
        self.line(f"print({call})")

    def fits(self, kernel, fit):
        """May another field stand for a parameter? Not one that the kernel names itself."""
        return False if not fit else len({id(f) for f in fit}) == 1

    # -- whole fields --------------------------------------------------------
    def swapped(self):
        fields = self.program.fields
        pairs = [(a, b) for a in fields for b in fields if a is not b and a.isLike(b)
                 and (a.layout, a.order) == (b.layout, b.order)]
        if pairs:
            a, b = self.dice.choice(pairs)
            self.line(f"{a.name}, {b.name} = {b.name}, {a.name}")

    def copied(self):
        fields = self.program.fields
        pairs = [(a, b) for a in fields for b in fields if a is not b and a.isLike(b)]
        if pairs:
            a, b = self.dice.choice(pairs)
            self.line(f"{a.name}.copy_from({b.name})")

    def filled(self):
        field = self.dice.choice(self.program.fields)
        if field.kind.scalar == BOOL or not field.shape:
            return
        self.line(f"{field.name}.fill({self.constant(field.kind)})")

    def summed(self):
        dice = self.dice
        fit = [f for f in self.program.fields if isScalar(f.kind) and f.kind != BOOL and f.shape]
        if fit:
            field = dice.choice(fit)
            what = dice.choice(["sum", "min", "max", "mean", "argmax"])
            if what == "argmax" and self.program.floats == "wild" and field.kind.isFloat:
                what = "max"
            self.line(f'print("{what}", {field.name}.{what}())')

    # -- elements ------------------------------------------------------------
    def place(self, field):
        return field.at([str(self.dice.randrange(extent.value)) for extent in field.shape])

    def stored(self):
        field = self.dice.choice(self.program.fields)
        place = self.place(field)
        if not isScalar(field.kind) and self.dice.chance(50):
            part = f"[{self.dice.randrange(field.kind.rows)}, " \
                   f"{self.dice.randrange(field.kind.columns)}]" if isMat(field.kind) else \
                f"[{self.dice.randrange(field.kind.size)}]"
            return self.line(f"{place}{part} = {self.number(field.kind.scalar)}")
        op = self.dice.choice(["=", "=", "|=" if field.kind == BOOL else "-="])
        scalar = field.kind.scalar
        if op == "-=" and (scalar.family == "signed"
                           or scalar.isFloat and self.program.floats == "exact"):
            op = "="
        self.line(f"{place} {op} {self.constant(field.kind)}")

    def told(self):
        dice = self.dice
        fields = dice.sample(self.program.fields, min(2, len(self.program.fields)))
        texts = []
        for field in fields:
            place = self.place(field)
            texts.append(self.formatted(place, field.kind))
        for var in self.program.globals[:1]:
            texts.append(self.formatted(var.name, var.kind))
        self.line(f"print(f'{dice.choice(['', 'at ', '| '])}{' '.join(texts)}')")

    def formatted(self, text, kind):
        dice, scalar = self.dice, kind.scalar
        if scalar == BOOL:
            return "{" + text + "}"
        form = dice.choice(FORMATS["float" if scalar.isFloat else "int"])
        if not isScalar(kind) and form[:1] in "<>^" and form:
            form = ""
        return "{" + text + (":" + form if form else "") + "}"

    def shown(self, field):
        """All of it, and no middle left out."""
        numbers = field.size
        if not isScalar(field.kind):
            kind = field.kind
            numbers *= kind.size if isVec(kind) else kind.rows * kind.columns
        if numbers <= 900:
            return self.line(f'print("{field.name}", {field.name})')
        names = ["i", "j", "k"][:len(field.shape)]
        self.line(f'print("{field.name}")')
        self.line(f"for {', '.join(names)} in {field.name}:")
        self.line(f"    print({field.at(names)})")


def held(kind):
    return HELD.get(kind.scalar.name)

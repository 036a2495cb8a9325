"""A whole program: declarations, functions, kernels, and the host's script."""
from typing import NamedTuple

from functions import writeFunction
from kernels import writeFilling, writeKernel
from kinds import BOOL, Dice, F32, FLOATS, I32, INTEGERS, Mat, SCALARS, Vec
from places import Extent, Field, Var, isScalar
from texts import Texts

EXTENTS = [1, 2, 3, 4, 5, 7, 8, 9, 13, 15, 16, 17, 19, 23, 31, 32, 33, 37, 47, 48, 63, 64, 65, 70]
LONG = [127, 128, 257, 1000, 3001]
MOST_ELEMENTS = 800


class Generated(NamedTuple):
    text: str
    floats: str       # "none", "exact" or "wild"
    isStrict: bool    # every kernel is, whatever --float says
    arguments: tuple  # of the command line
    mayStop: bool     # by an index, a division, an assertion


class Program:
    mostLines = 45  # of a kernel or function

    def __init__(self, seed):
        self.dice, self.counter = Dice(seed), 0
        dice = self.dice
        self.floats = dice.weighted({"none": 35, "exact": 25, "wild": 40})
        self.mayStop = dice.chance(6)  # by an index, a division, an assertion
        self.allStrict = self.floats == "wild" and dice.chance(30)
        #: loops of few plain statements, which become lanes, rows and vectors
        self.isLean = dice.chance(50)
        names = [each.name for each in INTEGERS]
        count = dice.choice([1, 2] if self.isLean else [2, 3, 4, 8])
        self.integerNames = sorted({"i32", *dice.sample(names, count)})
        self.integers = [SCALARS[name] for name in self.integerNames]
        self.floatNames = sorted(dice.sample([each.name for each in FLOATS],
                                             dice.choice([1, 1, 2, 3])))
        self.functions, self.fields, self.globals = [], [], []
        self.arguments, self.declarations, self.tables = [], ["import math"], []
        self.extents = [self._extent() for _ in range(dice.choice([2, 3, 4]))]
        self._params()
        self._fields()

    def fresh(self, stem):
        self.counter += 1
        return f"{stem}{self.counter}"

    # -- declarations --------------------------------------------------------
    def _extent(self):
        dice = self.dice
        value = dice.choice(LONG if dice.chance(6) else EXTENTS)
        kind = dice.choice(["literal", "literal", "const", "param", "given"])
        if kind == "literal":
            return Extent(value, str(value))
        name = self.fresh("n")
        if kind == "const":
            self.declarations.append(f"const {name} = {value}")
        elif kind == "param":
            self.declarations.append(f"param {name}: i32 = {value}")
        else:
            self.declarations.append(f'param {name}: i32 = 6 in [1, 5000], "of an axis"')
            self.arguments += [f"--{name}", str(value)]
        return Extent(value, name)

    def _params(self):
        dice = self.dice
        for _ in range(dice.choice([0, 1, 2, 3])):
            name = self.fresh("m")
            scalar = dice.choice([I32, I32, SCALARS["i64"], SCALARS["u32"], BOOL]
                                 + [F32, SCALARS["f64"]] * (self.floats != "none"))
            values = {"bool": ["True", "False"]}.get(
                scalar.name, ["0", "1", "2.5", "-0.5", "64"] if scalar.isFloat
                else ["0", "1", "3", "17", "100"])
            self.declarations.append(f"param {name}: {scalar.name} = {dice.choice(values)}")
            self.globals.append(Var(name, scalar, isFixed=True))
            if dice.chance(50):
                value = dice.choice(values)
                self.arguments += [f"--no-{name}"] if value == "False" else \
                    [f"--{name}"] + ([] if value == "True" else [value])
        if dice.chance(25):
            name, other = self.fresh("c"), dice.choice([3, 7, 250])
            self.declarations.append(f"const {name}: i32 = {other}")
            self.globals.append(Var(name, I32, isFixed=True))
        if dice.chance(25):  # a table
            name, numbers = self.fresh("c"), [dice.randint(-9, 99) for _ in range(dice.randint(2, 6))]
            self.declarations.append(f"const {name} = {numbers}")
            self.tables.append((name, len(numbers)))

    def _kind(self):
        dice = self.dice
        scalar = SCALARS[dice.choice(self.floatNames)] \
            if self.floats != "none" and dice.chance(50) else \
            BOOL if dice.chance(7) else SCALARS[dice.choice(self.integerNames)]
        if scalar == BOOL or dice.chance(90 if self.isLean else 75):
            return scalar
        if dice.chance(70):
            return Vec(dice.choice([2, 2, 3, 3, 4, 5, 1, 8]), scalar)
        return Mat(*dice.choice([(2, 2), (3, 3), (2, 3), (4, 4), (1, 2), (3, 5)]), scalar)

    def _shape(self):
        dice = self.dice
        rank = dice.weighted({0: 8, 1: 55, 2: 30, 3: 7})
        for _ in range(20):
            shape = [dice.choice(self.extents) for _ in range(rank)]
            size = 1
            for extent in shape:
                size *= extent.value
            if size <= MOST_ELEMENTS or rank == 1:
                return shape
        return shape[:1]

    def _fields(self):
        dice = self.dice
        for number in range(dice.randint(3, 6)):
            if self.fields and dice.chance(35):
                like = dice.choice(self.fields)
                kind, shape = like.kind, like.shape
            else:
                kind, shape = self._kind(), self._shape()
            if number == 0 and not shape:
                shape = [self.extents[0]]
            layout = dice.choice(["", "soa"]) if not isScalar(kind) else ""
            order = ""
            if len(shape) > 1 and dice.chance(35):
                order = "".join(dice.sample("ijk"[:len(shape)], len(shape)))
                order = "" if order == "ijk"[:len(shape)] else order
            self.fields.append(Field(f"x{number}", kind, shape, layout, order))

    # -- the script ----------------------------------------------------------
    def generated(self):
        dice, lines = self.dice, []
        for number in range(dice.choice([0, 1, 1, 2, 3])):
            function, text = writeFunction(self, f"f{number}", self.functions)
            self.functions.append(function)
            lines += text
        kernels = [writeKernel(self, f"k{number}") for number in range(dice.choice([1, 2, 2]))]
        for kernel in kernels:
            lines += kernel.lines
        head = [*self.declarations, *(field.declaration() for field in self.fields), ""]
        if self.arguments:
            head.insert(0, f"# arguments: {' '.join(self.arguments)}")
        script = Texts(self, kernels).script()
        text = "\n".join([*head, *lines, *writeFilling(self), *script]) + "\n"
        return Generated(text, self.floats, self.allStrict, tuple(self.arguments),
                         self.mayStop)


def generate(seed):
    """The whole program of a seed."""
    return Program(seed).generated()


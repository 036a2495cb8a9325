"""Programs: several kernels of several tasks over fields that they share."""
from typing import NamedTuple

from elements import BOOL, Element, Extent, FLOATS, Field, HELD, I32, INTEGERS, Local, SCALARS
from kernels import Kernels
from scope import Dice, Scope

EXTENTS = [1, 2, 3, 7, 31, 32, 33, 64, 65, 127, 128, 257]
MOST_ELEMENTS = 20_000


class Generated(NamedTuple):
    text: str
    floats: str      # "none", "exact" or "wild"
    isFailing: bool  # may end with an error


class Function:
    def __init__(self, name, parameters, result):
        self.name, self.parameters, self.result = name, parameters, result


class Program:
    """What all parts of one program share."""

    mostCalls = 8  # of each kernel

    def __init__(self, seed, avoid=()):
        self.dice, self.avoid, self.counter = Dice(seed), frozenset(avoid), 0
        dice = self.dice
        self.floats = dice.weighted({"none": 45, "exact": 25, "wild": 30})
        names = dice.sample([each.name for each in INTEGERS if each.bits < 32], 2) \
            + dice.sample([each.name for each in INTEGERS], dice.choice([0, 1, 2, 6]))
        self.isFailing = dice.chance(5)  # by intent
        self.favourite = names[0]  # a small type, which vectors hold many of
        self.integers = list({"i32", *names})
        self.integers.sort()
        self.floatTypes = sorted(dice.sample([each.name for each in FLOATS],
                                             dice.choice([1, 2, 3])))
        self.extents, self.fields, self.functions, self.kernels = [], [], [], []
        self.declarations, self.definitions, self.actions = ["import math"], [], []
        self._makeExtents()
        self._makeFields()

    # -- shapes --------------------------------------------------------------
    def _makeExtents(self):
        dice = self.dice
        for _ in range(dice.choice([2, 3, 4])):
            value = dice.choice(EXTENTS[2:] if dice.chance(80) else EXTENTS)
            kind = dice.choice(["const", "const", "param", "literal", "literal"])
            if kind == "literal":
                self.extents.append(Extent(value, str(value)))
                continue
            self.counter += 1
            name = f"n{self.counter}"
            self.declarations.append(f"const {name} = {value}" if kind == "const"
                                     else f"param {name}: i32 = {value}")
            self.extents.append(Extent(value, name))

    def _shape(self, rank):
        for _ in range(20):
            shape = [self.dice.choice(self.extents) for _ in range(rank)]
            size = 1
            for extent in shape:
                size *= extent.value
            if size <= MOST_ELEMENTS:
                return shape
        return shape[:1]

    def someVec(self, dice):
        scalar = self._scalar()
        if scalar == BOOL:
            scalar = I32
        if dice.chance(20):
            return Element(scalar, dice.choice([2, 3]), dice.choice([2, 3]))
        return Element(scalar, dice.choice([2, 2, 3, 4]))

    def _scalar(self, boolean=8):
        dice = self.dice
        if self.floats != "none" and dice.chance(50):
            return SCALARS[dice.choice(self.floatTypes)]
        if dice.chance(boolean):
            return BOOL
        return SCALARS[self.favourite if dice.chance(45) else dice.choice(self.integers)]

    def _makeFields(self):
        dice = self.dice
        shapes = [self._shape(dice.weighted({1: 45, 2: 45, 3: 15}))
                  for _ in range(dice.choice([1, 2, 3]))]
        for number in range(dice.randint(3, 7)):
            if self.fields and dice.chance(30):  # like another one, so that they can be swapped
                like = dice.choice(self.fields)
                element, shape = like.element, like.shape
            else:
                shape = dice.choice(shapes) if number < 2 or dice.chance(90) else []
                element = self.someVec(dice) if dice.chance(15) else Element(self._scalar(4))
            order = "".join(dice.sample("ijk"[:len(shape)], len(shape))) \
                if len(shape) > 1 and dice.chance(45) else ""
            order = "" if order == "ijk"[:len(shape)] else order
            layout = "soa" if dice.chance(50) and not element.isScalar else "aos"
            self.fields.append(Field(f"x{number}", element, shape, layout, order))
        if self.floats == "exact":  # places to add to
            scalar = SCALARS[dice.choice(["f32", "f64"])]
            shape = dice.choice([[], dice.choice(shapes)])
            self.fields.append(Field("z0", Element(scalar), shape, isSink=True))

    # -- the program ---------------------------------------------------------
    def text(self):
        dice, kernels = self.dice, Kernels(self)
        for number in range(dice.choice([0, 0, 1, 2])):
            self._makeFunction(kernels, f"f{number}")
        filling = kernels.filling()
        makers = [kernels.kernel(f"k{number}") for number in range(dice.randint(1, 3))]
        lines = [*self.declarations, *(field.declaration() for field in self.fields), ""]
        lines += self.definitions
        lines += filling
        for kernel in makers:
            lines += kernel.lines
        lines.append("init()")
        lines += self._actions(makers)
        for field in self.fields:
            lines += self._shown(field)
        return "\n".join(lines) + "\n"

    @staticmethod
    def _shown(field):
        """Every number of a field; print leaves out the middle of large ones."""
        if field.size * max(1, field.element.rows) * max(1, field.element.columns) <= 900:
            return [f'print("{field.name}", {field.name})']
        names = ["abc"[axis] for axis in range(len(field.shape))]
        return [f'print("{field.name}")', f"for {', '.join(names)} in {field.name}:",
                f'    print({field.at(names)}, end=" ")', "print()"]

    def _makeFunction(self, kernels, name):
        dice, scope = self.dice, Scope(self)
        parameters = []
        for number in range(dice.randint(1, 3)):
            scalar = self._scalar()
            parameters.append(scalar)
            scope.locals.append(Local("abc"[number], scalar, HELD.get(scalar.name)))
        result = self._scalar()
        scope.depth, scope.trips = 1, 20_000
        kernels.functionBody(scope, result)
        signature = ", ".join(f"{'abc'[k]}: {each.name}" for k, each in enumerate(parameters))
        self.definitions += [f"def {name}({signature}) -> {result.name}:", *scope.lines, ""]
        self.functions.append(Function(name, parameters, result))

    def _actions(self, makers):
        """Top-level statements: calls, swaps, copies, loops."""
        dice, lines = self.dice, []
        for kernel in makers:
            for _ in range(dice.choice([1, 1, 2])):
                if dice.chance(25):
                    lines.append(f"for t in range({dice.choice([2, 3])}):")
                    lines += ["    " + line for line in self._call(kernel, "t")]
                    lines += ["    " + line for line in self._swap()]
                else:
                    lines += self._call(kernel, None)
                if dice.chance(30):
                    lines += self._swap()
                if dice.chance(10):
                    lines += self._copy()
        return lines

    def _call(self, kernel, turn):
        dice, arguments = self.dice, []
        free = list(self.fields)
        for parameter in kernel.parameters:
            if isinstance(parameter, Field):
                fit = [field for field in free if field.isLike(parameter)]
                chosen = dice.choice(fit)
                free.remove(chosen)
                arguments.append(chosen.name)
            elif turn and parameter.scalar == I32 and dice.chance(60):
                arguments.append(turn)
            elif parameter.scalar.isFloat:
                arguments.append(str(dice.choice([0.5, -1.0, 2, 3.5, -0.0])))
            elif parameter.isAssignable:
                arguments.append(str(dice.choice([0, 1, 2, 3, 5, 7])))
            else:
                arguments.append(str(dice.choice([0, 1, 2, 3, 5, 7, 31, 100,
                                                  parameter.scalar.most])))
        call = f"{kernel.name}({', '.join(arguments)})"
        return [f"print({call})" if kernel.hasResult else call]

    def _swap(self):
        dice = self.dice
        first = dice.choice(self.fields)
        fit = [field for field in self.fields if field is not first and field.isLike(first)
               and not field.isSink and field.layout == first.layout
               and field.order == first.order]
        if not fit:
            return []
        second = dice.choice(fit)
        return [f"{first.name}, {second.name} = {second.name}, {first.name}"]

    def _copy(self):
        dice = self.dice
        first = dice.choice([field for field in self.fields if not field.isSink])
        fit = [field for field in self.fields if field is not first and field.isLike(first)]
        if fit and dice.chance(60):
            return [f"{first.name}.copy_from({dice.choice(fit).name})"]
        if first.element.isScalar and first.element.scalar != BOOL and first.shape:
            return [f"{first.name}.fill({dice.choice([0, 1, 3])})"]
        return []


def generate(seed, avoid=()):
    """The program of a seed: its text, and what is to be known of it."""
    program = Program(seed, avoid)
    return Generated(program.text(), program.floats, program.isFailing)

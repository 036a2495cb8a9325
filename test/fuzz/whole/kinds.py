"""The types that programs are written in, and the dice that choose."""
import random
from typing import NamedTuple


class Scalar(NamedTuple):
    name: str
    bits: int
    family: str  # "signed", "unsigned", "float" or "bool"

    @property
    def text(self):
        return self.name

    @property
    def scalar(self):
        return self

    @property
    def isFloat(self):
        return self.family == "float"

    @property
    def isInteger(self):
        return self.family in ("signed", "unsigned")

    @property
    def least(self):
        return -(1 << (self.bits - 1)) if self.family == "signed" else 0

    @property
    def most(self):
        return (1 << (self.bits - (self.family == "signed"))) - 1


class Vec(NamedTuple):
    size: int
    scalar: Scalar

    @property
    def text(self):
        stem = {"f32": "vec", "f64": "dvec", "i32": "ivec", "u32": "uvec"}.get(self.scalar.name)
        if stem and 2 <= self.size <= 4:
            return f"{stem}{self.size}"
        return f"vec({self.size}, {self.scalar.name})"


class Mat(NamedTuple):
    rows: int
    columns: int
    scalar: Scalar

    @property
    def text(self):
        return f"mat({self.rows}, {self.columns}, {self.scalar.name})"


class Array(NamedTuple):
    shape: tuple
    scalar: Scalar

    @property
    def text(self):
        axes = ", ".join(map(str, self.shape))
        return f"array({self.scalar.name}, {axes if len(self.shape) == 1 else f'({axes})'})"


INTEGERS = [Scalar(letter + str(bits), bits, family)
            for letter, family in (("i", "signed"), ("u", "unsigned")) for bits in (8, 16, 32, 64)]
FLOATS = [Scalar("f" + str(bits), bits, "float") for bits in (16, 32, 64)]
BOOL = Scalar("bool", 8, "bool")
SCALARS = {each.name: each for each in [*INTEGERS, *FLOATS, BOOL]}
I32, F32, F64 = SCALARS["i32"], SCALARS["f32"], SCALARS["f64"]


class Room(NamedTuple):
    """Multiples of 2**-frac of magnitude up to mag."""
    mag: int
    frac: int


#: What names and elements of exact programs hold, and what an expression may
#: reach before it is brought back: no operation on the way rounds.
HELD = {"f16": Room(8, 1), "f32": Room(128, 2), "f64": Room(1000, 4)}
REACH = {"f16": Room(256, 2), "f32": Room(1 << 16, 6), "f64": Room(1 << 28, 16)}


class Dice(random.Random):
    def chance(self, percent):
        return self.randrange(100) < percent

    def weighted(self, table):
        """One of the keys of a table of weights."""
        return self.choices(list(table), weights=list(table.values()))[0]

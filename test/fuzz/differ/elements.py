"""The types of elements, and what is known of floats that stay exact.

Programs whose floats are `exact` hold every float as a multiple of 2**-frac of
magnitude at most mag, with few enough bits that no sum, product or fused
operation rounds, in whatever order it is done. So even --float=fast has one
right answer for them, except for the sign of a zero.
"""
from typing import NamedTuple


class Scalar(NamedTuple):
    name: str
    bits: int
    kind: str  # "int", "uint", "float", "bool"

    @property
    def isFloat(self):
        return self.kind == "float"

    @property
    def isInteger(self):
        return self.kind in ("int", "uint")

    @property
    def least(self):
        return -(1 << (self.bits - 1)) if self.kind == "int" else 0

    @property
    def most(self):
        return (1 << (self.bits - (self.kind == "int"))) - 1


INTEGERS = [Scalar(letter + str(bits), bits, kind)
            for letter, kind in (("i", "int"), ("u", "uint")) for bits in (8, 16, 32, 64)]
FLOATS = [Scalar("f" + str(bits), bits, "float") for bits in (16, 32, 64)]
BOOL = Scalar("bool", 8, "bool")
SCALARS = {each.name: each for each in [*INTEGERS, *FLOATS, BOOL]}
I32 = SCALARS["i32"]

#: bits of an exact float: one less than its significand has
ROOM = {"f16": 10, "f32": 23, "f64": 52}


class Bound(NamedTuple):
    """Multiples of 2**-frac from -mag to mag."""
    mag: int
    frac: int

    def fits(self, scalar, slack=0):
        return (int(self.mag) << self.frac).bit_length() + slack <= ROOM[scalar.name]

    def within(self, other):
        return self.mag <= other.mag and self.frac <= other.frac


#: what fields and variables of exact programs hold
HELD = {"f16": Bound(8, 1), "f32": Bound(64, 2), "f64": Bound(1000, 4)}


class Element(NamedTuple):
    """A scalar (rows = columns = 0), a vec (columns = 0) or a mat."""
    scalar: Scalar
    rows: int = 0
    columns: int = 0

    @property
    def text(self):
        if self.columns:
            return f"mat({self.rows}, {self.columns}, {self.scalar.name})"
        return f"vec({self.rows}, {self.scalar.name})" if self.rows else self.scalar.name

    @property
    def isScalar(self):
        return not self.rows

    @property
    def isVec(self):
        return self.rows > 0 and not self.columns


class Extent(NamedTuple):
    """The length of an axis and how the program writes it."""
    value: int
    text: str

    @property
    def wrapsByMask(self):
        return self.value > 1 and self.value & (self.value - 1) == 0


class Field:
    """A field, or a parameter of a kernel that stands for one."""

    def __init__(self, name, element, shape, layout="aos", order="", isSink=False):
        self.name, self.element, self.shape = name, element, shape
        self.layout, self.order, self.isSink = layout, order, isSink
        self.used = 0  # of the room of an exact sink

    @property
    def size(self):
        size = 1
        for extent in self.shape:
            size *= extent.value
        return size

    def isLike(self, other):
        return (self.element == other.element and self.isSink == other.isSink
                and self.shape == other.shape)

    def declaration(self):
        text = f"{self.name} = field({self.element.text}"
        if self.shape:
            axes = ", ".join(extent.text for extent in self.shape)
            text += f", shape=({axes},)" if len(self.shape) == 1 else f", shape=({axes})"
        if self.layout != "aos":
            text += f', layout="{self.layout}"'
        if self.order:
            text += f', order="{self.order}"'
        return text + ")"

    def at(self, indices):
        return f"{self.name}[{', '.join(indices) if indices else 'None'}]"


class Local(NamedTuple):
    """A name of a scalar in scope: a variable, a parameter or an index."""
    name: str
    scalar: Scalar
    bound: Bound = None
    isAssignable: bool = False


class Index(NamedTuple):
    """A loop's name and the range of its values."""
    name: str
    low: int
    high: int
    scalar: Scalar = I32

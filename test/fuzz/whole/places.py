"""What a statement finds at its place: names, fields, and what it may do."""
from typing import NamedTuple

from kinds import Array, I32, Mat, Scalar, Vec


class Var(NamedTuple):
    """A variable; `isFixed` says that nothing assigns it."""
    name: str
    kind: object
    isFixed: bool = False


class Index(NamedTuple):
    """A loop's name and its range."""
    name: str
    low: int
    high: int
    scalar: Scalar = I32


class Extent(NamedTuple):
    value: int
    text: str


class Field:
    def __init__(self, name, kind, shape, layout="", order=""):
        self.name, self.kind, self.shape = name, kind, tuple(shape)
        self.layout, self.order = layout, order

    def declaration(self, more=""):
        text = f"{self.name} = field({self.kind.text}"
        if len(self.shape) == 1:
            text += f", shape={self.shape[0].text}"
        elif self.shape:
            text += f", shape=({', '.join(extent.text for extent in self.shape)})"
        text += f', layout="{self.layout}"' if self.layout else ""
        text += f', order="{self.order}"' if self.order else ""
        return text + more + ")"

    def at(self, indices):
        return f"{self.name}[{', '.join(indices) if indices else 'None'}]"

    @property
    def size(self):
        size = 1
        for extent in self.shape:
            size *= extent.value
        return size

    def isLike(self, other):
        """Can stand for the other one, in a parameter or a swap."""
        return self.kind == other.kind and [e.value for e in self.shape] == \
            [e.value for e in other.shape]


class Task:
    """A parallel loop: what it may do with each field, so that nothing races.

    Each field has one role: read anywhere, the iteration's own element, or
    updated anywhere by one operator and not read.
    """

    def __init__(self):
        self.read, self.own, self.updated = [], {}, {}
        self.reductions = {}  # name of a kernel's variable: operator, or None so far


class Scope:
    """`place` is "host", "kernel" (between loops), "task" or "function"."""

    def __init__(self, program, place):
        self.program, self.dice, self.place = program, program.dice, place
        self.variables, self.indices, self.functions = [], [], []
        self.fields = []        # between loops: all are available
        self.task = None
        self.trips = 1          # how often this place runs at most
        self.nesting = 0
        self.canBreak = self.canContinue = False
        self.results = None     # kinds that a function returns
        self.lines, self.depth = [], 0

    def line(self, text):
        self.lines.append("    " * self.depth + text)

    def fresh(self, stem):
        return self.program.fresh(stem)

    def block(self, header, write, trips=1, indices=(), **changes):
        """Writes a block; its names are gone behind it."""
        self.line(header)
        kept = {name: getattr(self, name) for name in ("trips", "nesting", *changes)}
        marks = len(self.variables), len(self.indices), len(self.lines)
        self.trips, self.nesting = self.trips * max(1, trips), self.nesting + 1
        self.indices += indices
        for name, value in changes.items():
            setattr(self, name, value)
        self.depth += 1
        write()
        if len(self.lines) == marks[2]:
            self.line("pass")
        self.depth -= 1
        del self.variables[marks[0]:], self.indices[marks[1]:]
        for name, value in kept.items():
            setattr(self, name, value)

    def having(self, wanted, isAssigned=False):
        return [v for v in self.variables if wanted(v.kind) and not (isAssigned and v.isFixed)]

    def readable(self, wanted):
        """(field, text of the own index or None for any) of elements to read."""
        if self.task is None:
            return [(field, None) for field in self.fields if wanted(field)]
        found = [(field, None) for field in self.task.read if wanted(field)]
        return found + [(field, own) for field, own in self.task.own.items() if wanted(field)]

    def writable(self, wanted):
        if self.task is None:
            return [(field, None) for field in self.fields if wanted(field)]
        return [(field, own) for field, own in self.task.own.items() if wanted(field)]


def isVec(kind):
    return isinstance(kind, Vec)


def isMat(kind):
    return isinstance(kind, Mat)


def isArray(kind):
    return isinstance(kind, Array)


def isScalar(kind):
    return isinstance(kind, Scalar)

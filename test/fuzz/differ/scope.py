"""What a statement may use at its place, and the dice."""
import random

from elements import Field


class Dice(random.Random):
    def chance(self, percent):
        return self.randrange(100) < percent

    def weighted(self, table):
        """One of the keys of a table of weights."""
        return self.choices(list(table), weights=list(table.values()))[0]


class Scope:
    """Names in sight. Blocks restore the lists' lengths when they end."""

    def __init__(self, program):
        self.program, self.dice = program, program.dice
        self.indices = []     # of the loops round this place
        self.locals = []      # scalars
        self.readable = []    # fields that may be read anywhere
        self.owned = {}       # field: indices of the iteration's own element
        self.adding = {}      # field: operator that all updates of the loop use
        self.sums = []        # reductions: [name, scalar, operator, room left]
        self.vecs = []        # (name, element, isAssignable)
        self.arrays = []      # (name, scalar, length)
        self.functions = list(program.functions)
        self.trips = 1        # how often this place runs at most, all iterations
        self.turns = 1        # the same in one iteration
        self.isTask = False   # of a parallel loop
        self.isInLoop = False  # break and continue are of an inner loop
        self.lines, self.depth = [], 0

    def line(self, text):
        self.lines.append("    " * self.depth + text)

    def fresh(self, stem):
        self.program.counter += 1
        return f"{stem}{self.program.counter}"

    def marks(self):
        return [len(names) for names in
                (self.indices, self.locals, self.vecs, self.arrays)]

    def restore(self, marks):
        for names, mark in zip((self.indices, self.locals, self.vecs, self.arrays), marks):
            del names[mark:]

    def elementsToRead(self, wanted):
        """(field, its own indices or None for any) that fit a predicate."""
        found = [(field, None) for field in self.readable if wanted(field)]
        found += [(field, own) for field, own in self.owned.items() if wanted(field)]
        return found


def sameShape(first: Field, second: Field):
    return [e.value for e in first.shape] == [e.value for e in second.shape]

"""All expressions, written at a place."""
from floats import Floats
from integers import Integers
from reading import Reading
from vectors import Vectors


class Expressions(Reading, Integers, Floats, Vectors):
    def __init__(self, scope):
        self.scope, self.dice, self.program = scope, scope.dice, scope.program
        self.inside = 0

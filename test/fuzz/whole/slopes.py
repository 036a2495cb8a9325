"""Programs with gradients at kinks, zeros and infinities.

Element i of `out` comes from element i of x, y, z alone, through several
kernels. The script prints the gradient of the sum of `out` by a tape, and
`out` with each of x, y, z a little larger and smaller: one-sided differences
of every element at once (slopes_judge.py).
"""
from typing import NamedTuple

from kinds import Dice
from slopes_terms import Terms

INPUTS = ["x", "y", "z"]
NUMBERS = ["0.0", "0.0", "-0.0", "1.0", "-1.0", "0.5", "-0.5", "2.0", "3.0", "-2.5", "0.25", "1.5",
           "100.0"]
EXTREME = ["math.inf", "-math.inf", "1e300", "-1e200", "1e-300", "math.nan"]
STEP = 1e-5

SCRIPT = """
@kernel
def begin():
    for i in x:
        x[i] = X[i]
        y[i] = Y[i]
        z[i] = Z[i]
        m[i] = M[i]
{zeros}

@kernel
def total():
    for i in out:
        L[None] += out[i]

begin()
with Tape(loss=L):
    forward()
    total()
print("v", x)
print("v", y)
print("v", z)
print("d", x.grad)
print("d", y.grad)
print("d", z.grad)
print("f", out)
for which in range(3):
    for h in ({h}, {h} / 2, -{h}, -{h} / 2):
        begin()
        if which == 0: shift(x, h)
        if which == 1: shift(y, h)
        if which == 2: shift(z, h)
        forward()
        print("f", out)
    for other in (0.3, -0.7):
        begin()
        if which == 0: x.fill(other)
        if which == 1: y.fill(other)
        if which == 2: z.fill(other)
        forward()
        print("f", out)
"""

SHIFT = """
@kernel
def shift(v, h: f64):
    for i in v:
        v[i] += h
"""


class Slopes(NamedTuple):
    text: str
    forward: str       # its part that sets `out`: functions and kernels
    marks: list        # the integers `m`
    arguments: tuple
    floats: str        # "wild": fast runs are held to a tolerance
    isStrict: bool
    isSingle: bool     # one kink between smooth functions: half of both sides
    isPointwise: bool  # conditions compare floats for equality


class SlopeProgram:
    def __init__(self, seed):
        self.dice, self.counter, self.lines = Dice(seed), 0, []
        self.size = self.dice.choice([3, 5, 8, 12, 17, 21])
        self.isSingle, self.isPointwise = self.dice.chance(20), False
        self.functions, self.definitions = [], []
        self.between = ["t1", "t2"][:self.dice.choice([0, 1, 1, 2])]

    def fresh(self, stem):
        self.counter += 1
        return f"{stem}{self.counter}"

    def generated(self):
        dice = self.dice
        terms = Terms(self)
        if not self.isSingle:
            for _ in range(dice.choice([0, 1, 1, 2])):
                terms.function()
        kernels = self.kernels(terms)
        tables = [f"const {name.upper()} = [{', '.join(self.number() for _ in range(self.size))}]"
                  for name in INPUTS]
        marks = [dice.randint(0, 5) for _ in range(self.size)]
        head = ["import math", f"const n = {self.size}", *tables, f"const M = {marks}",
                *(f"{name} = field(f64, shape=n, grad=True)" for name in INPUTS),
                *(f"{name} = field(f64, shape=n)" for name in [*self.between, "out"]),
                "m = field(i32, shape=n)", "L = field(f64)", ""]
        zeros = "\n".join(f"        {name}[i] = 0" for name in [*self.between, "out"])
        forward = "\n".join([*self.definitions, *kernels])
        text = "\n".join([*head, forward]) + SHIFT + SCRIPT.format(zeros=zeros, h=STEP)
        return Slopes(text, forward, marks, (), "wild", False, self.isSingle, self.isPointwise)

    def number(self):
        return self.dice.choice(EXTREME if self.dice.chance(10) else NUMBERS)

    def kernels(self, terms):
        """One after the other they set t1, t2 and out."""
        dice, lines, calls = self.dice, [], []
        known = list(INPUTS)
        if self.isSingle:
            self.between = []
        for target in [*self.between, "out"]:
            name = f"make_{target}"
            lines += ["@kernel", f"def {name}():", f"    for i in {dice.choice(['x', 'out'])}:"]
            lines += terms.iteration(target, known)
            lines.append("")
            calls.append(f"    {name}()")
            known.append(target)
        return [*lines, "def forward():", *calls, ""]


def generateSlopes(seed):
    """The gradient program of a seed."""
    return SlopeProgram(seed).generated()

"""The derivative of a slopes program along the path that it takes.

Forward mode: each number carries its tangent, and only operations that run
take part, so what a branch or a `max` discards has none. A derivative that is
not a number here comes from an infinite slope that meets one of 0 in operations
that the program needs, as in `acosh(tanh(25.0))`; nothing discards it. The text
of a program is Python except for `const`, its lists and its literals.
"""
import ast
import ctypes
import math

INF = math.inf
LARGE = 1e8


def quiet(function, at):
    """As IEEE 754: an infinity or NaN where Python raises an error."""
    def result(*values):
        try:
            return function(*values)
        except OverflowError:
            return INF
        except (ValueError, ZeroDivisionError):
            return at(*values)
    return result


def divide(a, b):
    if b != 0:
        return a / b
    return math.nan if a == 0 or math.isnan(a) else math.copysign(INF, a) * math.copysign(1, b)


def raisedZero(x, y):
    """`pow` where Python refuses: of a base of 0 or a negative one."""
    if x != 0:
        return math.nan
    return math.copysign(INF, x) if y % 2 == 1 else INF


power = quiet(math.pow, raisedZero)


class Path:
    """What an element's computation passes where no difference tells the
    derivative if there is more than one of it: equal operands of a comparison or
    a `max`, and, each for two, numbers so large that a step is lost in them.
    `isLost`: a sine of so large a number, which any rounding before it changes."""

    def __init__(self):
        self.marks, self.isLost = 0, False


class Dual:
    """A number and its tangent; None where it does not depend on the input."""

    def __init__(self, value, tangent=None, path=None):
        self.value, self.tangent, self.path = float(value), tangent, path

    def compared(self, other):
        """Both values, noted on the path if they are equal."""
        other = dual(other)
        path = self.path or other.path
        if path and self.value == other.value:
            path.marks += 1
        return self.value, other.value

    def __add__(self, other):
        other = dual(other)
        return made(self.value + other.value, (self, 1.0), (other, 1.0))

    def __sub__(self, other):
        other = dual(other)
        return made(self.value - other.value, (self, 1.0), (other, -1.0))

    def __mul__(self, other):
        other = dual(other)
        return made(self.value * other.value, (self, other.value), (other, self.value))

    def __truediv__(self, other):
        other = dual(other)
        value = divide(self.value, other.value)
        return made(value, (self, divide(1.0, other.value)),
                    (other, -divide(value, other.value)))

    def __pow__(self, other):
        if isinstance(other, int):  # by products, as the compiler does
            product = self
            for _ in range(abs(other) - 1):
                product = product * self
            return product if other > 0 else Dual(1.0) / product
        other = dual(other)
        x, y = self.value, other.value
        value = power(x, y)
        return made(value, (self, y * power(x, y - 1) if y != 0 else 0.0),
                    (other, value * log(x)))

    def __neg__(self):
        return made(-self.value, (self, -1.0))

    def __radd__(self, other):
        return dual(other) + self

    def __rmul__(self, other):
        return dual(other) * self

    def __lt__(self, other):
        a, b = self.compared(other)
        return a < b

    def __le__(self, other):
        a, b = self.compared(other)
        return a <= b

    def __gt__(self, other):
        a, b = self.compared(other)
        return a > b

    def __ge__(self, other):
        a, b = self.compared(other)
        return a >= b

    def __eq__(self, other):
        a, b = self.compared(other)
        return a == b

    def __ne__(self, other):
        a, b = self.compared(other)
        return a != b

    __hash__ = None


def dual(value):
    return value if isinstance(value, Dual) else Dual(value)


def made(value, *parts, ties=0):
    """A result with its slopes by operands."""
    tangent = None
    path = next((operand.path for operand, _ in parts if operand.path), None)
    if path:
        path.marks += ties + 2 * (not abs(value) < LARGE)
    for operand, slope in parts:
        if operand.tangent is not None:
            tangent = (tangent or 0.0) + slope * operand.tangent
            path.marks += 2 * (not abs(slope) < LARGE)
    return Dual(value, tangent, path)


log = quiet(math.log, lambda x: -INF if x == 0 else math.nan)
exp = quiet(math.exp, lambda x: math.nan)
sqrt = quiet(math.sqrt, lambda x: math.nan)
nan = lambda x: math.nan  # noqa: E731


def cbrt(x):
    return math.copysign(abs(x) ** (1 / 3), x)


#: name: (function, slope from the operand and the result)
FUNCTIONS = {
    "sin": (quiet(math.sin, nan), lambda x, r: quiet(math.cos, nan)(x)),
    "cos": (quiet(math.cos, nan), lambda x, r: -quiet(math.sin, nan)(x)),
    "tan": (quiet(math.tan, nan), lambda x, r: 1 + r * r),
    "tanh": (math.tanh, lambda x, r: (1 - r) * (1 + r)),
    "exp": (exp, lambda x, r: r),
    "atan": (math.atan, lambda x, r: divide(1, 1 + x * x)),
    "asin": (quiet(math.asin, nan), lambda x, r: divide(1, sqrt((1 - x) * (1 + x)))),
    "acos": (quiet(math.acos, nan), lambda x, r: -divide(1, sqrt((1 - x) * (1 + x)))),
    "asinh": (math.asinh, lambda x, r: divide(1, math.hypot(1, x))),
    "acosh": (quiet(math.acosh, nan), lambda x, r: divide(1, sqrt(x - 1) * sqrt(x + 1))),
    "atanh": (quiet(math.atanh, lambda x: x * INF if abs(x) == 1 else math.nan),
              lambda x, r: divide(1, (1 - x) * (1 + x))),
    "log": (log, lambda x, r: divide(1, x)),
    "log1p": (quiet(math.log1p, lambda x: -INF if x == -1 else math.nan),
              lambda x, r: divide(1, 1 + x)),
    "sqrt": (sqrt, lambda x, r: divide(0.5, r)),
    "cbrt": (cbrt, lambda x, r: divide(1, 3 * (r * r))),
    "erf": (math.erf, lambda x, r: 2 / math.sqrt(math.pi) * exp(-(x * x))),
}


def elementary(name):
    function, slope = FUNCTIONS[name]

    def applied(x):
        x = dual(x)
        if x.path and name in ("sin", "cos", "tan") and not abs(x.value) < LARGE:
            x.path.isLost = True
        result = function(x.value)
        return made(result, (x, slope(x.value, result)))
    return applied


def extreme(isBetter):
    """`min` or `max`: NaN is passed over, a tie is half of each."""
    def chosen(first, *others):
        best = dual(first)
        for each in map(dual, others):
            if math.isnan(best.value) or isBetter(each.value, best.value):
                best = each
            elif each.value == best.value:
                best = made(best.value, (best, 0.5), (each, 0.5), ties=1)
        return best
    return chosen


least, most = extreme(lambda a, b: a < b), extreme(lambda a, b: a > b)


def clamp(x, low, high):
    return least(most(x, low), high)


def magnitude(x):
    x = dual(x)
    isKink = x.value == 0
    return made(abs(x.value), (x, 0.0 if isKink else math.copysign(1, x.value)), ties=isKink)


def flat(function):
    """A function that is constant between its steps."""
    return lambda x: Dual(function(dual(x).value), None, dual(x).path)


def sign(x):
    return x if x == 0 or math.isnan(x) else math.copysign(1, x)


def floor(x):
    return float(math.floor(x)) if math.isfinite(x) else x


def hypot(x, y):
    x, y = dual(x), dual(y)
    r = math.hypot(x.value, y.value)
    return made(r, *((each, 0.0 if r == 0 else divide(each.value, r)) for each in (x, y)),
                ties=r == 0)


def atan2(y, x):
    y, x = dual(y), dual(x)
    r = math.hypot(x.value, y.value)
    isFlat = r == 0 or r == INF
    return made(math.atan2(y.value, x.value),
                (y, 0.0 if isFlat else x.value / r / r),
                (x, 0.0 if isFlat else -y.value / r / r))


def mix(a, b, t):
    a, b, t = dual(a), dual(b), dual(t)
    return a + (b - a) * t


class Row(list):
    """A vec, or an array."""

    @property
    def x(self):
        return self[0]

    @property
    def y(self):
        return self[1]

    def sum(self):
        return self[0] + self[1]

    def max(self):
        return most(*self)

    def dot(self, other):
        return self[0] * other[0] + self[1] * other[1]

    def norm_sqr(self):
        return self.dot(self)

    def norm(self):
        square = self.norm_sqr()
        root = sqrt(square.value)
        return made(root, (square, 0.0 if root == 0 else divide(0.5, root)), ties=root == 0)

    def normalized(self):
        norm = self.norm()
        return Row(each / norm for each in self)

    def __matmul__(self, columns):
        return Row(self[0] * columns[0][k] + self[1] * columns[1][k] for k in range(2))


def single(x):
    """Rounded to f32."""
    x = dual(x)
    return made(ctypes.c_float(x.value).value, (x, 1.0))


class Field(list):
    """Elements by index; a loop over it is over its indices."""

    def __iter__(self):
        return iter(range(len(self)))


class Readable(ast.NodeTransformer):
    """Chi's numbers and vecs for Python's."""

    def visit_Constant(self, node):
        return call("dual", node) if isinstance(node.value, float) else node

    def visit_List(self, node):
        return call("Row", self.generic_visit(node))


def call(name, argument):
    return ast.Call(ast.Name(name, ast.Load()), [argument], [])


def meanings():
    """What the names of a slopes program mean."""
    names = {name: elementary(name) for name in FUNCTIONS}
    names.update(
        dual=dual, Row=Row, f64=float, math=math, kernel=lambda function: function,
        min=least, max=most, clamp=clamp, abs=magnitude, sign=flat(sign), floor=flat(floor),
        hypot=hypot, atan2=atan2, mix=mix,
        vec2=lambda a, b: Row([single(a), single(b)]), dvec2=lambda a, b: Row([dual(a), dual(b)]),
        mat=lambda *shape: lambda columns: columns,
        array=lambda kind, size: Row([Dual(0.0)] * size),
        isnan=lambda x: math.isnan(dual(x).value), isinf=lambda x: math.isinf(dual(x).value),
        isfinite=lambda x: math.isfinite(dual(x).value))
    return names


def tangents(kernels, inputs, marks, which):
    """(derivative by one input, is a difference sure to show it?) of an element
    of `out`; the derivative is None where rounding decides it. `kernels` is the program's text from its first function to
    `forward`; `inputs` are the element's three numbers, `marks` its integer,
    `which` the input to move."""
    path, names = Path(), meanings()
    for k, name in enumerate("xyz"):
        names[name] = Field([Dual(inputs[k], 1.0 if k == which else None, path)])
    names.update({name: Field([Dual(0.0)]) for name in ("t1", "t2", "out")}, m=[marks])
    tree = ast.fix_missing_locations(Readable().visit(ast.parse(kernels)))
    exec(compile(tree, "<slopes>", "exec"), names)
    names["forward"]()
    if path.isLost:
        return None, False
    return names["out"][0].tangent or 0.0, path.marks < 2

"""What the operations of fuzz_facts.py do to numbers."""


class Stop(Exception):
    """The run has no meaning from here on, or a check ended it."""


def wrap(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if bits > 1 and value >> (bits - 1) else value


def unsigned(value, bits):
    return value & ((1 << bits) - 1)


def trunc_div(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def nonzero(value):
    if value == 0:
        raise Stop
    return value


def shift(value, bits):
    if not 0 <= value < bits:
        raise Stop
    return value


BINARY = {
    "arith.addi": lambda a, b, w: a + b,
    "arith.subi": lambda a, b, w: a - b,
    "arith.muli": lambda a, b, w: a * b,
    "chi.floordiv": lambda a, b, w: a // nonzero(b),
    "chi.floormod": lambda a, b, w: a % nonzero(b),
    "arith.floordivsi": lambda a, b, w: a // nonzero(b),
    "arith.divsi": lambda a, b, w: trunc_div(a, nonzero(b)),
    "arith.remsi": lambda a, b, w: a - b * trunc_div(a, nonzero(b)),
    "arith.divui": lambda a, b, w: unsigned(a, w) // nonzero(unsigned(b, w)),
    "arith.remui": lambda a, b, w: unsigned(a, w) % nonzero(unsigned(b, w)),
    "arith.minsi": lambda a, b, w: min(a, b),
    "arith.maxsi": lambda a, b, w: max(a, b),
    "arith.minui": lambda a, b, w: min(unsigned(a, w), unsigned(b, w)),
    "arith.maxui": lambda a, b, w: max(unsigned(a, w), unsigned(b, w)),
    "arith.andi": lambda a, b, w: a & b,
    "arith.ori": lambda a, b, w: a | b,
    "arith.xori": lambda a, b, w: a ^ b,
    "arith.shli": lambda a, b, w: a << shift(b, w),
    "arith.shrsi": lambda a, b, w: a >> shift(b, w),
    "arith.shrui": lambda a, b, w: unsigned(a, w) >> shift(b, w),
}
WRAPPING = ("arith.addi", "arith.subi", "arith.muli", "arith.shli")
COMPARE = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
}
EDGES = {8: [-128, -127, 126, 127], 32: [-2**31, 1 - 2**31, 2**31 - 2, 2**31 - 1],
         64: [-2**63, 1 - 2**63, 2**63 - 2, 2**63 - 1]}
SMALL = [-7, -4, -3, -2, -1, 0, 0, 1, 1, 2, 3, 4, 5, 8, 15, 16, 31, 32, 100]
WIDTHS = [32, 32, 32, 32, 64, 64, 8]


def number(rng, width):
    return rng.choice(EDGES[width]) if rng.random() < 0.15 else rng.choice(SMALL)

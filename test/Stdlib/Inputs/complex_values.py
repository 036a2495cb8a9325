"""Compares lines `name x y re im` with Python's cmath, also the signs of zeros.

Where Python raises an error there is nothing to compare with. complex_values.py TOLERANCE
"""
import cmath
import math
import sys

tolerance = float(sys.argv[1])
wrong, seen = [], 0


def rounded(x):
    """As f32 has it, if that was computed in."""
    if tolerance < 1e-7 or not math.isfinite(x):
        return x
    import struct
    return struct.unpack("f", struct.pack("f", x))[0]


def isVague(z):
    """C99 leaves the signs of zeros and infinities open."""
    return math.isnan(z.real) or math.isnan(z.imag) or (math.isinf(z.real) and math.isinf(z.imag))


def isNewer(name, z):
    """C11 (DR 471, 472) has zero or pi / 2 where Python's tables have NaN."""
    return name in ("tan", "tanh", "acosh") and 0 in (z.real, z.imag) and z != z


def agree(a, b, size, hasSign):
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    if math.isinf(a) or math.isinf(b) or a == 0 == b:
        if not hasSign:
            return abs(a) == abs(b)
        return a == b and math.copysign(1, a) == math.copysign(1, b)
    return abs(a - b) <= tolerance * size or abs(a - b) < 1e-44


def tooSmall(value):
    """Beyond the range of f32, which rounds it to zero or an infinity."""
    sizes = [abs(x) for x in (value.real, value.imag) if math.isfinite(x) and x != 0]
    return tolerance > 1e-7 and any(s < 1e-36 or s > 1e37 for s in sizes)


for line in sys.stdin:
    name, *numbers = line.split()
    x, y, re, im = map(float, numbers)
    z = complex(rounded(x), rounded(y))
    try:
        known = getattr(cmath, name)(z)
    except (ValueError, OverflowError):
        continue
    if tooSmall(known) or isNewer(name, z):
        continue
    seen += 1
    finite = [abs(v) for v in (known.real, known.imag) if math.isfinite(v)]
    size = max(finite, default=0)
    hasSign = not isVague(z)
    if not agree(known.real, re, size, hasSign) or not agree(known.imag, im, size, hasSign):
        wrong.append(f"{name}({z}) is {complex(re, im)}, not {known}")
if seen < 3000:
    wrong.append(f"only {seen} values")
sys.exit("\n".join(wrong[:60]) or 0)

"""What a gradient must be, by one-sided differences of every element.

Where both sides have a slope and these agree, it is the gradient; where they
do not, the gradient lies between them, in the middle for a single kink. Where
a side has none, nothing is said, but that a gradient is a number where both
have one. Where two kinks meet, or numbers are infinite or large, a gradient may
also be what forward mode finds along the path (tangents.py).
"""
import math

from slopes import STEP
from tangents import tangents

TOLERANCE = 1e-5
ROUNDING = 2.0**-52
LARGEST = 1e4


def numbers(line):
    return [float(word) for word in line[2:].strip(" []").split(", ")]


def rows(output):
    """(inputs, gradients by them, out, out with each of them moved by h, h/2, -h,
    -h/2 and put to two other values)."""
    found = {letter: [numbers(line) for line in output.splitlines()
                      if line.startswith(letter + " ")] for letter in "vdf"}
    outs = found["f"]
    return found["v"], found["d"], outs[0], [outs[1 + 6 * k:7 + 6 * k] for k in range(3)]


def slope(at, near, nearer, h):
    """(slope on a side, what it may be wrong by), or None where there is none."""
    a, b = (near - at) / h, 2 * (nearer - at) / h
    noise = 8 * ROUNDING * max(abs(at), abs(near)) / abs(h)
    if not (math.isfinite(a) and math.isfinite(b)) or noise > 1e-3 \
            or abs(a - b) > 1e-3 * max(1, abs(b)) + noise:
        return None
    return 2 * b - a, noise + TOLERANCE * max(1, abs(b)) + abs(a - b)


def wrongSlopes(output, program, isFast=False):
    """Texts of what is wrong with the gradients that a program printed; and how
    many were compared. Next to a pole the terms of a gradient may be so large that
    fast arithmetic, which adds them in another order, leaves the rounding of them."""
    inputs, gradients, values, moved = rows(output)
    found, compared = [], 0
    for which in range(3):
        for i, g in enumerate(gradients[which]):
            sides = [row[i] for row in moved[which]]
            # A kink may lie nearer than a step, where one side alone counts.
            isNear = any(0 < abs(row[i]) < STEP for row in inputs)
            word = judged(inputs[which][i], g, values[i], sides,
                          program._replace(isSingle=False) if isNear else program)
            if word and isFast and isNear and math.isfinite(g):
                continue
            if word:
                forward = tangents(program.forward, [row[i] for row in inputs],
                                   program.marks[i], which)
                word = None if isExplained(g, *forward) else word
            if word is None:
                continue
            compared += 1
            if word:
                found.append(f"{word}: d out[{i}] / d {'xyz'[which]}[{i}] is {g}, at "
                             f"{inputs[which][i]} of {values[i]}, moved {sides}")
    return found, compared


def isExplained(g, tangent, isJudged):
    """Is a gradient that no difference shows the derivative along the path, or has
    that none?"""
    if tangent is None:
        return True
    return not isJudged and not abs(g - tangent) > TOLERANCE * max(1, abs(g)) \
        and not (math.isfinite(tangent) and not math.isfinite(g))


def judged(at, g, value, sides, program):
    """What is wrong; "" if nothing is, None where nothing is said."""
    if not math.isfinite(at) or abs(at) > LARGEST:
        # No step moves it. What no other value changes either has no part in it.
        if math.isfinite(value) and sides == [value] * 6:
            return "not zero" if abs(g) * abs(at) > ROUNDING * abs(value) else ""
        return None
    up = slope(value, sides[0], sides[1], STEP)
    down = slope(value, sides[2], sides[3], -STEP)
    return None if up is None or down is None else verdict(g, up, down, program)


def verdict(g, up, down, program):
    room = 3 * max(up[1], down[1])
    isSmooth = abs(up[0] - down[0]) <= room
    if not math.isfinite(g):
        # Two kinks may meet: of `acos(exp(-z * z))` at 0 both slopes are finite, but
        # they are what an infinite slope and one of 0 come to.
        return "nan" if isSmooth or program.isSingle else ""
    if program.isPointwise:
        return ""  # a branch that one point takes has a slope of its own
    low, high = sorted((up[0], down[0]))
    if isSmooth and not low - room <= g <= high + room:
        return "wrong"
    if not low - room <= g <= high + room:
        return "outside"
    if program.isSingle and abs(g - (low + high) / 2) > room:
        return "not in the middle"
    return ""

"""How near an answer is to the oracle's.

Where device_tolerances.txt grants a test a relative error (CHI_TOLERANCE in the
environment), floats may differ by it: printed ones each, those of a saved array
by the greatest of them. Texts and integers are the same, always.
"""
import math
import os
import re
import struct

FLOAT = re.compile(r"(-?\d+(?:\.\d+(?:e[-+]?\d+)?|e[-+]?\d+))")
WIDTHS = {b"<f2": "e", b"<f4": "f", b"<f8": "d"}


def granted():
    return float(os.environ.get("CHI_TOLERANCE", "0"))


def same_text(found, wanted):
    """Of two texts."""
    ours, theirs = FLOAT.split(found), FLOAT.split(wanted)
    if granted() == 0 or len(ours) != len(theirs):
        return found == wanted
    return all(a == b if place % 2 == 0 else math.isclose(float(a), float(b), rel_tol=granted())
               for place, (a, b) in enumerate(zip(ours, theirs)))


def elements(data):
    """The head of an .npy file, and its floats; nothing of another file."""
    start = 10 + struct.unpack("<H", data[8:10])[0] if data.startswith(b"\x93NUMPY") else 0
    kind = re.search(rb"'descr': '(<f\d)'", data[:start])
    if not kind:
        return None
    code = WIDTHS[kind[1]]
    count = (len(data) - start) // struct.calcsize(code)
    return data[:start], struct.unpack(f"<{count}{code}", data[start:])


def same_file(found, wanted):
    """Of the bytes of two files."""
    ours, theirs = elements(found), elements(wanted)
    if granted() == 0 or not ours or not theirs:
        return found == wanted
    allowed = granted() * max((abs(x) for x in theirs[1] if math.isfinite(x)), default=0)
    return ours[0] == theirs[0] and all(
        a == b or abs(a - b) <= allowed or (a != a and b != b) for a, b in zip(ours[1], theirs[1]))

"""close.py A B TOLERANCE: the same text except for numbers that differ by rounding."""
import pathlib
import re
import sys

number = re.compile(r"-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?")
left, right = (pathlib.Path(name).read_text() for name in sys.argv[1:3])
assert number.sub("#", left) == number.sub("#", right), (left, right)
for a, b in zip(number.findall(left), number.findall(right)):
    assert abs(float(a) - float(b)) <= float(sys.argv[3]) * max(1, abs(float(a))), (a, b, left, right)

#!/usr/bin/env python3
"""Writes the tables of FormatTest.cpp: values, specs, and what Python answers."""
import pathlib
import random

random.seed(1)
here = pathlib.Path(__file__).parent
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.1, 0.5, 1.5, 2.5, 9.995, 123.456, 1234567.891, 1e-5, 1.234e-4, 1e16, 1e15, 123456789012345680.0,
          1e22, 1e100, 5e-324, 1.7976931348623157e308, 0.001, 99999.5, 999999.5, 3.14159265358979]
SPECS = ["", "f", ".0f", ".3f", ".12f", "e", ".0e", ".3e", "E", "g", ".3g", ".10g", "G", "#g", ".3", ".1", ".17", "%", ".1%", "10", "<10",
         "^12.2f", "*>+12.3e", "08.2f", "+", " ", "=+12", "012,.2f", ",.1f", "_.2f", "n", "x^20", "020", "-"]
INTS = [0, 1, -1, 7, 42, -42, 255, 1000, 1234567, -9876543210, 2**31 - 1, -2**63, 2**63 - 1]
INT_SPECS = ["", "d", "b", "o", "x", "X", "#x", "#b", "#o", "5", "<5", "^8", ">8", "=8", "08", "+d", " d", ",", "_", "012,", "015,d", "_b",
             "#010x", "#_x", "e", ".2f", "g", "%", "*^+15,", "é>6"]


def literal(value):
    return "INT64_MIN" if value == -2**63 else repr(value)


def write(name, values, specs, most):
    cases = [(v, s) for v in values for s in specs]
    cases = sorted(random.sample(cases, min(most, len(cases))), key=cases.index)
    lines = ['{%s, "%s", "%s"},' % (literal(v), s, format(v, s)) for v, s in cases]
    (here / name).write_text("\n".join(lines) + "\n")


write("FormatFloatCases.inc", FLOATS, SPECS, 400)
write("FormatIntegerCases.inc", INTS, INT_SPECS, 250)

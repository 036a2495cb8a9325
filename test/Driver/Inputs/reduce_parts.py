"""The parts of chi-reduce by themselves: every program of the repository goes
through its blocks unharmed, and searches find what they should."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools/chi-reduce"))
from chi_reduce import find_switches, reduce  # noqa: E402
from chi_reduce.program import parse, text_of, tokens_of  # noqa: E402
from chi_reduce.tokens import simpler_lines, smaller_number  # noqa: E402

programs = [*ROOT.glob("examples/*.chi"), *ROOT.glob("test/EndToEnd/*.chi")]
assert len(programs) > 30


def words(text):
    return [token.text for token in tokens_of(text)]


for path in programs:
    text = path.read_text()
    plain = text_of(parse(text))
    assert words(plain) == words(text), path
    assert text_of(parse(plain)) == plain, path

# Brackets, strings and clauses.
text = 'if a:\n  b = [1,\n    2]  # two\nelif c:\n  d("#", "\\"")\nelse:\n  e = """x\n  y"""\nf = 1\n'
assert [len(s.follow) for s in parse(text)] == [2, 0]
assert "b = [1," in text_of(parse(text)) and '"""x\n  y"""' in text_of(parse(text))

forms = set(simpler_lines("x = a[i + 1] * f(b, 300) - 2"))
for wanted in ("x = a[i + 1]", "x = a[i] * f(b, 300) - 2", "x = a[i + 1] * b - 2", "x = 0",
               "x = a[i + 1] * f(300) - 2", "x = a[i + 1] * f(b, 150) - 2"):
    assert wanted in forms, wanted
assert smaller_number("64")[:4] == ["0", "1", "2", "32"] and "63" in smaller_number("64")


# The smallest number that shows it, whatever the number of jobs.
def shows(text):
    extent = re.search(r"^n = (\d+)$", text, re.M)
    return "keep" in text and extent is not None and int(extent[1]) >= 33


for jobs in (1, 3):
    assert reduce("a = 1\nn = 1000\nfor i in n:\n    keep = n\n", shows, jobs) == "n = 33\nkeep = 0\n"
# A time limit ends it with what there is.
assert reduce("n = 1000\n" + "keep = 1\n" * 5, shows, seconds=1e-9).count("keep") == 5

names = [f"s{k}" for k in range(20)]
assert find_switches(lambda off: not {"s3"} & set(off), names).single == ("s3",)
assert find_switches(lambda off: not {"s3", "s8"} & set(off), names).single == ("s3", "s8")
verdict = find_switches(lambda off: not {"s3", "s8"} <= set(off), names, jobs=2)
assert verdict.together == ("s3", "s8") and verdict.is_smallest
verdict = find_switches(lambda off: not {"s1", "s8", "s19"} <= set(off), names)
assert verdict.together == ("s1", "s8", "s19") and verdict.is_smallest
# Of two ways, the shorter one.
verdict = find_switches(lambda off: not ({"s1", "s8", "s19"} <= set(off) or
                                         {"s2", "s4"} <= set(off)), names)
assert verdict.together == ("s2", "s4") and verdict.is_smallest
verdict = find_switches(lambda off: True, names)
assert not verdict.single and not verdict.together

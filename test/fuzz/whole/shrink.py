"""Makes a program that shows a finding small, by tools/chi-reduce."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tools/chi-reduce"))
from chi_reduce import reduce  # noqa: E402

from judge import isCrash  # noqa: E402
from ways import Way  # noqa: E402

WATCHED = Way(("-O0", "--float=strict", "--check=races"), 2)


def refuses(outcome):
    return "error[E" in outcome.errors or "error: [E" in outcome.errors


def stopsTheCompiler(outcome):
    """Refused for what it would stop at, an index or a divisor of constants, alone?"""
    codes = set(re.findall(r"error\[(E\d+)\]", outcome.errors))
    return bool(codes) and codes <= {"E0216", "E0602"}


class Shows:
    """Callable: does a program differ in the same way, and mean something still?"""

    def __init__(self, place, finding, program):
        self.place, self.finding, self.program, self.last = place, finding, program, finding
        self.head = f"# arguments: {' '.join(program.arguments)}\n" if program.arguments else ""

    def __call__(self, text):
        self.place.take(self.head + text)
        oracle = self.place.oracle()
        if self.finding.kind == "interpreter":
            return isCrash(oracle)
        if isCrash(oracle) or refuses(oracle) or oracle.status != self.finding.expected.status:
            return False
        found = self.place.judge(self.finding.way, oracle, self.program)
        if found is None or found.kind != self.finding.kind or \
                refuses(found.found) != refuses(self.finding.found):
            return False
        if found.kind == "output" and \
                "race" in self.place.run(WATCHED).errors.replace("--check=races", ""):
            return False
        self.last = found
        return True


def shrink(place, text, finding, program, seconds):
    """(the smaller program, its finding)."""
    shows = Shows(place, finding, program)
    body = text.removeprefix(shows.head)
    small = reduce(body, shows, seconds=seconds)
    return shows.head + small, shows.last

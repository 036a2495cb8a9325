"""Runs a program in one way and holds it against the interpreter.

Bits agree under --float=strict, and in programs without floats or with exact
ones also under --float=fast, where only the sign of a zero is free. A fast run
of a wild program must end as the interpreter does.
"""
import os
import pathlib
import re
import shutil
import tempfile
from typing import NamedTuple

from compare import Outcome, canonical, execute  # of test/fuzz/differ

TIME_LIMIT = 40      # seconds
ORACLE = ("--arch=interp", "--float=strict")


class Finding(NamedTuple):
    way: object
    kind: str        # "crash", "hang", "status", "message", "output", "race", "interpreter"
    expected: Outcome
    found: Outcome


class Place:
    """A folder with a cache of its own, in which programs run one by one."""

    def __init__(self, chic):
        self.chic = str(pathlib.Path(chic).resolve())
        shared = pathlib.Path("/dev/shm")
        self.folder = pathlib.Path(tempfile.mkdtemp(
            prefix="chi-whole-", dir=shared if shared.is_dir() else None))
        self.runs, self.text, self.arguments = 0, None, ()

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def take(self, text, arguments=None):
        if text == self.text:
            return
        for path in self.folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        self.text = text
        self.arguments = argumentsOf(text) if arguments is None else arguments
        (self.folder / "program.chi").write_text(text)

    def environment(self, way=None):
        found = dict(os.environ, XDG_CACHE_HOME=str(self.folder / "cache"),
                     CHI_CACHE_DIR=str(self.folder / "cache"))
        if way and way.record:
            found["CHI_RECORD"] = way.record
        if way and way.threads == 7:
            found["CHI_CACHE_BYTES"] = "64"  # small fields go past the caches, too
        return found

    def execute(self, command, way=None):
        self.runs += 1
        found = execute(command, self.folder, TIME_LIMIT, self.environment(way))
        if found.status == 124:  # others may have had the machine
            found = execute(command, self.folder, 3 * TIME_LIMIT, self.environment(way))
        return found

    def oracle(self, *more):
        return self.execute([self.chic, "run", *ORACLE, *more, "--no-cache", "program.chi",
                             *self.arguments])

    def run(self, way):
        threads = f"--threads={way.threads}"
        if not way.isBuilt:
            return self.execute([self.chic, "run", *way.flags, threads, "program.chi",
                                 *self.arguments], way)
        name = "program" + re.sub(r"\W+", "_", " ".join(way.flags))[:80]
        if not (self.folder / name).exists():
            built = self.execute([self.chic, "build", "--no-cache", *way.flags, "program.chi",
                                  "-o", name])
            if built.status:
                return built
        return self.execute([str(self.folder / name), threads, *self.arguments], way)

    def judge(self, way, oracle, program):
        """A Finding, or None."""
        found = self.run(way)
        kind = difference(way, oracle, found, program)
        if kind and "--specialize=all" in way.flags:
            # The compiler evaluates elementary functions of constants by the C
            # library (docs/language.md, Num.5): the interpreter runs that program.
            oracle = self.oracle("--specialize=all")
            kind = difference(way, oracle, found, program)
        return Finding(way, kind, oracle, found) if kind else None


def argumentsOf(text):
    """Those that the first line of a program names."""
    line = text.split("\n", 1)[0]
    return tuple(line.removeprefix("# arguments:").split()) if "# arguments:" in line else ()


def isCrash(outcome):
    return outcome.isCrash or outcome.status == 135


def message(errors):
    """The first error, without what threads decide."""
    found = re.search(r"error: (.*?)(\[kernel|$)", errors, re.M)
    return found[1] if found else ""


def difference(way, oracle, found, program):
    """A word for what is wrong, or None."""
    if isCrash(found):
        return "crash"
    if found.status == 124:
        return "hang"
    if way.watches and found.status == 1 and "error[E" not in found.errors:
        if "race" in message(found.errors):
            return "race"
        return None  # it found what it looks for
    if found.status != oracle.status:
        return "status"
    if way.isFast and program.floats == "wild" and not program.isStrict:
        return None
    isSigned = not way.isFast or program.isStrict
    # A device keeps some failures only; the first of all need not be among them.
    isFirst = way.threads == 1 and "recorded failures" not in found.errors
    if oracle.status and isFirst and message(found.errors) != message(oracle.errors):
        return "message"
    texts = [canonical(each.output, isSigned) for each in (found, oracle)]
    if not isSigned:  # a sign moves what is aligned
        texts = [re.sub(" +", " ", text) for text in texts]
    if way.threads > 1:  # in no order: a parallel loop's prints, which begin so
        texts = [sorted(each.splitlines(), key=lambda line: line if line.startswith("at") else "")
                 for each in texts]
    if texts[0] != texts[1]:
        return "output"
    return None

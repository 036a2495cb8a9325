"""Runs a program in two ways and says whether they agree.

The rule: strict results agree with the interpreter bit for bit, but that any
NaN is any NaN. Fast ones agree where the program has no floats, or exact ones
(elements.py): then reassociation and contraction have nothing to round, and
only the sign of a zero is free. Of other programs a fast run must end well.
A device may round a product and a sum once or twice: there the numbers of a
strict run that are not exact agree within DEVICE_TOLERANCE.
"""
import math
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import tempfile
from typing import NamedTuple

TIME_LIMIT = 20       # seconds a run may take; more is a hang
BUILD_LIMIT = 120
MEMORY_LIMIT = 8 << 30
DEVICE_TOLERANCE = 1e-3


class Outcome(NamedTuple):
    status: int
    output: str
    errors: str

    @property
    def isCrash(self):
        return self.status < 0 or self.status in (70, 134, 136, 139)


class Finding(NamedTuple):
    """A difference: what was run, what came and what should have."""
    way: object
    # "interpreter" if that crashes, "crash", "hang", "compile", "status", "message", "output"
    kind: str
    expected: Outcome
    found: Outcome


def limits(command, environment):
    """Sanitizers and NVIDIA's driver reserve whole address spaces."""
    isCUDA = "--arch=cuda" in command or environment.get("CHI_RECORD") == "cuda"
    if not isCUDA and not os.environ.get("CHI_TEST_SANITIZE"):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def execute(command, folder, seconds, environment):
    """The outcome of a command; of one that hangs, status 124."""
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               start_new_session=True, env=environment,
                               preexec_fn=lambda: limits(command, environment))
    try:
        out, err = process.communicate(timeout=seconds)
        status = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        status = 124
    return Outcome(status, out.decode(errors="replace"), err.decode(errors="replace"))


class Place:
    """A folder for one job, with a cache of its own that goes with it."""

    def __init__(self, chic):
        self.chic = str(pathlib.Path(chic).resolve())
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="chi-differ-"))
        self.environment = dict(os.environ, XDG_CACHE_HOME=str(self.folder / "cache"))
        self.runs = 0
        self.built = {}  # flags: outcome of the build
        self.text = None

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def take(self, text):
        """Makes a program the current one."""
        if text == self.text:
            return
        for path in self.folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        self.text, self.built = text, {}
        (self.folder / "program.chi").write_text(text)

    def oracle(self):
        self.runs += 1
        return execute([self.chic, "run", "--arch=interp", "--float=strict", "--no-cache",
                        "program.chi"], self.folder, 3 * TIME_LIMIT, self.environment)

    def native(self, way):
        """(whether it was built, the outcome)."""
        if way.build not in self.built:
            name = f"program{len(self.built)}"
            self.built[way.build] = name, execute(
                [self.chic, "build", "--no-cache", *way.build, "program.chi", "-o", name],
                self.folder, BUILD_LIMIT, self.environment)
        name, build = self.built[way.build]
        if build.status:
            return False, build
        self.runs += 1
        command = [str(self.folder / name), "--threads", str(way.threads), *way.device]
        environment = {**self.environment, **way.environment}
        found = execute(command, self.folder, TIME_LIMIT, environment)
        if found.status == 124:  # a machine with other work starves threads that wait
            found = execute(command, self.folder, 6 * TIME_LIMIT, environment)
        return True, found


def canonical(text, isZeroSigned=True):
    text = text.replace("-nan", "nan")
    # In every format: 0.0, -0.00, +0, -0000.00, -0.000000e+00.
    zero = r"(?<![\w.])[-+]?0+(\.0*)?(e[-+]?0+)?(?![\w.])"
    return text if isZeroSigned else re.sub(zero, r"0\1\2", text)


def isNear(text, expected):
    """The same words, with numbers that a device may have rounded."""
    pattern = r"[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan)"
    if re.sub(pattern, "#", text) != re.sub(pattern, "#", expected):
        return False
    pairs = zip(re.findall(pattern, text), re.findall(pattern, expected))
    return all(a == b or math.isclose(float(a), float(b), rel_tol=DEVICE_TOLERANCE,
                                      abs_tol=DEVICE_TOLERANCE) for a, b in pairs)


def message(errors):
    """The first error of a run that failed, without what depends on threads."""
    found = re.search(r"error: (.*)", errors)
    return found[1] if found else ""


def difference(place, way, oracle, floats, avoid=()):
    """What is wrong with one way of running the current program, or None."""
    wasBuilt, found = place.native(way)
    if found.isCrash:
        return Finding(way, "crash", oracle, found)
    if found.status == 124:
        return Finding(way, "hang", oracle, found)
    if not wasBuilt:
        return Finding(way, "compile", oracle, found)
    if way.check and found.status == 1 and oracle.status == 1:
        return None  # it may stop at something else that it watches, earlier
    if way.check and found.status == 1 and not oracle.status:
        if way.check != "--check=races":
            return None  # it found what it looks for
        return Finding(way, "race", oracle, found)
    if found.status != oracle.status:
        return Finding(way, "status", oracle, found)
    if oracle.status and message(found.errors) != message(oracle.errors) and way.isOrdered \
            and "recorded failures" not in found.errors:
        return Finding(way, "message", oracle, found)
    if way.isFast and floats == "wild":
        return None
    signed = not way.isFast and not ("minmax0" in avoid and floats == "exact")
    output, expected = canonical(found.output, signed), canonical(oracle.output, signed)
    if way.device and floats == "wild" and isNear(output, expected):
        return None
    if output != expected:
        return Finding(way, "output", oracle, found)
    return None

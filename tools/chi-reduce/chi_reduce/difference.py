"""Is a program interesting? Two configurations of chic, or a script, tell."""
import dataclasses
import os
import pathlib
import re
import resource
import shlex
import subprocess
import tempfile

FAULT = 70  # chic's exit status for a fault of its own


class NoDifference(Exception):
    """The program that reduction starts from shows nothing."""


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What a run did; `status` is negative for a signal, None for a hang."""
    status: int | None
    stdout: str
    stderr: str

    def crashed(self):
        return self.status is None or self.status < 0 or self.status in (FAULT, 134, 135, 139)

    def kind(self):
        """What stderr says, without what may differ for no reason: places and numbers."""
        line = next((l for l in self.stderr.splitlines() if "error" in l or "chic:" in l), "")
        line = re.sub(r"^\S*?:\d+:\d+: ", "", line)
        line = re.sub(r"\[kernel .*", "", line)
        return re.sub(r"0x[0-9a-f]+|-?\d+(\.\d+)?(e[-+]?\d+)?|-?\bnan\b|-?\binf\b", "#", line)

    def is_refused(self):
        """The program does not compile (or breaks a rule that is proved before it runs)."""
        return re.search(r"error\[E\d+\]|error: \[E\d+\]", self.stderr) is not None


class Runner:
    """Runs programs, each in a folder of its own, with a cache that goes with it."""

    def __init__(self, chic="chic", timeout=20.0, memory_mb=0, arguments=(), include=()):
        self.chic = str(pathlib.Path(chic).resolve()) if os.sep in str(chic) else chic
        self.timeout, self.memory_mb = timeout, memory_mb
        self.arguments, self.include = list(arguments), list(include)
        self.scratch = tempfile.TemporaryDirectory(prefix="chi-reduce-")
        self.runs = 0

    def command(self, command, folder, **extra):
        """An Outcome; the program's standard input is empty."""
        self.runs += 1
        environment = dict(os.environ, CHI_CACHE_DIR=os.path.join(self.scratch.name, "cache"),
                           **extra)

        def limit():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if self.memory_mb:
                resource.setrlimit(resource.RLIMIT_AS, (self.memory_mb << 20,) * 2)

        try:
            done = subprocess.run(command, cwd=folder, env=environment, preexec_fn=limit,
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  errors="replace", timeout=self.timeout)
        except subprocess.TimeoutExpired:
            return Outcome(None, "", "")
        return Outcome(done.returncode, done.stdout, done.stderr)

    def run(self, text, flags, without=()):
        with tempfile.TemporaryDirectory(dir=self.scratch.name) as folder:
            pathlib.Path(folder, "program.chi").write_text(text)
            command = [self.chic, "run", *flags]
            command += [f"-I{path}" for path in self.include]
            if without:
                command.append("--without=" + ",".join(without))
            return self.command([*command, "program.chi", *self.arguments], folder)

    def switches(self):
        """The names that --without takes, as chic lists them."""
        done = subprocess.run([self.chic, "run", "--without=help"], capture_output=True,
                              text=True, check=True, stdin=subprocess.DEVNULL)
        names = re.findall(r"^  ([a-z][\w-]*) ", done.stdout, re.M)
        return [name for name in names if name != "all"]


def kind_of_difference(good, bad):
    """A word for it; None if there is none, or the program says nothing."""
    if good.crashed():
        return None
    if bad.crashed():
        return f"crash {bad.status} {bad.kind() if bad.status == FAULT else ''}".strip()
    if good.status != bad.status:
        return f"status {good.status} and {bad.status}"
    if good.stdout != bad.stdout:
        return "output"
    return "message" if good.kind() != bad.kind() else None


class Difference:
    """Callable: do the configurations differ on a text, in the way of the first one?

    A candidate must compile, keep the good run's status, and race no more than
    the first text did: a program that lost its order differs for no reason.
    """

    def __init__(self, runner, good, bad, text):
        self.runner = runner
        self.good, self.bad = shlex.split(good), shlex.split(bad)
        first, second = self.outcomes(text)
        self.known_text, self.known = text, first
        self.wanted, self.status = kind_of_difference(first, second), first.status
        if first.is_refused() or self.wanted is None:
            raise NoDifference(self.tell(first, second))
        self.watches = self.is_race_free(text)

    def outcomes(self, text, without=()):
        return self.runner.run(text, self.good), self.runner.run(text, self.bad, without)

    def is_race_free(self, text):
        done = self.runner.run(text, ["--arch=interp", "--check=races"])
        return "error: race" not in done.stderr and not done.is_refused()

    def __call__(self, text, without=()):
        good = self.known if text == self.known_text else self.runner.run(text, self.good)
        if good.status != self.status or good.is_refused():
            return False
        kind = kind_of_difference(good, self.runner.run(text, self.bad, without))
        if without:
            # Any difference counts when switches are tried: a wrong number may
            # become another one.
            self.known_text, self.known = text, good
            return kind is not None
        return kind == self.wanted and (not self.watches or self.is_race_free(text))

    def tell(self, good=None, bad=None, text=None):
        if text is not None:
            good, bad = self.outcomes(text)
        lines = []
        for flags, outcome in ((self.good, good), (self.bad, bad)):
            status = "hangs" if outcome.status is None else f"exit {outcome.status}"
            lines.append(f"{' '.join(flags) or 'chic run'}: {status}")
            output = (outcome.stdout + outcome.stderr).splitlines()
            lines += ["  " + line[:150] for line in output[:12]]
            if len(output) > 12:
                lines.append(f"  … {len(output) - 12} lines more")
        return "\n".join(lines)


class Script:
    """Callable: does the user's command, given the program's path, exit with 0?

    CHI_REDUCE_WITHOUT holds what is to be left out, names with commas; it is
    empty while the program is reduced.
    """

    def __init__(self, runner, command, text):
        self.runner, self.words = runner, shlex.split(command)
        if not self(text):
            raise NoDifference(f"`{command}` does not exit with 0 on the program as it is")

    def __call__(self, text, without=()):
        with tempfile.TemporaryDirectory(dir=self.runner.scratch.name) as folder:
            path = pathlib.Path(folder, "program.chi")
            path.write_text(text)
            done = self.runner.command([*self.words, str(path)], folder,
                                       CHI_REDUCE_WITHOUT=",".join(without))
            return done.status == 0

    def tell(self, text=None):
        return f"{' '.join(self.words)}: exit 0"

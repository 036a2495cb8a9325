"""The ways in which a program is compiled and run."""
import re
import subprocess
from typing import NamedTuple

from configurations import targets  # of test/fuzz/differ


class Way(NamedTuple):
    flags: tuple            # of `chic run`, or of `chic build`
    threads: int = 1
    record: str = ""        # CHI_RECORD
    isBuilt: bool = False   # an executable

    @property
    def text(self):
        words = [f"CHI_RECORD={self.record}"] if self.record else []
        words += ["chic build"] if self.isBuilt else []
        return " ".join([*words, *self.flags, f"--threads={self.threads}"])

    @property
    def isFast(self):
        return "--float=fast" in self.flags

    @property
    def isDevice(self):
        return "--arch=vulkan" in self.flags or "--arch=cuda" in self.flags

    @property
    def ofAdjoints(self):
        """The flags that may give tasks, and so their adjoints, other code."""
        return [flag for flag in self.flags if flag.startswith(("--without=", "--check="))]

    @property
    def watches(self):
        return any(flag.startswith("--check=") for flag in self.flags)


def optimisations(chic):
    """The names that --without takes."""
    done = subprocess.run([chic, "run", "--without=help"], capture_output=True, text=True,
                          check=True, stdin=subprocess.DEVNULL)
    names = re.findall(r"^  ([a-z][\w-]*) ", done.stdout, re.M)
    return [name for name in names if name != "all"]


class Ways:
    """Draws some for each program; `arches` of cpu, mirror, vulkan and cuda."""

    def __init__(self, chic, arches):
        self.names, self.arches, self.processors = optimisations(chic), arches, targets()
        self.fast = 30

    def sample(self, dice, count, isFastJudged=True):
        """Few fast ones where their numbers are not compared."""
        found, self.fast = [], 30 if isFastJudged else 6
        while len(found) < count:
            arch = dice.choice(self.arches)
            found += getattr(self, "on_" + arch)(dice)
        return found[:count]

    def code(self, dice):
        """Flags that say what code is made."""
        level = dice.weighted({"-O3": 50, "-O2": 15, "-O1": 15, "-O0": 10})
        flags = [level, dice.weighted({"--float=strict": 70, "--float=fast": self.fast})]
        if self.processors and dice.chance(50):
            flags.append(f"--target-cpu={dice.choice(self.processors)}")
        if dice.chance(25):
            names = dice.sample(self.names, dice.choice([1, 2, 5, 15, 30]))
            flags.append("--without=" + ",".join(sorted(names)))
        elif dice.chance(5):
            flags.append("--without=all")
        if dice.chance(12):
            flags.append("--unchecked")
        return flags

    def on_cpu(self, dice):
        """Two runs of the same code, or one that is built or watched."""
        flags, threads = self.code(dice), dice.choice([2, 2, 3, 7])
        kind = dice.weighted({"twice": 60, "built": 14, "specialized": 10, "watched": 10})
        if kind == "built":
            more = dice.choice([(), (), ("--static",)])
            return [Way((*flags, *more), threads, dice.choice(["", "", "1"]), isBuilt=True)]
        if kind == "specialized":
            return [Way((*flags, f"--specialize={dice.choice(['all', 'none'])}"), threads)]
        if kind == "watched":
            what = dice.choice(["races", "overflow", "nan", "races,overflow,nan"])
            flags = [flag for flag in flags if flag != "--unchecked"]
            return [Way((*flags, f"--check={what}"), threads)]
        return [Way(tuple(flags), 1), Way(tuple(flags), threads, dice.choice(["", "", "1"]))]

    def on_mirror(self, dice):
        return [Way((*self.code(dice), "--arch=mirror"), dice.choice([1, 2, 3]))]

    def on_vulkan(self, dice):
        return self.on_device(dice, "--arch=vulkan")

    def on_cuda(self, dice):
        return self.on_device(dice, "--arch=cuda")

    def on_device(self, dice, arch):
        flags = [flag for flag in self.code(dice) if "target-cpu" not in flag]
        return [Way((*flags, arch), 1)]

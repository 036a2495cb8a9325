"""The ways in which a program runs, and what must agree."""
import pathlib
from typing import NamedTuple


class Configuration(NamedTuple):
    build: tuple  # flags of `chic build`
    threads: int
    form: str = ""  # of CHI_RECORD: "" direct, "1" recorded, "mirror" on the mirror

    @property
    def text(self):
        words = [f"{name}={value}" for name, value in self.environment.items()]
        return " ".join([*words, *self.build, f"--threads {self.threads}"])

    @property
    def device(self):
        """The flag of the run that picks a device; none for the processor."""
        return [flag for flag in self.build if flag.startswith("--arch=")]

    @property
    def environment(self):
        found = {"CHI_RECORD": self.form} if self.form else {}
        if self.threads == 7:
            found["CHI_CACHE_BYTES"] = "64"  # small fields go past the caches, too
        return found

    @property
    def isOrdered(self):
        """Of several failures it reports that of the least iteration."""
        return self.threads == 1 or bool(self.device)

    @property
    def isFast(self):
        return "--float=fast" in self.build

    @property
    def check(self):
        return next((flag for flag in self.build if flag.startswith("--check=")), "")


#: what each kind of processor must have for its code to run here
TARGETS = {"x86-64-v2": {"sse4_2", "popcnt", "ssse3"},
           "x86-64-v3": {"avx2", "fma", "bmi2", "f16c"},
           "x86-64-v4": {"avx512f", "avx512bw", "avx512dq", "avx512vl"}}

#: machines besides this one: decisions about large fields are taken for small ones
MACHINES = ("l3=256", "vector=128,l3=1KiB,line=128")


def targets():
    """The processors besides this one that code can be made for and run."""
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text()
    except OSError:
        return []
    flags = set(next((line for line in text.splitlines() if line.startswith("flags")), "").split())
    return [name for name, needed in TARGETS.items() if needed <= flags]


def ofDevice(name, avoid):
    """Those of a device."""
    found = [(f"-O{level}", f"--float={mode}", *safety)
             for level in "03" for mode in ("strict", "fast") for safety in ((), ("--unchecked",))]
    if "check=races" not in avoid:
        found.append(("-O3", "--float=strict", "--check=races"))
    return [Configuration((*build, f"--arch={name}"), 2) for build in found]


def every(avoid=(), arch="cpu"):
    """All configurations."""
    if arch != "cpu":
        return ofDevice(arch, avoid)
    found = []
    for level in "0123":
        for mode in ("strict", "fast"):
            for safety in ((), ("--unchecked",)):
                for threads in (1, 2, 7):
                    found.append(Configuration((f"-O{level}", f"--float={mode}", *safety), threads))
                for form in ("1", "mirror"):
                    found.append(Configuration((f"-O{level}", f"--float={mode}", *safety), 2, form))
    for target in targets():
        for mode in ("strict", "fast"):
            for level in ("2", "3"):
                found.append(Configuration(
                    (f"-O{level}", f"--float={mode}", f"--target-cpu={target}"), 2))
    for machine in MACHINES:
        for mode in ("strict", "fast"):
            found.append(Configuration(("-O3", f"--float={mode}", f"--machine={machine}"), 2))
    for check in ("nan", "overflow", "races"):
        for level in ("0", "3") if f"check={check}" not in avoid else ():
            found.append(Configuration((f"-O{level}", "--float=strict", f"--check={check}"), 2))
    return found


def sample(dice, count, avoid=(), arch="cpu"):
    """Some of them: optimised and strict ones more often, and two numbers of
    threads of one build, since running costs less than building."""
    builds = {}
    for way in every(avoid, arch):
        builds.setdefault(way.build, []).append(way)

    def weight(build):
        level = 4 if "-O3" in build else 1 if "-O0" in build else 2
        return level * (1 if "--float=fast" in build or len(build) == 3 else 2)

    chosen = []
    while len(chosen) < count and builds:
        build = dice.choices(list(builds), weights=[weight(b) for b in builds])[0]
        ways = builds.pop(build)
        chosen += dice.sample(ways, min(2, len(ways), count - len(chosen)))
    return chosen

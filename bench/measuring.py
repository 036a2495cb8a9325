"""What the benches share: programs run alone, in turns, and the ratios of their times."""
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
PYTHON_PEERS = "taichi warp numba jax torch".split()
MUCH_SLOWER = 3  # one round says enough
PIP = "numpy taichi==1.7.4 warp-lang numba jax torch".split()


def peers_folder():
    """Where the peer programs are: beside the repository, or CHI_BENCH_PEERS."""
    folder = pathlib.Path(os.environ.get("CHI_BENCH_PEERS", ROOT.parent / "shared/bench"))
    return folder if (folder / "peers/cpp/Makefile").exists() else None


def run_alone(argv, environment=None, limit=600):
    """Returns (exit status, stdout, stderr, seconds, peak bytes)."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err, \
            tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        process = subprocess.Popen(argv, stdout=out, stderr=err, stdin=subprocess.DEVNULL,
                                   cwd=folder, env={**os.environ, **(environment or {})})
        deadline = start + limit
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.perf_counter() > deadline:
                process.kill()
            time.sleep(0.002)
        seconds = time.perf_counter() - start
        out.seek(0)
        err.seek(0)
        return (os.waitstatus_to_exitcode(status), out.read(), err.read(), seconds,
                usage.ru_maxrss * 1024)


def difference(golden, out):
    """What of a program's output is not as {name: [value, tolerance]} has it; "" if nothing."""
    said = dict(re.findall(r"([\w\[\]|]+) = ([-+\d.eE]+)", out))
    for name, (value, tolerance) in golden.items():
        text = said.get(name, "missing")
        good = text == str(value) if tolerance == 0 else \
            text != "missing" and abs(float(text) - value) <= tolerance * abs(value)
        if not good:
            return f"{name} is {text}, golden {value}"
    return ""


class Program:
    """A program that prints `… ms per …`, and values."""

    def __init__(self, argv, golden=None, unit=1):
        self.argv, self.golden, self.unit = [str(a) for a in argv], golden or {}, unit

    def run(self):
        status, out, err, seconds, peak = run_alone(self.argv)
        times = re.findall(r"([\d.eE+-]+) ms per ", out)
        if status or not times:
            return {"error": f"exit {status}: {(err or out).strip().splitlines()[-1:]}"}
        if wrong := difference(self.golden, out):
            return {"error": wrong}
        return {"ms": float(times[-1]) * self.unit, "seconds": seconds, "peak": peak}


def compile_ms(argv):
    """(time to the program from source, nothing cached; peak bytes; seconds of the process)."""
    with tempfile.TemporaryDirectory() as cache:
        _, _, err, seconds, peak = run_alone([*map(str, argv), "--time"], {"CHI_CACHE_DIR": cache})
    found = re.search(r"([\d.]+) ms [^\n]*program ready", err)
    return (float(found[1]) if found else None), peak, seconds


class Peer:
    """A program of PROTOCOL.md: one JSON line."""

    def __init__(self, argv):
        self.argv = argv

    def time_of(self, record):
        return record["median_ms"]

    def run(self):
        status, out, err, seconds, peak = run_alone([*self.argv, "--bench"])
        for line in reversed(out.strip().splitlines()):
            if line.startswith("{"):
                record = json.loads(line)
                return {"ms": self.time_of(record), "seconds": seconds, "peak": peak,
                        "check": record.get("check")}
        return {"error": f"exit {status}: {(err or out).strip().splitlines()[-1:]}"}


def make_cpp(place, build, names):
    """Builds C++ programs by the Makefile of their folder."""
    if names:
        subprocess.run(["make", "-s", "-C", str(place), f"BUILD={build}",
                        *[str(build / name) for name in sorted(names)]], check=True)


def make_environment():
    """A Python with the peers in it; made once."""
    home = ROOT / ".bench/peers"
    python = home / "bin/python"
    if not (home / "complete").exists():
        print("bench: making an environment for the Python peers", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", *PIP], check=True)
        (home / "complete").touch()
    return str(python)


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def measure(programs, rounds):
    """{name: [record]}: every program once a round, in turns; one that takes
    MUCH_SLOWER times Chi's time, or fails, in the first round only."""
    records = {name: [] for name in programs}
    for k in range(rounds):
        for name, program in programs.items():
            first = [records[n][0].get("ms") if k else 0 for n in ("chi", name)]
            if k and (first[1] is None or first[0] and first[1] > MUCH_SLOWER * first[0]):
                continue
            records[name].append(program.run())
    return records


def ratio(ours, theirs):
    pairs = [a["ms"] / b["ms"] for a, b in zip(ours, theirs) if "ms" in a and "ms" in b]
    return statistics.median(pairs) if pairs else None


def median(records, what):
    values = [r[what] for r in records if what in r]
    return statistics.median(values) if values else None


def show(value, form="{:.2f}"):
    return form.format(value) if value is not None else "–"


def machine():
    """The processor and what of it decides about speed, in words."""
    def first(pattern, text):
        return (re.findall(pattern, text, re.M) or ["?"])[0]
    cpu = pathlib.Path("/proc/cpuinfo").read_text()
    flags = first(r"^flags\s*: (.*)", cpu).split()
    bits = 512 if "avx512f" in flags else 256 if "avx2" in flags else 128
    caches = []
    for cache in sorted(pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        if (cache / "type").read_text().strip() != "Instruction":
            caches.append(f"L{(cache / 'level').read_text().strip()} {(cache / 'size').read_text().strip()}")
    return (f"{os.cpu_count()} cores, {first('^model name.*: (.*)', cpu)} (family "
            f"{first('^cpu family.*: (.*)', cpu)}, model {first('^model.*: ([0-9]+)', cpu)}), "
            f"vectors of {bits} bits, {', '.join(caches)}")


def fastest(records):
    """The name of the fastest other program of a case, by the medians."""
    others = {name: median(of, "ms") for name, of in records.items() if not name.startswith("chi")}
    others = {name: ms for name, ms in others.items() if ms}
    return min(others, key=others.get, default=None)

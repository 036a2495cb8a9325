"""cache_abuse.py PROGRAM FOLDER: the cache under stress.

64 processes at once on an empty cache; processes killed while they compile; an
entry cut short, one with a flipped byte; a folder that cannot be written. Each
time the program must print what it always prints.
"""
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir()
environment = {**os.environ, "CHI_CACHE_DIR": str(folder / "cache")}


def start(*extra):
    return subprocess.Popen(["chic", "run", program, "--threads=1", *extra], env=environment,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True)


def expect(process, what):
    out, err = process.communicate()
    if process.returncode != 0 or "out.npy" not in out:
        sys.exit(f"{what}: exit {process.returncode}\n{out}{err}")


# Sixteen at a time in four batches of different parameters would be kinder.
many = [start("--n", str(4 + i % 4)) for i in range(64)]
for process in many:
    expect(process, "64 at once")

random.seed(1)
for delay in [0.01, 0.03, 0.05, 0.08] + [random.uniform(0.02, 0.2) for _ in range(8)]:
    shutil.rmtree(folder / "cache")
    process = start()
    time.sleep(delay)
    process.kill()
    process.communicate()
    expect(start(), f"after a kill at {delay} s")

# Not the folders of work that was killed.
entries = [p for part in ("programs", "objects") for p in (folder / "cache" / part).iterdir()]
assert entries, "nothing was cached"
for entry in entries:
    good = entry.read_bytes()
    for bad in (good[:len(good) // 2], b"", good[:100] + bytes([good[100] ^ 1]) + good[101:]):
        entry.write_bytes(bad)
        expect(start(), f"{entry.name} damaged")

# No place at all, a place that cannot be written, one with a limit on files.
environment["CHI_CACHE_DIR"] = ""
for home in ("", "/proc/nothing", str(folder / "home of mine")):
    environment["HOME"], environment["XDG_CACHE_HOME"] = home, ""
    for _ in range(2):
        expect(start(), f"HOME is '{home}'")
if not (folder / "home of mine/.cache/chi/programs").exists():
    sys.exit("HOME was not used")

blocked = folder / "file"
blocked.write_text("not a folder")
environment["CHI_CACHE_DIR"] = str(blocked / "cache")
expect(start(), "a cache that cannot be made")
if os.path.exists("/dev/full"):
    environment["CHI_CACHE_DIR"] = "/dev/full/cache"
    expect(start(), "a full disk")

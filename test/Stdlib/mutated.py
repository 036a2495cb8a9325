"""Reads files that were changed at random, with one seed: the reader takes each, or ends with status 2 and a message
that names the file.

    mutated.py READER ROUNDS FILE…
"""
import pathlib
import random
import re
import subprocess
import sys

reader, rounds, files = sys.argv[1], int(sys.argv[2]), [pathlib.Path(name) for name in sys.argv[3:]]
random.seed(20261127)


def number(_):
    return random.choice([b"0", b"-1", b"1e308", b"nan", b"99999999999", b"4294967295", b"2147483648", b"x", b""])


def mutate(data):
    """One change of bytes."""
    at = random.randrange(len(data) + 1)
    kind = random.randrange(7)
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + bytes([random.randrange(256)]) + data[at + 1:]
    if kind == 2:
        return data[:at] + random.choice([b"\xff" * 4, b"\0" * 4, b"\xff\xff\xff\x7f"]) + data[at + 4:]
    if kind == 3:
        return data[:at] + data[at + random.randrange(1, 40):]
    if kind == 4:
        return data[:at] + data[at - min(at, random.randrange(1, 40)):]
    if kind == 5:
        return data[:at] + re.sub(rb"-?\d+(\.\d+)?", number, data[at:], count=random.randrange(1, 4))
    words = data.split(b"\n")
    random.shuffle(words)
    return b"\n".join(words)


bad, numRead, numRefused = [], 0, 0
for file in files:
    data = file.read_bytes()
    for turn in range(rounds):
        changed = data
        for _ in range(random.randrange(1, 4)):
            changed = mutate(changed)
        name = f"changed{turn}{file.suffix}"
        pathlib.Path(name).write_bytes(changed)
        done = subprocess.run([reader, "--threads=1", "--", name], capture_output=True, timeout=60)
        says = done.stderr.decode(errors="replace")
        if done.returncode == 0:
            numRead += 1
        elif done.returncode == 2 and name in says:
            numRefused += 1
        else:
            kept = f"bad-{file.name}-{turn}{file.suffix}"
            pathlib.Path(kept).write_bytes(changed)
            bad.append(f"{kept}: status {done.returncode}: {says[:600]}")
print(f"{numRead} read, {numRefused} refused")
print("\n".join(bad))
sys.exit(bool(bad) or numRefused < rounds)

"""owned_strs.py PROGRAM: what a program takes does not grow with the texts that it makes."""
import os
import sys

sys.stdout = os.fdopen(os.open("/dev/null", os.O_WRONLY), "w")
os.dup2(sys.stdout.fileno(), 1)


def peak(arch, turns):
    """The most memory that a run held, in KiB."""
    arguments = ["chic", "run", sys.argv[1], f"--arch={arch}", "--n", str(turns)]
    pid = os.spawnvp(os.P_NOWAIT, "chic", arguments)
    _, status, usage = os.wait4(pid, 0)
    if status:
        sys.exit(f"{arguments}: status {status}")
    return usage.ru_maxrss


for arch, few, many in (("cpu", 100_000, 1_000_000), ("interp", 10_000, 100_000)):
    peak(arch, few)  # compiled once
    low, high = peak(arch, few), peak(arch, many)
    if high > low + 4096:
        sys.exit(f"{arch}: {low} KiB with {few} turns, {high} KiB with {many}")

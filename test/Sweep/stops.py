"""A second controlling process, Ctrl-C, and checkpoints at SIGTERM."""
import os
import pathlib
import signal
import sys
import time

from sweeps import check_once, checkpointed, chic, expect, lines, start, table

CHECKPOINTED = checkpointed(turns=20, pause=0.05)


def wait_for(folder, kind):
    """Until a worker has written such a line."""
    for _ in range(1000):
        if any(kind in line for line in lines(folder)):
            return
        time.sleep(0.01)
    raise SystemExit(f"no line {kind}")


def main():
    probe, folder = sys.argv[1], sys.argv[2]
    os.chdir(folder)
    first = start(probe, "--over", "n=1..60", "--mode=slow", "--out", "a", "--jobs", "2")
    wait_for("a", "end")
    second = chic("--resume", "a", check=False)
    expect(second.returncode == 2 and f"process {first.pid} on" in second.stderr, second.stderr)
    expect(f"process {first.pid} on" in chic("status", "a").stdout, "status does not name the process")
    first.send_signal(signal.SIGINT)
    said = first.communicate()[1]
    expect(first.returncode == 130 and "chic sweep --resume a goes on" in said, said)
    chic("--resume", "a")
    expect(len(check_once("a")) == 60, "a point is missing")

    program = pathlib.Path("checkpointed.sh")
    program.write_text(CHECKPOINTED)
    program.chmod(0o755)
    process = start(program, "--over", "n=1,2", "--out", "b", "--jobs", "2", "--retries", "0")
    wait_for("b", "start")
    time.sleep(0.4)
    process.send_signal(signal.SIGTERM)
    said = process.communicate()[1]
    expect(process.returncode == 143, said)
    expect([row["state"] for row in table("b")] == ["pending", "pending"], table("b"))
    chic("--resume", "b")
    expect([row["steps"] for row in table("b")] == ["20", "20"], table("b"))
    steps = pathlib.Path("b/points/00001/out.log").read_text().split("\n")
    counts = {step: steps.count(step) for step in steps if step}
    expect(len(counts) == 20 and max(counts.values()) <= 2 and
           sum(counts.values()) <= 21, f"it did not go on: {counts}")
    print("all good")


main()

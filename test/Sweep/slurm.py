"""Sweeps on a real Slurm of one node with two slots.

    slurm.py PROBE FOLDER
"""
import os
import pathlib
import signal
import subprocess
import sys
import time

from cluster import Cluster
from sweeps import check_once, check_same, checkpointed, chic, expect, lines, start, table

CHECKPOINTED = checkpointed(turns=40, pause=0.1)


def finish(process, limit=120):
    said = process.communicate(timeout=limit)[1]
    expect(process.returncode == 0, f"exit {process.returncode}: {said}")


def wait_for(folder, count, kind="end"):
    for _ in range(600):
        if sum(kind in line for line in lines(folder)) >= count:
            return
        time.sleep(0.05)
    raise SystemExit(f"{folder}: no {count} lines {kind}")


def processes(word, folder):
    """Ids of processes of this test whose command line has a word."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_text().replace("\0", " ")
            environment = (entry / "environ").read_text()
        except (OSError, UnicodeDecodeError):
            continue
        if word in command and str(folder) in command + environment:
            found.append(int(entry.name))
    return found


def kill_all(ids):
    for each in ids:
        try:
            os.kill(each, signal.SIGKILL)
        except ProcessLookupError:
            pass


def running_jobs():
    return subprocess.run(["squeue", "-h", "-r", "-o", "%i", "-t", "R"], capture_output=True, text=True).stdout.split()


def chunks(probe):
    """Chunks of an array; the controlling process is killed, and another one takes the jobs over."""
    process = start(probe, "--over", "x=1..60", "--mode=slow", "--slurm", "--time", "5", "--chunk", "15", "--out", "a")
    wait_for("a", 10)
    process.kill()
    process.communicate()
    finish(start("--resume", "a"))
    expect(len(check_once("a")) == 60, "a point is missing")
    chic(probe, "--over", "x=1..60", "--mode=slow", "--out", "local")
    check_same("a", "local")
    expect(len(list(pathlib.Path("a/slurm").glob("batch-*"))) == 1, "the jobs were submitted again")


def lost_step(probe, folder):
    """slurmstepd is killed: Slurm loses the job, its worker goes on as an orphan."""
    process = start(probe, "--over", "x=1..60", "--mode=slow", "--slurm", "--time", "5", "--chunk", "30", "--out", "b")
    wait_for("b", 8)
    steps = processes("slurmstepd", folder)
    expect(steps, "there is no slurmstepd")
    kill_all(steps)
    # Slurm notices it late; whoever does queues the tasks again.
    for job in running_jobs():
        subprocess.run(["scontrol", "requeue", job], check=True)
    finish(process)
    check_once("b")
    subprocess.run(["scancel", "--user", str(os.getuid())], check=True)
    check_same("b", "local")


def time_limit():
    """What Slurm sends before a time limit: a checkpoint, and the task is queued again."""
    program = pathlib.Path("checkpointed.sh")
    program.write_text(CHECKPOINTED)
    program.chmod(0o755)
    process = start(program, "--over", "n=1,2", "--slurm", "--chunk", "1", "--time", "5", "--out", "c")
    wait_for("c", 2, "start")
    time.sleep(1)
    for job in running_jobs():
        subprocess.run(["scancel", "--batch", "--signal=USR1", job], check=True)
    finish(process)
    expect([row["steps"] for row in table("c")] == ["40", "40"], table("c"))
    steps = pathlib.Path("c/points/00001/out.log").read_text().split()
    expect(steps.count("1") == 1, "the point began again instead of going on")
    expect(any("replaces" in line for line in lines("c")), "no task was queued again")


def lost_node(probe, folder, cluster):
    """The node disappears with all that runs there, and comes back."""
    process = start(probe, "--over", "x=1..60", "--mode=slow", "--slurm", "--time", "5", "--chunk", "30", "--out", "d")
    wait_for("d", 8)
    cluster.stop("slurmd", signal.SIGKILL)
    kill_all(processes("slurmstepd", folder) + processes("sweep --worker", folder))
    time.sleep(1)
    cluster.start_node()
    finish(process)
    check_once("d")
    check_same("d", "local")


def main():
    probe, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    os.chdir(folder)
    with Cluster(folder / "cluster") as cluster:
        for name, part in (("chunks", lambda: chunks(probe)), ("lost step", lambda: lost_step(probe, folder)),
                           ("time limit", time_limit), ("lost node", lambda: lost_node(probe, folder, cluster))):
            begin = time.time()
            part()
            print(f"{name}: good, {time.time() - begin:.0f} s", flush=True)


main()

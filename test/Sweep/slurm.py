"""Sweeps on a real Slurm of one node with two slots.

    slurm.py PROBE STEPS FOLDER

STEPS is Inputs/steps.chi as an executable that takes checkpoints.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

from cluster import Cluster
from sweeps import check_once, check_same, chic, expect, lines, processes, start, table


def finish(process, limit=120):
    said = process.communicate(timeout=limit)[1]
    expect(process.returncode == 0, f"exit {process.returncode}: {said}")


def wait_for(folder, count, kind="end"):
    for _ in range(600):
        if sum(kind in line for line in lines(folder)) >= count:
            return
        time.sleep(0.05)
    raise SystemExit(f"{folder}: no {count} lines {kind}")


def kill_all(ids, number=signal.SIGKILL):
    for each in ids:
        try:
            os.kill(each, number)
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
    orphans = processes("sweep --worker", folder)
    expect(orphans, "no worker outlives its slurmstepd")
    kill_all(orphans, signal.SIGSTOP)  # else they may end all points before others are there
    files = sorted(pathlib.Path("b/workers").iterdir())
    # Slurm notices it late; whoever does queues the tasks again.
    for job in running_jobs():
        subprocess.run(["scontrol", "requeue", job], check=True)
    wait_for("b", len(files), "replaces")
    pretend(files)
    kill_all(orphans, signal.SIGCONT)
    finish(process)
    check_same("b", "local")
    expect(not set(orphans) & set(processes("sweep --worker", folder)), "an orphan goes on")
    subprocess.run(["scancel", "--user", str(os.getuid())], check=True)


def pretend(files):
    """Writes the lines that orphans could still write: that all points ended with another value."""
    for file in files:
        with open(file, "a") as out:
            for point in range(1, 61):
                for line in ({"start": point, "host": "orphan", "pid": 1},
                             {"end": point, "seconds": 1, "exit": 0, "report": '{"loss": -1}'}):
                    out.write(json.dumps({**line, "attempt": 9, "time": 0}) + "\n")


def time_limit(steps):
    """What Slurm sends before a time limit: a checkpoint, and the task is queued again."""
    process = start(steps, "--over", "n=1,2", "--slurm", "--chunk", "1", "--time", "5", "--out", "c")
    wait_for("c", 2, "start")
    time.sleep(1)
    for job in running_jobs():
        subprocess.run(["scancel", "--batch", "--signal=USR1", job], check=True)
    finish(process)
    chic(steps, "--over", "n=1,2", "--out", "calm")
    check_same("c", "calm")
    output = pathlib.Path("c/points/00001/out.log").read_text()
    expect(output == pathlib.Path("calm/points/00001/out.log").read_text(), "the point did not go on where it was")
    expect(any("replaces" in line for line in lines("c")), "no task was queued again")
    expect(any(line.get("exit") == 75 for line in lines("c")), "no point took a checkpoint")


def lost_node(probe, folder, cluster):
    """The node disappears with all that runs there, and comes back."""
    process = start(probe, "--over", "x=1..60", "--mode=slow", "--slurm", "--time", "5", "--chunk", "30", "--out", "d")
    wait_for("d", 8)
    cluster.stop("slurmd", signal.SIGKILL)
    kill_all(processes("slurmstepd", folder) + processes("sweep --worker", folder))
    # Slurm notices it after SlurmdTimeout, and queues the jobs of the node again.
    for _ in range(600):
        if "down" in subprocess.run(["sinfo", "-h", "-o", "%t"], capture_output=True, text=True).stdout:
            break
        time.sleep(0.1)
    cluster.start_node()
    finish(process)
    check_once("d")
    check_same("d", "local")


def main():
    probe, steps, folder = sys.argv[1], os.path.abspath(sys.argv[2]), pathlib.Path(sys.argv[3])
    os.chdir(folder)
    with Cluster(folder / "cluster") as cluster:
        for name, part in (("chunks", lambda: chunks(probe)), ("lost step", lambda: lost_step(probe, folder)),
                           ("time limit", lambda: time_limit(steps)), ("lost node", lambda: lost_node(probe, folder, cluster))):
            begin = time.time()
            part()
            print(f"{name}: good, {time.time() - begin:.0f} s", flush=True)


main()

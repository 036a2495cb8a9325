"""Kills controlling processes and workers at random moments; the table and the files must be those of an undisturbed
sweep, and no point that has ended may run again.

    kills.py PROGRAM FOLDER [--slurm]

CHI_KILLS: how often, 50; CHI_KILL_SEED: of the moments, 1
"""
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

from cluster import Cluster
from sweeps import check_files, check_once, check_same, chic, processes

POINTS = ("--over", "x=lin(0,1,100)", "--over", "n=1,2")


def children_of(pid):
    try:
        return [int(each) for each in pathlib.Path(f"/proc/{pid}/task").glob("*/children")
                for each in each.read_text().split()]
    except OSError:
        return []


class Local:
    """Workers are children of the controlling process."""
    flags = ("--jobs", "3")
    share = 0.6  # of the kills that hit a worker

    def pause(self, chance):
        return chance.uniform(0.05, 0.4)

    def workers(self, process, folder):
        return children_of(process.pid)


class Slurm:
    """Workers are jobs. One that is killed is missed after some seconds, and its points go to another job."""
    flags = ("--slurm", "--time", "5", "--chunk", "5")
    share = 0.7

    def pause(self, chance):
        """A controlling process that lives for 2 s finds lost jobs."""
        return chance.uniform(0.02, 0.2) if chance.random() < 0.88 else chance.uniform(1.5, 2.2)

    def workers(self, process, folder):
        return processes("sweep --worker", folder)


def begin(way, program, folder):
    """A sweep in the background: a new one, or a further process for it."""
    isNew = not pathlib.Path(folder, "points", "00001").exists()
    words = [program, *POINTS, "--out", folder, *way.flags] if isNew else ["--resume", folder]
    return subprocess.Popen(["chic", "sweep", *words, "--retries", "1000"], stderr=subprocess.PIPE, text=True)


def wait_for_workers(way, process, folder):
    """The workers, at the latest after 2 s. Without the wait, a slow machine would kill controlling processes only."""
    end = time.monotonic() + 2
    while process.poll() is None and time.monotonic() < end:
        if workers := way.workers(process, folder):
            return workers
        time.sleep(0.02)
    return []


def disturb(way, process, folder, chance, kills):
    """Kills something every now and then, until the controlling process is gone. Returns how many workers and
    controlling processes it has killed."""
    killed = [0, 0]
    while process.poll() is None and sum(killed) < kills:
        time.sleep(way.pause(chance))
        isWorker = chance.random() < way.share
        workers = wait_for_workers(way, process, folder) if isWorker else []
        if isWorker and not workers:
            continue
        victim = chance.choice(workers) if isWorker else process.pid
        try:
            os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:
            continue
        killed[not isWorker] += 1
        if not isWorker:
            break
    return killed


def kill_and_compare(way, program, folder, chance, kills):
    chic(program, *POINTS, "--out", folder + "-calm", "--jobs", "3")
    done, sweeps = [0, 0], 0
    while sum(done) < kills:
        sweeps += 1
        disturbed = f"{folder}-{sweeps}"
        while True:
            process = begin(way, program, disturbed)
            killed = disturb(way, process, disturbed, chance, kills - sum(done))
            done = [sum(each) for each in zip(done, killed)]
            said = process.communicate()[1]
            if process.returncode == 0:
                break
            if process.returncode != -signal.SIGKILL:
                raise SystemExit(f"exit {process.returncode}: {said}")
        if len(check_once(disturbed)) != 200:
            raise SystemExit("a point has no end")
        check_same(disturbed, folder + "-calm")
        check_files(disturbed, folder + "-calm")
    print(f"{sum(done)} kills, {done[0]} of workers, {done[1]} of controlling processes, {sweeps} sweeps")


def main():
    program, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    kills, seed = int(os.environ.get("CHI_KILLS", "50")), int(os.environ.get("CHI_KILL_SEED", "1"))
    chance = random.Random(seed)
    try:
        if "--slurm" not in sys.argv:
            return kill_and_compare(Local(), program, folder, chance, kills)
        with Cluster(folder + "-cluster"):
            kill_and_compare(Slurm(), program, folder, chance, kills)
    except BaseException:
        print(f"CHI_KILL_SEED={seed}", file=sys.stderr)
        raise


main()

"""Kills controlling processes and workers at random moments; the table must be that of an undisturbed sweep.

    kills.py PROBE FOLDER KILLS SEED
"""
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

from sweeps import chic, check_once, check_same


def children_of(pid):
    try:
        return [int(each) for each in pathlib.Path(f"/proc/{pid}/task").glob("*/children")
                for each in each.read_text().split()]
    except OSError:
        return []


def begin(probe, folder, jobs):
    """A sweep in the background: a new one, or a further process for it."""
    words = (["--resume", folder] if pathlib.Path(folder, "points", "00001").exists() else
             [probe, "--over", "x=lin(0,1,100)", "--over", "mode=good,slow", "--out", folder])
    return subprocess.Popen(["chic", "sweep", *words, "--jobs", str(jobs), "--retries", "100"],
                            stderr=subprocess.PIPE, text=True)


def disturb(process, chance, kills):
    """Kills something every now and then, until the controlling process is gone."""
    done = 0
    while process.poll() is None and done < kills:
        time.sleep(chance.uniform(0.05, 0.4))
        workers = children_of(process.pid)
        if workers and chance.random() < 0.6:
            victim = chance.choice(workers)
        else:
            victim = process.pid
        try:
            os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:
            continue
        done += 1
        if victim == process.pid:
            break
    return done


def main():
    probe, folder, kills, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    chance = random.Random(seed)
    chic(probe, "--over", "x=lin(0,1,100)", "--over", "mode=good,slow", "--out", folder + "-calm",
         "--jobs", 3)
    done, sweeps = 0, 0
    while done < kills:
        sweeps += 1
        disturbed = f"{folder}-{sweeps}"
        while True:
            process = begin(probe, disturbed, 3)
            done += disturb(process, chance, kills - done)
            said = process.communicate()[1]
            if process.returncode == 0:
                break
            if process.returncode != -signal.SIGKILL:
                raise SystemExit(f"exit {process.returncode}: {said}")
        if len(check_once(disturbed)) != 200:
            raise SystemExit("a point has no end")
        check_same(disturbed, folder + "-calm")
    print(f"{done} kills, {sweeps} sweeps")


main()

"""checkpoints.py stops CHIC COUNT PROGRAM [FLAG ...]
                  truncated|killed|signals CHIC PROGRAM [FLAG ...]

stops      ends the program at COUNT of its loop heads, resumes it, and compares
           all output lines and files with those of an undisturbed run
truncated  a checkpoint that is cut anywhere is refused with one sentence
killed     kills the program (SIGKILL) when it has written a checkpoint, resumes
           it, and compares the files
signals    SIGUSR1 makes a checkpoint; SIGTERM and Ctrl-C make one and end the
           run with status 75
"""
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

FILE = "run.ckpt"
# Lines with times, which differ from run to run.
TIMES = re.compile(r"[^\n]*\d (?:ms|s|us|µs|GB/s|ns)\b[^\n]*\n")


def run(chic, arguments, folder, at=None):
    """One run in `folder`: its status, output without times, and errors."""
    env = dict(os.environ)
    if at is not None:
        env["CHI_CHECKPOINT_AT"] = str(at)
    done = subprocess.run([chic, "run", *arguments], cwd=folder, env=env, text=True,
                          capture_output=True, timeout=600)
    return done.returncode, TIMES.sub("", done.stdout), done.stderr


def files(folder):
    """The bytes of all files of a run, but of its checkpoints."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())
            if not path.name.startswith(FILE)}


class Runs:
    """Runs of one program with one set of flags."""

    def __init__(self, chic, program, flags):
        self.chic = chic
        self.arguments = [os.path.abspath(program), *flags]
        self.root = pathlib.Path(tempfile.mkdtemp(dir="."))

    def folder(self):
        return pathlib.Path(tempfile.mkdtemp(dir=self.root))

    def undisturbed(self):
        folder = self.folder()
        status, out, err = run(self.chic, self.arguments, folder)
        if status:
            sys.exit(f"the program fails: {err}")
        return out, files(folder)

    def heads(self, expected):
        """How many heads it has; taking checkpoints at none changes nothing."""
        folder = self.folder()
        status, out, err = run(self.chic, [*self.arguments, f"--checkpoint={FILE}", "--every=0"],
                               folder, at=0)
        count = re.search(r"checkpoint: (\d+) loop heads", err)
        if status or not count or (out, files(folder)) != expected:
            sys.exit(f"--checkpoint alone changes the run: {status} {out}{err}")
        return int(count[1])

    def stopped(self, at):
        """The folder of a run that ended at a head, and what it printed."""
        folder = self.folder()
        status, out, err = run(self.chic, [*self.arguments, f"--checkpoint={FILE}", "--every=0"],
                               folder, at=at)
        if status != 75 or f"checkpoint: {FILE}" not in err:
            sys.exit(f"head {at}: status {status} instead of 75: {err}")
        return folder, out

    def resumed(self, folder):
        return run(self.chic, [*self.arguments, f"--resume={FILE}"], folder)


def stops(chic, count, program, *flags):
    runs = Runs(chic, program, flags)
    expected = runs.undisturbed()
    heads = runs.heads(expected)
    draw = random.Random(os.path.basename(program))
    chosen = sorted(draw.sample(range(1, heads + 1), min(int(count), heads)))
    for at in chosen:
        folder, before = runs.stopped(at)
        status, after, err = runs.resumed(folder)
        if status or (before + after, files(folder)) != expected:
            changed = [name for name, data in expected[1].items()
                       if files(folder).get(name) != data]
            sys.exit(f"head {at} of {heads}: status {status}, files that differ: {changed}\n"
                     f"{expected[0]}--- but\n{before}--- and\n{after}{err}")
    shutil.rmtree(runs.root)
    print(f"{os.path.basename(program)}: {len(chosen)} of {heads} heads")


def truncated(chic, program, *flags):
    runs = Runs(chic, program, flags)
    folder, _ = runs.stopped(2)
    whole = (folder / FILE).read_bytes()
    places = [0, 1, 4, 30] + [len(whole) * k // 35 for k in range(1, 35)] + [len(whole) - 1, len(whole) - 22]
    for place in places:
        (folder / FILE).write_bytes(whole[:place])
        status, _, err = runs.resumed(folder)
        if status != 2 or f"`{FILE}` is damaged" not in err or err.count("\n") != 1:
            sys.exit(f"cut at {place} of {len(whole)}: status {status}: {err}")
    shutil.rmtree(runs.root)
    print(f"refused at {len(places)} places")


def started(runs, folder, *flags):
    return subprocess.Popen([runs.chic, "run", *runs.arguments, *flags], cwd=folder,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(path, process):
    while not path.exists():
        if process.poll() is not None:
            sys.exit(f"it ended before it was disturbed: {process.communicate()}")
        time.sleep(0.002)


def killed(chic, program, *flags):
    runs = Runs(chic, program, flags)
    expected = runs.undisturbed()
    folder = runs.folder()
    process = started(runs, folder, f"--checkpoint={FILE}", "--every=20ms")
    wait_for(folder / (FILE + ".previous"), process)
    process.kill()
    process.wait()
    status, _, err = runs.resumed(folder)
    if status or files(folder) != expected[1]:
        sys.exit(f"killed: status {status}: {err}")
    shutil.rmtree(runs.root)
    print("killed: the same files")


def signals(chic, program, *flags):
    runs = Runs(chic, program, flags)
    expected = runs.undisturbed()
    for number in (signal.SIGTERM, signal.SIGINT):
        folder = runs.folder()
        process = started(runs, folder, f"--checkpoint={FILE}", "--every=20ms")
        wait_for(folder / FILE, process)
        (folder / FILE).unlink()
        process.send_signal(signal.SIGUSR1)
        wait_for(folder / FILE, process)
        process.send_signal(number)
        before, err = process.communicate()
        if process.returncode != 75:
            sys.exit(f"signal {number}: status {process.returncode}: {err}")
        status, after, err = runs.resumed(folder)
        if status or (TIMES.sub("", before) + after, files(folder)) != expected:
            sys.exit(f"signal {number}: status {status}: {before}{after}{err}")
    shutil.rmtree(runs.root)
    print("signals: status 75, the same lines and files")


if __name__ == "__main__":
    # A shell may have started the tests with Ctrl-C ignored, as programs do then.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    {"stops": stops, "truncated": truncated, "killed": killed,
     "signals": signals}[sys.argv[1]](*sys.argv[2:])

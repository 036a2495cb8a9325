"""What the tests of sweeps share: tables, and what workers wrote."""
import csv
import io
import json
import pathlib
import sqlite3
import subprocess

#: Columns that are not the same in two runs of one sweep.
TIMES = ("host", "started", "seconds", "attempts")


def chic(*words, check=True, **options):
    done = subprocess.run(["chic", "sweep", *map(str, words)], capture_output=True, text=True, **options)
    if check and done.returncode != 0:
        raise SystemExit(f"chic sweep {' '.join(map(str, words))}: exit {done.returncode}\n"
                         f"{done.stdout}{done.stderr}")
    return done


def table(folder):
    """Rows of a sweep as dictionaries, without what differs between runs."""
    rows = list(csv.DictReader(io.StringIO(chic("table", folder, "--csv").stdout)))
    return [{name: value for name, value in row.items() if name not in TIMES} for row in rows]


def lines(folder):
    """All lines of all workers, by time."""
    found = []
    for file in pathlib.Path(folder, "workers").glob("*.jsonl"):
        for line in file.read_text().splitlines():
            found.append(json.loads(line))
    return sorted(found, key=lambda line: line.get("time", 0))


def check_once(folder):
    """No point was started again after it had ended well."""
    ended = set()
    for line in lines(folder):
        if "start" in line and line["start"] in ended:
            raise SystemExit(f"point {line['start']} ran again: {line}")
        if "end" in line and line["exit"] == 0:
            if line["end"] in ended:
                raise SystemExit(f"point {line['end']} ended twice: {line}")
            ended.add(line["end"])
    return ended


def check_same(folder, undisturbed):
    """Two sweeps have the same table."""
    one, other = table(folder), table(undisturbed)
    if one != other:
        differing = [pair for pair in zip(one, other) if pair[0] != pair[1]]
        raise SystemExit(f"{len(one)} and {len(other)} rows; the first that differ: {differing[:2]}")


def check_files(folder, undisturbed):
    """The points of two sweeps have the same whole files, and nothing besides: no part of one, no checkpoint."""
    for calm in sorted(pathlib.Path(undisturbed, "points").iterdir()):
        point = pathlib.Path(folder, "points", calm.name)
        names = [sorted(path.name for path in each.iterdir()) for each in (point, calm)]
        if names[0] != names[1]:
            raise SystemExit(f"{point} has the files {names[0]}, and not {names[1]}")
        for path in calm.glob("*.npy"):
            if path.read_bytes() != (point / path.name).read_bytes():
                raise SystemExit(f"{point / path.name} differs from {path}")
    database = sqlite3.connect(pathlib.Path(folder, "sweep.db"))
    expect(database.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "the database is damaged")
    database.close()


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


def checkpointed(turns, pause):
    """The text of a program that counts turns, checkpoints at SIGTERM and goes on from there."""
    return f"""#!/bin/sh
case "$1" in
--params-json) echo '[{{"name": "n", "type": "i32", "default": "1"}}]'; exit ;;
--help) echo "  --checkpoint FILE"; exit ;;
esac
at=0
for word; do
  case $word in --resume=*) at=$(cat state.ckpt) ;; esac
done
trap 'echo $at > state.ckpt; exit 75' TERM
while test $at -lt {turns}; do
  at=$((at + 1))
  echo "step $at"
  sleep {pause}
done
echo "{{\\"report\\": {{\\"steps\\": $at}}}}" >> "$CHI_REPORT"
"""


def expect(holds, what):
    if not holds:
        raise SystemExit(what)


def start(*words):
    """A sweep in the background."""
    return subprocess.Popen(["chic", "sweep", *map(str, words)], stderr=subprocess.PIPE, text=True)

"""A sweep whose points take longer than Slurm's limit, the shortest that there is: a minute.

    limit.py FOLDER
"""
import os
import pathlib
import sys
import time

from cluster import Cluster
from sweeps import check_once, expect, lines, start, table

# With n < 5 it counts until it was interrupted, and some turns more: it ends soon after the limit, whenever that comes.
PROGRAM = """#!/bin/sh
case "$1" in
--params-json) echo '[{"name": "n", "type": "i32", "default": "1"}]'; exit ;;
--help) echo "  --checkpoint FILE"; exit ;;
esac
at=0 end=100000
for word; do
  case $word in
  --n=[5-9]) end=3 ;;
  --resume=*) at=$(cat state.ckpt) end=$((at + 5)); echo "goes on" ;;
  esac
done
trap 'echo $at > state.ckpt; exit 75' TERM
while test $at -lt $end; do
  at=$((at + 1))
  echo "step $at"
  sleep 0.2
done
echo "{\\"report\\": {\\"n\\": 1}}" >> "$CHI_REPORT"
"""


def main():
    os.chdir(sys.argv[1])
    program = pathlib.Path("program.sh")
    program.write_text(PROGRAM)
    program.chmod(0o755)
    with Cluster(pathlib.Path("cluster").absolute()):
        begin = time.time()
        process = start(program.absolute(), "--over", "n=1,5,2,6", "--retries", "0", "--slurm", "--time", "00:01:00",
                        "--chunk", "2", "--out", "runs")
        said = process.communicate(timeout=240)[1]
        expect(process.returncode == 0, f"exit {process.returncode}: {said}")
    check_once("runs")
    expect([row["state"] for row in table("runs")] == ["done"] * 4, table("runs"))
    # The first point of each task ran when the limit came; the task went on with it, and with its other point.
    stopped = [line for line in lines("runs") if line.get("exit") == 75]
    expect([line["end"] for line in sorted(stopped, key=lambda line: line["end"])] == [1, 3], lines("runs"))
    expect(all(line["stopped"] for line in stopped), stopped)
    expect(sum("replaces" in line for line in lines("runs")) == 2, lines("runs"))
    steps = pathlib.Path("runs/points/00001/out.log").read_text().split("\n")
    numbers = [line for line in steps if line.startswith("step")]
    expect("goes on" in steps and len(set(numbers)) >= len(numbers) - 1, "the point began again")
    print(f"limit: good, {time.time() - begin:.0f} s")


main()

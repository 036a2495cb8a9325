"""world.py FOLDER: full and closed outputs, limits, and files that are no programs."""
import os
import pathlib
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])


def run(command, status, words="", output=""):
    done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=100)
    if done.returncode != status or words not in done.stderr or output not in done.stdout:
        sys.exit(f"{command}: exit {done.returncode}, expected {status}\n{done.stdout}{done.stderr}")
    if "LLVM ERROR" in done.stderr:
        sys.exit(f"{command}: {done.stderr}")


for verb in ("run p.chi", "emit-ir p.chi", "fmt - < p.chi", "params device.chi", "explain E0100", "--help", "--version",
             "run --help", "devices", "cache"):
    if os.path.exists("/dev/full"):
        run(f"chic {verb} > /dev/full", 2, "cannot write to standard output")
run("chic run p.chi --no-cache >&-", 2, "cannot write to standard output")
run("set -o pipefail; yes 'print(1)' | head -2000 | chic fmt - | head -1 > /dev/null; true", 0)

# Limits: of a file's size, of memory.
run("ulimit -f 1; CHI_CACHE_DIR=$PWD/tiny chic run p.chi", 2, "no writable folder for temporary files")
run("ulimit -f 100; CHI_CACHE_DIR=$PWD/small chic run p.chi", 0, "", "1\n")
(folder / "large.chi").write_text("param n: i32 = 1000\nx = field(f32, shape=n)\nx.fill(1)\nprint(x[5])\n")
run("chic run large.chi", 0, "", "1.0")
if not os.environ.get("CHI_TEST_SANITIZE"):  # whose shadow memory needs more
    run("ulimit -v 1000000; chic run large.chi --n 2_000_000_000", 2, "out of memory: a field of shape (2000000000,)")
(folder / "saves.chi").write_text("x = field(f32, shape=100_000)\nsave('x.npy', x)\n")
run("chic run saves.chi", 0)
(folder / "x.npy").unlink()
run("ulimit -f 10; chic run saves.chi", 2, "saves.chi:2:1: error: cannot write `x.npy`: File too large")
if list(folder.glob("x.npy*")):
    sys.exit("a part of a file was left")

# Files.
(folder / "empty").mkdir()
(folder / "names").mkdir()
for name in ("a b.chi", "new\nline.chi", "é日.chi", "-dash.chi"):
    (folder / "names" / name).write_text("print(7)\n")
    for verb in ("run", "check", "fmt --check", "params"):
        done = subprocess.run(["chic", *verb.split(), "names/" + name], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0 or done.stderr:
            sys.exit(f"{verb} {name!r}: exit {done.returncode}\n{done.stderr}")
run("chic check names", 0)
run("chic fmt --check names p.chi", 0)
run("chic check empty p.chi", 2, "'empty' contains no programs")
run("chic run empty", 2, "'empty': Is a directory")
run("chic check nothing.chi p.chi", 2, "'nothing.chi': No such file or directory")
run("truncate -s 5G huge.chi; chic check huge.chi; s=$?; rm huge.chi; exit $s", 2, "'huge.chi': File too large")
run("chic run /dev/zero", 2, "'/dev/zero': File too large")
for text in ("print(7)\r\nprint(8)\r\n", "\ufeffprint(7)\nprint(8)\n"):
    (folder / "ends.chi").write_bytes(text.encode())
    run("chic run ends.chi", 0, "", "7\n8\n")

"""outputs.py FOLDER: outputs that are no ordinary files, full disks, and no memory.

Devices are reached by links only: what replaced one would replace the link.
"""
import os
import pathlib
import resource
import stat
import subprocess
import sys
import threading

folder = pathlib.Path(sys.argv[1])
WRITERS = ["build p.chi", "build --lib p.chi", "build --object p.chi", "emit-ir p.chi", "emit-ir p.chi --stage=obj"]


def run(arguments, status, words="", output="", limits=()):
    def limit():
        for which, most in limits:
            resource.setrlimit(which, (most, most))

    done = subprocess.run(["chic", *arguments], cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          timeout=100, preexec_fn=limit)
    if done.returncode != status or words not in done.stderr or output not in done.stdout or "LLVM ERROR" in done.stderr:
        sys.exit(f"{arguments}: exit {done.returncode}, expected {status}\n{done.stdout}{done.stderr}")
    return done


def link(name, target):
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(target)


def expect_link(name, target):
    if os.readlink(folder / name) != target:
        sys.exit(f"{name} was replaced")


for writer in WRITERS:
    # Devices and pipes are written to.
    link("null", "/dev/null")
    run([*writer.split(), "-o", "null"], 0)
    expect_link("null", "/dev/null")
    link("full", "/dev/full")
    run([*writer.split(), "-o", "full"], 2, "chic: 'full' cannot be written: No space left on device")
    expect_link("full", "/dev/full")
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    run([*writer.split(), "-o", "pipe"], 0)
    reader.join()
    if not stat.S_ISFIFO(pipe.lstat().st_mode) or len(got[0]) < 100:
        sys.exit(f"{writer}: the pipe got {len(got[0])} bytes")
    pipe.unlink()
    # A link is followed, to a file that is there and to one that is not.
    link("link", "target")
    for _ in range(2):
        run([*writer.split(), "-o", "link"], 0)
        expect_link("link", "target")
        if (folder / "target").stat().st_size < 100:
            sys.exit(f"{writer}: nothing was written behind the link")
    (folder / "target").unlink()
    for header in ("null.h", "full.h", "pipe.h"):
        if (folder / header).exists():
            sys.exit(f"{writer}: {header} beside no library")

# What the program is read from is no output: by its name, a link, a pipe into chic, or as a module or header.
(folder / "imported.chi").write_text("const c = 5\n")
(folder / "p.h").write_text("import imported\n@kernel\ndef k() -> i32:\n    return imported.c\nprint(k())\n")
inputs = {name: (folder / name).read_text() for name in ("imported.chi", "p.h")}
link("other", "p.h")
link("other.o", "imported.chi")
for writer, output in (("build p.h", "p.h"), ("build p.h", "./p.h"), ("build p.h", "other"), ("build p.h", "imported.chi"),
                       ("build --object p.h", "other.o"), ("build --lib p.h", "p.so"), ("emit-ir p.h", "p.h"),
                       ("emit-ir p.h", "other"), ("emit-ir p.h", "other.o"), ("emit-ir p.h --stage=tokens", "other")):
    shown = "p.h" if output == "p.so" else output
    run([*writer.split(), "-o", output], 2, f"chic: '{shown}' cannot be written: it is the input program\n")
run(["test", "p.h", "--junit", "other"], 2, "chic: 'other' cannot be written: it is one of the programs\n")
with open(folder / "p.h") as program:
    done = subprocess.run(["chic", "build", "-", "-o", "p.h"], cwd=folder, stdin=program, capture_output=True, text=True)
    if done.returncode != 2 or "it is the input program" not in done.stderr:
        sys.exit(f"build - -o p.h: exit {done.returncode}\n{done.stderr}")
for name, text in inputs.items():
    if (folder / name).read_text() != text or os.path.islink(folder / name):
        sys.exit(f"{name} was overwritten")
for name in (*inputs, "other", "other.o"):
    (folder / name).unlink()

# A disk that takes no more: a sentence, and nothing half-written.
old = folder / "program"
old.write_text("old")
before = set(os.listdir(folder))
for writer in (["build", "p.chi"], ["build", "--lib", "p.chi"], ["build", "--static", "p.chi"]):
    run([*writer, "-o", "program"], 2, "chic: 'program' cannot be written: File too large",
        limits=[(resource.RLIMIT_FSIZE, 100 << 10)])
    if set(os.listdir(folder)) != before or old.read_text() != "old":
        sys.exit(f"{writer}: left {set(os.listdir(folder)) - before}")

# Memory: from too little to begin to enough, each end is orderly.
if not os.environ.get("CHI_TEST_SANITIZE"):  # whose shadow memory needs more
    (folder / "many.chi").write_text("a = 0\n" + "a = a + 1\n" * 1500 + "print(a)\n")
    (folder / "tmp").mkdir()
    ended = set()
    for megabytes in (150, 250, 300, 330, 360, 400, 450, 500, 600, 2000):
        done = subprocess.run(["bash", "-c", f"ulimit -v {megabytes * 1024}; exec chic run --no-cache many.chi"],
                              cwd=folder, capture_output=True, text=True, env={**os.environ, "TMPDIR": "tmp"})
        good = done.returncode == 0 and done.stdout == "1500\n"
        refused = done.returncode == 2 and done.stderr.count("\n") >= 1 and "LLVM ERROR" not in done.stderr
        if not good and not refused:
            sys.exit(f"with {megabytes} MB: exit {done.returncode}\n{done.stdout}{done.stderr[-2000:]}")
        if os.listdir(folder / "tmp"):
            sys.exit(f"with {megabytes} MB: left {os.listdir(folder / 'tmp')}")
        ended.add(done.returncode)
    if ended != {0, 2}:
        sys.exit(f"memory was never short, or always: {ended}")

# Modules are ordinary files; what a pipe holds would be waited for.
(folder / "imports.chi").write_text("import module\nprint(module.c)\n")
(folder / "module.chi").write_text("const c = 5\n")
run(["run", "imports.chi"], 0, "", "5\n")
for verb in ("run", "check", "build", "test", "emit-ir"):
    for target in ("/dev/zero", "pipe.chi"):
        if target == "pipe.chi" and not (folder / target).exists():
            os.mkfifo(folder / target)
        link("module.chi", target)
        run([verb, "imports.chi"], 2, "chic: 'module.chi': it is not a regular file")
(folder / "module.chi").unlink()
with open(folder / "module.chi", "w") as file:
    file.truncate(5 << 30)
run(["run", "imports.chi"], 2, "chic: 'module.chi': File too large")
(folder / "module.chi").unlink()

# `--` ends the options.
(folder / "-dash.chi").write_text("param n: i32 = 1\nprint(n)\n")
run(["run", "--", "-dash.chi"], 0, "", "1\n")
run(["run", "--threads", "1", "--", "-dash.chi", "--n", "3"], 0, "", "3\n")
run(["run", "./-dash.chi", "--", "--n", "4"], 0, "", "4\n")
run(["emit-ir", "--stage=typed-ast", "--", "-dash.chi", "--n", "4"], 0)

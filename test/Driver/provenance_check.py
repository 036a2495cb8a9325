"""provenance_check.py FOLDER: `chic provenance --check` makes files again, compares them, and leaves no trace."""
import os
import pathlib
import shutil
import subprocess
import sys

from provenance_runs import expect, run

folder = pathlib.Path(sys.argv[1]).resolve()
os.chdir(folder)
PROGRAM = '''param n: i32 = 4
param scale: f32 = 0.5
a = load("start.npy", field(f32, 2))
b = field(f32, shape=(n, n))
for i, j in b:
    b[i, j] = a[0, 0] * scale * f32(i + 1) / f32(n)
b[0, 1] += env("NOISE", 0.0)
save("out/a.png", b)
save("out/a.npz", b=b, k=n + env("MORE", 0), label="x")
save("out/../a.npy", b)
c = load("a.npy", field(f32, 2))
print(c.sum(), exists("out/a.png"))
append("log.csv", s=c.sum())
'''


def check(path, *flags, status=0, out=None, err="", env=None, cwd=None):
    done = run("chic", "provenance", path, "--check", *flags, status=status, env=env, cwd=cwd)
    expect(out is None or done.stdout == out, done.stdout)
    expect(err in done.stderr and (err or not done.stderr), done.stderr)


def everything():
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()}


os.mkdir("out")
pathlib.Path("p.chi").write_text(PROGRAM)
pathlib.Path("start.chi").write_text('a = field(f32, shape=(2, 2))\na.fill(1.5)\nsave("start.npy", a)\n')
run("chic", "run", "start.chi")
run("chic", "run", "p.chi", "--n=3")
temporary = pathlib.Path("tmp")
temporary.mkdir()
os.environ["TMPDIR"] = str(temporary.resolve())
before = everything()
for path in ("out/a.png", "out/a.npz", "a.npy", str(folder / "a.npy")):
    check(path, out=f"{path}: the same\n")
expect(everything() == before, "a check changed files")

# What differs.
check("out/a.npz", status=1, env={"NOISE": "0.25"},
      out="out/a.npz: differs\n`b`: 1 of 9 values differ, the first at [0, 1]: 0.25 and 0.5\n")
check("a.npy", status=1, env={"NOISE": "0.25"},
      out="a.npy: differs\nthe array: 1 of 9 values differ, the first at [0, 1]: 0.25 and 0.5\n")
check("out/a.png", status=1, env={"NOISE": "0.25"},
      out="out/a.png: differs\n1 of 9 pixels differ, the first in row 0, column 1\n")
check("out/a.npz", status=1, env={"MORE": "2"}, out="out/a.npz: differs\n`k`: the value differs: 3 and 5\n")
expect(everything() == before, "a check changed files")

# A file that was moved, from another folder.
shutil.copy("out/a.png", "elsewhere.png")
check("elsewhere.png", "--folder", str(folder), out="elsewhere.png: the same\n")
check("../elsewhere.png", "--folder", str(folder), out="../elsewhere.png: the same\n", cwd=folder / "out")
check("../elsewhere.png", "--folder=.", status=2, err="cannot read the program 'p.chi': No such file or directory; --program",
      cwd=folder / "out")
check("elsewhere.png", "--folder=none", status=2, err="cannot enter 'none': No such file or directory")

# The program is another one, or is not there.
text = pathlib.Path("p.chi").read_text()
pathlib.Path("p.chi").write_text(text + "# more\n")
check("a.npy", status=1, err="'p.chi' is not the program that made `a.npy`: its text, or that of a module")
pathlib.Path("q.chi").write_text(text)
check("a.npy", "--program=q.chi", out="a.npy: the same\n")
os.unlink("p.chi")
check("a.npy", status=2, err="cannot read the program 'p.chi': No such file or directory")
check("start.npy", out="start.npy: the same\n")
pathlib.Path("p.chi").write_text(text)

# A record that names flags of `chic run` instead of params.
side = pathlib.Path("a.npy.chi.json")
good = side.read_text()
side.write_text(good.replace('"params": {', '"params": {"checkpoint": "p.chi", '))
check("a.npy", status=1, err="the record in `a.npy` is malformed: the program has no parameter `checkpoint`")
side.write_text(good)

# The run fails, or writes another file this time.
os.rename("start.npy", "gone.npy")
check("a.npy", status=2, err="cannot read `start.npy`")
os.rename("gone.npy", "start.npy")
pathlib.Path("maybe.chi").write_text('if env("YES", 1) == 1:\n    save("maybe.npy", field(f32, shape=(2,)))\n')
run("chic", "run", "maybe.chi")
check("maybe.npy", out="maybe.npy: the same\n")
check("maybe.npy", status=1, err="the program did not write 'maybe.npy' this time", env={"YES": "0"})

# An executable is built again; absolute paths are redirected, too.
run("chic", "build", "p.chi", "-o", "p", "-O1", "-D", "n=5")
run("./p", "--scale=0.25")
check("out/a.npz", out="out/a.npz: the same\n")
pathlib.Path("absolute.chi").write_text(f'save("{folder}/absolute.npy", field(f32, shape=(2,)))\n')
run("chic", "run", "absolute.chi")
before = everything()
check("absolute.npy", out="absolute.npy: the same\n")
expect(everything() == before, "a check changed files")

# The program came from the standard input.
with open("start.chi") as source:
    subprocess.run(["chic", "run", "-"], stdin=source, check=True)
check("start.npy", status=2, err="the program came from the standard input")
check("start.npy", "--program=start.chi", out="start.npy: the same\n")

# A run that went on from a checkpoint: the same bytes; with another param, no command makes the file.
pathlib.Path("long.chi").write_text('''param steps: i32 = 6
param dt: f32 = 0.5
x = field(f32, shape=(4,))
for k in range(steps):
    for i in x:
        x[i] += dt * f32(i)
save("long.npy", x)
''')
run("chic", "run", "long.chi", "--steps=8")
plain = {name: pathlib.Path(name).read_bytes() for name in ("long.npy", "long.npy.chi.json")}
run("chic", "run", "long.chi", "--steps=8", "--checkpoint=s.ckpt", status=75, env={"CHI_CHECKPOINT_AT": "4"})
run("chic", "run", "long.chi", "--steps=8", "--resume=s.ckpt")
for name, data in plain.items():
    expect(pathlib.Path(name).read_bytes() == data, name, "differs after --resume")
check("long.npy", out="long.npy: the same\n")
run("chic", "run", "long.chi", "--steps=9", "--resume=s.ckpt", "--allow-change=steps")
check("long.npy", status=1, err="cannot be made again: its run went on from a checkpoint of a run with another steps")
expect("another steps" in run("chic", "provenance", "long.npy").stdout, "the record does not tell")
expect(not any(temporary.iterdir()), "temporary files are left", list(temporary.iterdir()))

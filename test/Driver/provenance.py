"""provenance.py FOLDER: the records in files, of each format, and what `chic provenance` says of them."""
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import zlib

from provenance_runs import expect, run

folder = pathlib.Path(sys.argv[1]).resolve()
os.chdir(folder)
PROGRAM = '''import part
param n: i32 = 8 in [2, 64]
param dt: f64 = 0.1
param v: vec(2, f32) = [1.0, 2.5]
param name: str = "a b"
param flag: bool = True

a = field(f32, shape=(n, n))
a.fill(part.half(f32(dt)))
save("a.png", a)
save("a.npz", a=a, n=n)
save("a.npy", a)
'''


def record(path):
    return json.loads(run("chic", "provenance", path, "--json").stdout)


def without_made(path):
    found = record(path)
    found.pop("made", None)
    return found


def refuse(path, words, status=1):
    done = run("chic", "provenance", path, status=status)
    expect(words in done.stderr and done.stderr.count("\n") == 1 and not done.stdout, path, done.stderr)


def chunks(data):
    at = 8
    while at < len(data):
        size, = struct.unpack(">I", data[at:at + 4])
        yield data[at + 4:at + 8], data[at + 8:at + 8 + size]
        at += 12 + size


pathlib.Path("part.chi").write_text("def half(x: f32) -> f32:\n    return x / 2\n")
pathlib.Path("p.chi").write_text(PROGRAM)
FILES = ("a.png", "a.npz", "a.npy")

# Every format, params of all types, options, device; the same for all files of a run except for their names.
run("chic", "run", "p.chi", "--n=4", "--dt", "1e-3", "--name", "ü \"x\" 'y'", "--no-flag", "--seed=18446744073709551615",
    "--float=strict", "--threads=1")
for path in FILES:
    found = record(path)
    expect(found["format"] == "chi provenance 1" and found["program"] == "p.chi", found)
    expect(found["file"] == path and len(found["hash"]) == 32, found)
    expect(found["params"] == {"n": 4, "dt": 0.001, "v": [1, 2.5], "name": "ü \"x\" 'y'", "flag": False}, found)
    expect(found["seed"] == 18446744073709551615 and found["threads"] == 1 and found["verb"] == "run", found)
    expect(found["options"] == {"float": "strict", "O": 3, "target_cpu": "native"}, found["options"])
    expect(found["chic"] and found["arch"] == "cpu" and "device" in found and found["target"], found)
    expect(found["commands"] == ["chic run p.chi --float=strict --threads=1 --seed=18446744073709551615 --dt=0.001 "
                                 "--no-flag --n=4 '--name=ü \"x\" '\\''y'\\''' --v=1,2.5"], found["commands"])
    text = run("chic", "provenance", path).stdout
    expect("params    dt = 0.001, flag = false, n = 4" in text and "seed      18446744073709551615" in text, text)
    expect(text.endswith(found["commands"][0] + "\n"), text)
    if "made" in found:  # the file system has attributes
        expect(found["made"]["folder"] == str(folder) and found["made"]["host"] and found["made"]["time"], found)

# The command makes the same bytes.
before = {path: pathlib.Path(path).read_bytes() for path in (*FILES, "a.npy.chi.json")}
command = record("a.png")["commands"][0]
run("sh", "-c", command)
for path, data in before.items():
    expect(pathlib.Path(path).read_bytes() == data, path, "has other bytes in another run")

# Other programs read the files: NumPy, and whoever knows the chunks of a PNG.
texts = [body for kind, body in chunks(before["a.png"]) if kind == b"tEXt"]
expect(len(texts) == 1 and texts[0].startswith(b"chi.provenance\0{"), texts)
expect(json.loads(texts[0][15:].decode("ascii"))["file"] == "a.png", texts)
try:
    import numpy
except ImportError:
    numpy = None
if numpy:
    z = numpy.load("a.npz")
    expect(sorted(z.files) == ["a", "chi.provenance", "n"] and z["n"] == 4, z.files)
    expect(json.loads(z["chi.provenance"].item())["file"] == "a.npz", z["chi.provenance"])
    expect(numpy.load("a.npy").shape == (4, 4), "a.npy")

# Chi reads them, and does not name the record among the arrays.
pathlib.Path("load.chi").write_text('''a = load("a.png", field(f32, 2))
b = load("a.npz", "a", field(f32, 2))
c = load("a.npy", field(f32, 2))
print(a.shape, b.sum() == c.sum())
d = load("a.npz", "x", field(f32, 2))
''')
done = run("chic", "run", "load.chi", status=1)
expect(done.stdout == "(4, 4) True\n" and "it has `a`, `n`\n" in done.stderr, done.stdout, done.stderr)

# --provenance=off, by the flag and by the environment; full.
for flags, env in ((["--provenance=off"], {}), ([], {"CHI_PROVENANCE": "off"})):
    pathlib.Path("a.npy.chi.json").unlink(missing_ok=True)
    run("chic", "run", "p.chi", *flags, env=env)
    expect(not os.path.exists("a.npy.chi.json") and b"chi.provenance" not in pathlib.Path("a.png").read_bytes(), flags)
    refuse("a.png", "`a.png` has no record of how it was made")
    refuse("a.npz", "`a.npz` has no record of how it was made")
    refuse("a.npy", "`a.npy` has no record of how it was made: there is no `a.npy.chi.json`")
run("chic", "run", "p.chi", "--provenance=full")
for path, data in zip(FILES, (pathlib.Path("a.png").read_bytes(), pathlib.Path("a.npz").read_bytes(),
                              pathlib.Path("a.npy.chi.json").read_bytes())):
    expect(b'"made": {"time": "2' in data and b'"host": "' in data, path)
    expect(record(path)["made"]["folder"] == str(folder), path)
run("chic", "run", "p.chi", "--provenance=no", status=2)

# Executables.
run("chic", "build", "p.chi", "-o", "p", "-D", "n=6", "-O", "2", "--target-cpu=x86-64-v2")
run("./p", "--dt=0.25", "--seed=3")
found = record("a.npz")
expect(found["verb"] == "build" and found["params"]["n"] == 6 and found["params"]["dt"] == 0.25, found)
expect(found["options"] == {"float": "fast", "O": 2, "target_cpu": "x86-64-v2", "define": ["n=6"]}, found)
expect(found["commands"] == ["chic build p.chi -o ./p -O2 --target-cpu=x86-64-v2 -D n=6",
                             "./p --seed=3 --dt=0.25 --flag --n=6 '--name=a b' --v=1,2.5"], found["commands"])
run("./p", "--provenance=off")
refuse("a.png", "has no record")
run("./p", env={"CHI_PROVENANCE": "off"})
refuse("a.png", "has no record")
expect("--provenance: `x` is none of on, full and off" in run("./p", "--provenance=x", status=2).stderr, "a wrong value")
expect("--provenance MODE" in run("./p", "--help").stdout, "help")

# A library's program has none.
run("chic", "build", "--lib", "p.chi", "-o", "libp.so")
pathlib.Path("host.c").write_text('int p_run(int, char **);\nint main(int n, char **v) { return p_run(n, v); }\n')
if shutil.which("cc"):
    run("cc", "host.c", "-L.", "-lp", f"-Wl,-rpath,{folder}", "-o", "host")
    for path in FILES:
        os.unlink(path)
    run("./host")
    refuse("a.png", "has no record")

# The interpreter and the mirror.
for arch in ("interp", "mirror"):
    run("chic", "run", "p.chi", "--n=4", f"--arch={arch}")
    expect(record("a.png")["arch"] == arch and f"--arch={arch}" in record("a.png")["commands"][0], arch)

# The program or a module changes: another hash, also from the cache.
run("chic", "run", "p.chi")
first = record("a.png")["hash"]
run("chic", "run", "p.chi", "--dt=2")
expect(record("a.png")["hash"] == first, "the hash depends on params")
text = pathlib.Path("part.chi").read_text()
pathlib.Path("part.chi").write_text(text + "# more\n")
run("chic", "run", "p.chi")
expect(record("a.png")["hash"] != first, "a module changed")
pathlib.Path("part.chi").write_text(text)
run("chic", "run", "p.chi")
expect(record("a.png")["hash"] == first, "the module is what it was")

# What is no such file, is not there, or is damaged: a sentence each.
refuse("p.chi", "it is no png, npz or npy file")
refuse("none.png", "cannot read `none.png`: No such file or directory", status=2)
data = {path: pathlib.Path(path).read_bytes() for path in FILES}
side = pathlib.Path("a.npy.chi.json").read_bytes()
end = data["a.png"].index(b"IDAT") - 4
for path, size in (("a.png", end), ("a.npz", len(data["a.npz"]))):
    for k in range(24):
        cut = size * k // 24
        pathlib.Path("cut" + path[1:]).write_bytes(data[path][:cut])
        refuse("cut" + path[1:], "")
for k in range(24):
    pathlib.Path("cut.npy").write_bytes(data["a.npy"])
    pathlib.Path("cut.npy.chi.json").write_bytes(side[:(len(side) - 2) * k // 24])
    done = run("chic", "provenance", "cut.npy", status=1)
    expect("malformed" in done.stderr or "another file" in done.stderr, done.stderr)
# Each byte of the record changed: what a checksum covers is refused, and nothing crashes.
at = data["a.png"].index(b"chi.provenance")
for k in range(at, end - 4, 7):
    pathlib.Path("flip.png").write_bytes(data["a.png"][:k] + bytes([data["a.png"][k] ^ 0x15]) + data["a.png"][k + 1:])
    refuse("flip.png", "")
at = data["a.npz"].index(b"chi.provenance")
for k in range(at, len(data["a.npz"]), 11):
    pathlib.Path("flip.npz").write_bytes(data["a.npz"][:k] + bytes([data["a.npz"][k] ^ 0x15]) + data["a.npz"][k + 1:])
    done = subprocess.run(["chic", "provenance", "flip.npz"], capture_output=True, text=True)
    expect(done.returncode in (0, 1), done)
# A text chunk with a right checksum and no record in it.
for body in (b"", b"{", b"[]", b"{}", b'{"format": "chi provenance 9"}', b'{"format": "chi provenance 1"}', b"\xff\0",
             b'{"format":"chi provenance 1","program":7,"file":"x"}'):
    chunk = b"tEXtchi.provenance\0" + body
    chunk = struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
    pathlib.Path("odd.png").write_bytes(data["a.png"][:33] + chunk + data["a.png"][33:])
    refuse("odd.png", "the record in `odd.png` is malformed, or of a later version of chic")
# Members of other types than they should be.
odd = {"format": "chi provenance 1", "program": "p\x1b[2J.chi", "file": "a.png", "params": [1], "seed": {}, "options": 3, "git": 1}
chunk = b"tEXtchi.provenance\0" + json.dumps(odd).encode()
chunk = struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
pathlib.Path("odd.png").write_bytes(data["a.png"][:33] + chunk + data["a.png"][33:])
expect("p?[2J.chi" in run("chic", "provenance", "odd.png").stdout, "control characters are printed")
run("chic", "provenance", "odd.png", "--json")

# An array that was replaced; the record by its own name.
expect(without_made("a.npy.chi.json") == without_made("a.npy"), "the record's own name")
pathlib.Path("a.npy").write_bytes(data["a.npy"][:-1] + b"\x01")
refuse("a.npy", "the record in `a.npy.chi.json` is that of another file: `a.npy` was replaced since")

# Git: none, clean, changed, not committed, of a folder below, and for executables when they are built.
GIT = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b",
       "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "HOME": str(folder)}
ceiling = {**GIT, "GIT_CEILING_DIRECTORIES": str(folder.parent)}
run("chic", "run", "p.chi", env=ceiling)
expect("git" not in record("a.png"), record("a.png"))
run("chic", "run", "p.chi", env={"PATH": os.path.dirname(shutil.which("chic"))})
expect("git" not in record("a.png"), "without git")
if shutil.which("git"):
    tree = folder / "tree"
    (tree / "below").mkdir(parents=True)
    for name in ("p.chi", "part.chi"):
        shutil.copy(name, tree / "below")
    run("git", "init", "-q", "tree", env=GIT)
    run("chic", "run", "below/p.chi", cwd=tree, env=GIT)
    expect("git" not in record("tree/a.png"), "a commit where there is none")
    run("git", "add", "below", cwd=tree, env=GIT)
    run("git", "commit", "-qm", "first", cwd=tree, env=GIT)
    commit = run("git", "rev-parse", "HEAD", cwd=tree, env=GIT).stdout.strip()
    run("chic", "run", "tree/below/p.chi", env=GIT)
    expect(record("a.png")["git"] == {"commit": commit, "clean": True}, record("a.png"))
    expect(f"commit    {commit}\n" in run("chic", "provenance", "a.png").stdout, "the commit is not shown")
    run("chic", "build", "below/p.chi", "-o", "p", cwd=tree, env=GIT)
    with open(tree / "below/p.chi", "a") as file:
        file.write("# changed\n")
    run("chic", "run", "tree/below/p.chi", env=GIT)
    expect(record("a.png")["git"] == {"commit": commit, "clean": False}, record("a.png"))
    expect("with changes that were not committed" in run("chic", "provenance", "a.png").stdout, "changes are not shown")
    run("./p", cwd=tree, env=ceiling)
    expect(record("tree/a.png")["git"] == {"commit": commit, "clean": True}, "an executable has the commit of its build")
    # What a repository names as its monitor is not run.
    hook = tree / "hook"
    hook.write_text(f"#!/bin/sh\ntouch {folder}/ran\n")
    hook.chmod(0o755)
    run("git", "config", "core.fsmonitor", str(hook), cwd=tree, env=GIT)
    run("chic", "run", "tree/below/p.chi", env=GIT)
    expect("git" in record("a.png") and not os.path.exists("ran"), "the repository's monitor was run")
    # Once for many files, and for no file not at all.
    bin = folder / "bin"
    bin.mkdir()
    (bin / "git").write_text(f"#!/bin/sh\necho asked >> {folder}/asked\nexec {shutil.which('git')} \"$@\"\n")
    (bin / "git").chmod(0o755)
    path = {**GIT, "PATH": f"{bin}:{os.environ['PATH']}"}
    pathlib.Path("many.chi").write_text('a = field(f32, shape=(2, 2))\nfor k in range(5):\n    save(f"m{k}.npy", a)\n')
    run("chic", "run", "many.chi", env=path)
    expect(pathlib.Path("asked").read_text() == "asked\n", "git was not asked once")
    pathlib.Path("quiet.chi").write_text("print(1)\n")
    run("chic", "run", "quiet.chi", env=path)
    run("chic", "run", "p.chi", "--provenance=off", env=path)
    expect(pathlib.Path("asked").read_text() == "asked\n", "git was asked for no file")
    # A sweep asks once for all points; each point has its own params and seed.
    run("chic", "sweep", "p.chi", "--over", "dt=1,2,3", "--out", "runs", "--jobs=2", env=path)
    expect(pathlib.Path("asked").read_text() == "asked\n" * 2, "the points asked git")
    found = [record(f"runs/points/0000{k}/a.npz") for k in (1, 2, 3)]
    expect([one["params"]["dt"] for one in found] == [1, 2, 3], found)
    expect(len({one["seed"] for one in found}) == 3, found)
    run("chic", "sweep", "p.chi", "--over", "dt=1,2", "--provenance=off", "--out", "none", "--jobs=2", env=path)
    refuse("none/points/00001/a.npz", "has no record")

# Tests of a program write no records; devices and pipes get none beside them.
pathlib.Path("t.chi").write_text('test "saves":\n    a = field(f32, shape=(2, 2))\n    save("t.npy", a)\n')
run("chic", "test", "t.chi")
refuse("t.npy", "has no record")
os.symlink("/dev/null", "null.npy")
pathlib.Path("null.chi").write_text('save("null.npy", field(f32, shape=(2,)))\n')
run("chic", "run", "null.chi")
expect(not os.path.exists("null.npy.chi.json"), "a record of /dev/null")

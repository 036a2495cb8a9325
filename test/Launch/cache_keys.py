"""cache_keys.py FOLDER: which options are part of the key of a cached program.

An option that code depends on gives another program: a second run with it finds
that one. An option that only the run depends on finds the program of a run
without it.
"""
import os
import pathlib
import subprocess
import sys

folder = pathlib.Path(sys.argv[1]).resolve()
folder.mkdir(parents=True)
(folder / "part").mkdir()
program = folder / "p.chi"
TEXT = """x = field(f32, shape=4)
for i in x:
    x[i] = i + 0.5
print(x.sum())
"""
program.write_text(TEXT)
environment = {**os.environ, "CHI_CACHE_DIR": str(folder / "cache")}
environment.pop("CHI_MACHINE", None)
bad = []


def finds(*args, cwd=folder, text=None, **variables):
    """Whether `chic run` found the program in the cache."""
    done = subprocess.run(["chic", "run", "--time", *args], env={**environment, **variables},
                          cwd=cwd, input=text, stdin=None if text else subprocess.DEVNULL,
                          capture_output=True, text=True)
    if done.returncode != 0 or done.stdout != "8\n" and done.stdout != "8.0\n":
        sys.exit(f"{args}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    answers = [line for line in done.stderr.splitlines() if "cache looked up" in line]
    if len(answers) != 1:
        sys.exit(f"{args}: {answers}")
    return answers[0].endswith("cache looked up: found")


def expect(wanted, what, *args, **rest):
    if finds(*args, **rest) != wanted:
        bad.append(f"{what}: should {'' if wanted else 'not '}be found")


def is_new(*args, **rest):
    what = f"{args} {rest}"
    expect(False, what + ", first run", *args, **rest)
    expect(True, what + ", second run", *args, **rest)


is_new("p.chi")
# What shows only in the run, in the messages or in the time.
for same in ("--threads=2", "--seed=7", "--profile", "--color=always", "--diagnostics=json",
             "--machine=cores=3", "--float=fast", "--math=chi", "--default-int=i32",
             "--default-float=f32", "--specialize=needed", "--target-cpu=native", "-O3", "--arch=cpu",
             "--device=0"):
    expect(True, same, same, "p.chi")
    expect(True, f"p.chi {same}", "p.chi", same)
expect(True, "CHI_MACHINE of cores only", "p.chi", CHI_MACHINE="cores=3")
# What code, or the errors of a compilation, depend on.
for other in ("--float=strict", "--default-float=f64", "--default-int=i64", "--strict-types",
              "--unchecked", "--check=nan", "--check=nan,overflow", "--check=races", "-O0", "-O1",
              "--target-cpu=generic", "-g", "--without=lanes", "--specialize=all",
              "--machine=vector=128", "--machine=l3=8MiB", "--arch=mirror", f"-I{folder}/part"):
    is_new(other, "p.chi")
expect(True, "one description, by the variable", "p.chi", CHI_MACHINE="vector=128")
expect(False, "--no-cache", "--no-cache", "p.chi")

# Imports are searched relative to the file and to relative folders of -I: a
# name that does not begin with / means another program in another folder.
(folder / "part/p.chi").write_text(TEXT)
is_new("p.chi", cwd=folder / "part")
is_new("../p.chi", cwd=folder / "part")
is_new(str(program))
expect(True, "one absolute name", str(program), cwd=folder / "part")
is_new(str(program), "-I", "part")
expect(False, "a relative folder elsewhere", str(program), "-I", "part", cwd=folder / "part")

# The text counts, not the time of the last change; standard input has one, too.
program.touch()
expect(True, "the same text, written again", "p.chi")
program.write_text(TEXT + "# a comment\n")
is_new("p.chi")
program.write_text(TEXT)
expect(True, "the first text", "p.chi")
is_new("-", text=TEXT)
is_new("-", text=TEXT + "\n")
print("\n".join(bad))
sys.exit(bool(bad))

"""stdlib.py FOLDER: copies of chic with and without a sound standard library."""
import pathlib
import shutil
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
shutil.rmtree(folder, ignore_errors=True)
build = pathlib.Path(shutil.which("chic")).resolve().parents[1]
stdlib = build / "share/chi/stdlib"
(folder / "bin").mkdir(parents=True)
shutil.copy(build / "bin/chic", folder / "bin/chic")
(folder / "lib").symlink_to(build / "lib")
(folder / "sine.chi").write_text(
    "x = field(f32, shape=4)\n\n@kernel\ndef k():\n    for i in x:\n        x[i] = sin(i * 1.0)\n\nk()\nprint(x[0])\n")
(folder / "plain.chi").write_text("print(1 + 2)\n")


def install(change):
    """A standard library of its own, changed by a function."""
    shutil.rmtree(folder / "share", ignore_errors=True)
    shutil.copytree(stdlib.resolve(), folder / "share/chi/stdlib")
    change(folder / "share/chi/stdlib/internal/math.chi")


def run(status, *words):
    done = subprocess.run([folder / "bin/chic", *words], cwd=folder, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)
    if done.returncode != status:
        sys.exit(f"{words}: exit {done.returncode}, expected {status}\n{done.stdout}{done.stderr}")
    return done.stderr


def damage(file):
    text = file.read_text()
    file.write_text(text[:len(text) // 2] + "\n)")


install(lambda file: None)
run(0, "run", "sine.chi")
for change, words in ((lambda file: file.unlink(), "cannot be read"), (damage, "is damaged")):
    install(change)
    for verb in (["run", "sine.chi"], ["run", "sine.chi", "--arch=interp"], ["build", "sine.chi"],
                 ["emit-ir", "sine.chi", "--stage=llvm"]):
        said = run(2, *verb)
        if "sine.chi:6:16: error[E0705]: `sin` needs the standard library" not in said or words not in said:
            sys.exit(f"{verb}: {said}")
    run(0, "run", "plain.chi")  # needs none of it

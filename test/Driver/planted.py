"""planted.py FOLDER: what others put into the cache does not run."""
import os
import pathlib
import shutil
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
cache = folder / "cache"
(folder / "good.chi").write_text("print('good')\n")
(folder / "evil.chi").write_text("print('evil')\n")


def run(program, line="", place=cache):
    """Runs it; `line` is how the one line about the cache ends, or "" if there shall be none."""
    done = subprocess.run(["chic", "run", program + ".chi"], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "CHI_CACHE_DIR": str(place)})
    lines = done.stderr.splitlines()
    said = [text for text in lines if text.startswith("chic: the cache is not used: ")]
    if done.returncode != 0 or done.stdout != program + "\n" or lines != said or len(said) != bool(line) or \
            (line and not said[0].endswith(line)):
        sys.exit(f"{program}, {line!r}: exit {done.returncode}\n{done.stdout}{done.stderr}")


def entries(kind):
    return set(cache.glob(f"programs/*.{kind}"))


os.umask(0)
run("good")
good, record = entries("so"), entries("record")
run("evil")
(good,), (evil,), (record,) = good, entries("so") - good, record
for path in (cache, cache / "programs", cache / "objects"):
    if path.stat().st_mode & 0o777 != 0o700:
        sys.exit(f"{path} has the mode {path.stat().st_mode:o}")

# A whole entry under the name of another: its seal is of its own name.
kept = good.read_bytes()
shutil.copyfile(evil, good)
run("good")
if good.read_bytes() == evil.read_bytes():
    sys.exit("the planted entry is still there")
run("good")
run("evil")

# Folders and entries that others may write to; entries that are links.
for path in (cache, cache / "programs", good, record):
    mode = path.stat().st_mode
    for bits in (0o020, 0o002):
        path.chmod(mode | bits)
        run("good", f"'{path}' is writable by others")
    path.chmod(mode)
    run("good")
for path in (good, record, cache / "programs", cache):
    elsewhere = folder / "elsewhere"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    run("good", f"'{path}' is a link")
    path.unlink()
    elsewhere.rename(path)
    run("good")
(folder / "linked").symlink_to(cache)
run("good", f"'{folder / 'linked'}' is a link", place=f"{folder / 'linked'}/")
os.mkfifo(folder / "pipe")
good.rename(folder / "kept")
(folder / "pipe").rename(good)
run("good", f"'{good}' is not a regular file")
good.unlink()
(folder / "kept").rename(good)

# Another user's: root can make one, others find root's.
if os.geteuid() == 0:
    for path in (good, record, cache / "programs", cache):
        os.chown(path, 1, 1)
        run("good", f"'{path}' belongs to another user")
        os.chown(path, 0, 0)
    run("good")
else:
    run("good", "'/proc/sys' belongs to another user", place="/proc/sys")

# A place where no folder is or can be: one line, be the program compiled or found.
(folder / "file").write_text("text")
for _ in range(2):
    run("good", "file' is not a folder", place=folder / "file")
    run("good", "file/cache' cannot be opened: Not a directory", place=folder / "file/cache")
    run("good", "/proc/none' cannot be created: No such file or directory", place="/proc/none")

# The user's own files beside the cache stay.
mine = folder / "mine"
(mine / "programs/chic-notes").mkdir(parents=True, mode=0o700)
mine.chmod(0o700)
(mine / "programs").chmod(0o700)
own = [mine / name for name in ("notes.txt", "a.chi", "programs/mycode.c", "programs/chic-notes/a")]
for path in own:
    path.write_text("text")
    os.utime(path, (1, 1))
os.utime(mine / "programs/chic-notes", (1, 1))
run("good", place=mine)
subprocess.run(["chic", "cache", "--clear"], check=True, stdout=subprocess.DEVNULL,
               env={**os.environ, "CHI_CACHE_DIR": str(mine)})
for path in own:
    if not path.exists():
        sys.exit(f"{path} is gone")

# The verbs that show it and empty it say so too.
cache.chmod(0o777)
for arguments in (["cache"], ["cache", "--clear"]):
    done = subprocess.run(["chic", *arguments], capture_output=True, text=True,
                          env={**os.environ, "CHI_CACHE_DIR": str(cache)})
    if done.returncode != 2 or "is writable by others" not in done.stderr or not good.exists():
        sys.exit(f"{arguments}: exit {done.returncode}\n{done.stdout}{done.stderr}")

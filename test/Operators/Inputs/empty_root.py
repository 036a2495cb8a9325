"""empty_root.py WHEEL FOLDER PROGRAM: installs a wheel of operators in a root
that has Python, NumPy and tvm-ffi, with the libraries that these need, and
nothing else, and runs a program there."""
import pathlib
import re
import shutil
import subprocess
import sys

import numpy
import tvm_ffi

wheel, root, program = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]


def copy(path):
    """A file or folder, at its own place."""
    target = root / str(path).lstrip("/")
    if target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        shutil.copytree(path, target, copy_function=shutil.copyfile,
                        ignore=shutil.ignore_patterns("__pycache__", "test", "tests", "site-packages",
                                                      "dist-packages"))
    else:
        shutil.copy(path, target)


def needed(path):
    """The shared libraries that a program or a library loads."""
    listed = subprocess.run(["ldd", path], capture_output=True, text=True).stdout
    return [pathlib.Path(found) for found in re.findall(r"(/\S+) \(0x", listed)]


python = pathlib.Path(sys.executable).resolve()
library = pathlib.Path(sys.base_prefix) / f"lib/python3.{sys.version_info.minor}"
site = root / "site"
site.mkdir(parents=True, exist_ok=True)
for path in (python, library):
    copy(path)
for package in (numpy, tvm_ffi):
    home = pathlib.Path(package.__file__).parent
    shutil.copytree(home, site / home.name)
    beside = home.parent / f"{home.name}.libs"
    if beside.exists():
        shutil.copytree(beside, site / beside.name)
subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                "--no-deps", "--no-index", "--target", site, wheel], check=True)
binaries = [python, *(root / str(library).lstrip("/")).rglob("*.so"), *site.rglob("*.so*")]
for binary in binaries:
    for each in needed(binary):
        if not str(each).startswith(str(root)):
            copy(each)
typing = pathlib.Path(numpy.__file__).parent.parent / "typing_extensions.py"
if typing.exists():
    shutil.copy(typing, site)
shutil.copy(program, root / "program.py")
ran = subprocess.run([shutil.which("chroot"), root, python, "/program.py"],
                     env={"PYTHONPATH": "/site", "PYTHONHOME": sys.base_prefix, "PYTHONDONTWRITEBYTECODE": "1"},
                     capture_output=True, text=True)
print(ran.stdout, end="")
sys.exit(ran.stderr if ran.returncode else 0)

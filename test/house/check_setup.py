#!/usr/bin/env python3
"""`./x setup` on machines of several kinds, played by fake tools on its PATH."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Each fake writes its name and arguments to $LOG and answers from a file.
FAKES = {
    "id": 'echo "$FAKE_UID"',
    "dpkg-query": 'grep -qx -- "${@: -1}" "$HAVE/installed" && echo "install ok installed"',
    "apt-cache": 'if [ "$1" = search ]; then cat "$HAVE/known"; '
                 'else grep -qx -- "${@: -1}" "$HAVE/known"; fi',
    "apt-get": 'echo "apt-get $*" >>"$LOG"; [ "$1" != install ] || printf "%s\\n" "$@" >>"$HAVE/installed"',
    # Root's shell is not run: LLVM's source would be added to this machine.
    "sudo": '[ "$1" != -n ] || shift; echo "sudo $*" >>"$LOG"\n'
            'case "$*" in *" sh -c "*) cat "$HAVE/llvm" >>"$HAVE/known" ;; *) "$@" ;; esac',
}
TOOLS = "bash env sed grep tr cat touch mkdir dirname printf true sh".split()
LLVM = ["llvm-22-dev", "clang-22"]
OTHER = ["git", "cmake"]
bad = []


class Machine:
    """What is installed, what apt knows, who one is, whether sudo is there."""

    def __init__(self, folder, installed, known, uid=1000, sudo=True):
        self.folder, self.have, self.bin = folder, folder / "have", folder / "bin"
        self.have.mkdir()
        self.bin.mkdir()
        for name, lines in (("installed", installed), ("known", known), ("llvm", LLVM)):
            (self.have / name).write_text("".join(f"{line}\n" for line in lines))
        for tool in TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool))
        for name, text in FAKES.items():
            if name != "sudo" or sudo:
                (self.bin / name).write_text(f"#!/bin/bash\n{text}\n")
                (self.bin / name).chmod(0o755)
        shutil.copy(ROOT / "x", folder / "x")
        (folder / "packages.txt").write_text("# a list\n" + "".join(f"{p}  # why\n" for p in LLVM + OTHER))
        self.environment = {"PATH": str(self.bin), "FAKE_UID": str(uid), "LOG": str(folder / "log"),
                            "HAVE": str(self.have)}

    def setup(self):
        done = subprocess.run([self.folder / "x", "setup"], capture_output=True, text=True,
                              env=self.environment, stdin=subprocess.DEVNULL)
        log = self.folder / "log"
        return done.returncode, done.stderr, log.read_text() if log.exists() else ""


def expect(what, holds, seen):
    if not holds:
        bad.append(f"{what}; but:\n{seen}")


def check_complete(folder):
    code, said, log = Machine(folder, LLVM + OTHER, []).setup()
    expect("nothing is missing: nothing is done", code == 0 and not log and not said, (code, said, log))


def check_missing(folder):
    machine = Machine(folder, LLVM, LLVM + OTHER)
    code, said, log = machine.setup()
    expect("sudo installs what is missing, and nothing else", code == 0 and
           "apt-get install -y --no-install-recommends git cmake\n" in log and "apt.llvm.org" not in log,
           (code, said, log))
    expect("the second time nothing is done", machine.setup() == (0, "", log), log)


def check_root(folder):
    code, said, log = Machine(folder, LLVM, LLVM + OTHER, uid=0, sudo=False).setup()
    expect("root installs directly", code == 0 and "sudo" not in log and "apt-get install" in log, (code, said, log))


def check_llvm_source(folder):
    code, said, log = Machine(folder, OTHER, OTHER).setup()
    expect("without LLVM 22 its source is added, said, and used", code == 0 and
           "https://apt.llvm.org/llvm-snapshot.gpg.key" in log and "adding LLVM's own source" in said and
           "apt-get install -y --no-install-recommends llvm-22-dev clang-22\n" in log, (code, said, log))


def check_no_root(folder):
    code, said, log = Machine(folder, LLVM, LLVM + OTHER, sudo=False).setup()
    expect("neither root nor sudo: the line to run", code == 2 and not log and said.splitlines()[-1] ==
           "apt-get update && apt-get install -y --no-install-recommends git cmake", (code, said, log))


def check_no_root_no_llvm(folder):
    code, said, log = Machine(folder, OTHER, OTHER, sudo=False).setup()
    line = said.splitlines()[-1]
    expect("neither root nor sudo nor LLVM: one line that adds it", code == 2 and not log and
           line.startswith("apt-get update && ") and "apt.llvm.org" in line and
           line.rstrip().endswith("llvm-22-dev clang-22"), (code, said, log))
    done = subprocess.run(["bash", "-n", "-c", line], capture_output=True, text=True)
    expect("that line is a command", done.returncode == 0, done.stderr)


def check_unknown(folder):
    code, said, log = Machine(folder, LLVM, LLVM).setup()
    expect("a package without a source is named", code == 2 and "apt knows no git cmake" in said, (code, said, log))


for check in (check_complete, check_missing, check_root, check_llvm_source, check_no_root, check_no_root_no_llvm,
              check_unknown):
    with tempfile.TemporaryDirectory() as name:
        check(pathlib.Path(name))
print("\n".join(bad))
sys.exit(bool(bad))

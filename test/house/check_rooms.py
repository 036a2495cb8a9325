#!/usr/bin/env python3
"""What belongs together exists together.

A pass has a file, a flag by its name and a test; a diagnostic a test or a page;
a verb its file, its test and its page; a room its test folder.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
bad = []


def kebab(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


def read_all(folder, *suffixes):
    return {p: p.read_text(errors="replace") for p in sorted((ROOT / folder).rglob("*"))
            if p.suffix in suffixes and p.is_file()}


def check_passes():
    """Passes of Transforms and Conversion."""
    for record in sorted((ROOT / "src/chi").rglob("Passes.td")):
        room = record.parent.relative_to(ROOT / "src/chi")
        sources = read_all(f"src/chi/{room}", ".cpp")
        tests = read_all(f"test/{room}", ".mlir", ".chi", ".test")
        for name, flag in re.findall(r'def (\w+)Pass\s*:\s*Pass<"([\w-]+)"', record.read_text()):
            if not any(f"GEN_PASS_DEF_{name.upper()}PASS" in text for text in sources.values()):
                bad.append(f"{room}: no source file defines the pass {name}")
            if not any(f"--{flag}" in text or f"-{flag}" in text for text in tests.values()):
                bad.append(f"test/{room}: no test runs --{flag}")


def diagnostic_codes():
    text = "".join(p.read_text() for p in (ROOT / "src/chi/Diagnostics").glob("*.def"))
    return sorted(set(re.findall(r'"([EW]\d{4})"', text)))


def check_diagnostics():
    tests = "\n".join(read_all("test", ".chi", ".test", ".mlir", ".cpp").values())
    for code in diagnostic_codes():
        if code not in tests:
            bad.append(f"{code}: no test expects it (test/Diagnostics/{code}.chi)")


def check_verbs():
    text = (ROOT / "src/chi/Driver/Commands/Commands.def").read_text()
    for name in re.findall(r"^CHI_COMMAND\((\w+)\)", text, re.M):
        verb = {"EmitIR": "emit-ir"}.get(name, kebab(name))
        for path in (f"src/chi/Driver/Commands/{name}Command.cpp", f"docs/cli/{verb}.md"):
            if not (ROOT / path).exists():
                bad.append(f"verb {verb}: {path} is missing")
        if not list((ROOT / "test/Driver").glob(f"{verb}*")):
            bad.append(f"verb {verb}: test/Driver/{verb}.* is missing")


def check_rooms():
    """One folder, one target, one test folder, one paragraph."""
    text = (ROOT / "docs/architecture.md").read_text()
    for line in (ROOT / "src/LAYERS").read_text().splitlines():
        room = line.split("#")[0].split(":")[0].strip()
        if not room or not (ROOT / "src/chi" / room).is_dir():
            continue
        if not (ROOT / "test" / room).is_dir() and not (ROOT / "test/unit" / room).is_dir() \
                and not (ROOT / "test/unit" / room.split("/")[0]).is_dir():
            bad.append(f"src/chi/{room} has no tests (test/{room} or test/unit/{room})")
        if f"`{room}`" not in text:
            bad.append(f"docs/architecture.md does not tell of `{room}`")


for check in (check_passes, check_diagnostics, check_verbs, check_rooms):
    check()
print("\n".join(bad))
sys.exit(bool(bad))

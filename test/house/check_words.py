#!/usr/bin/env python3
"""Committed text is about the project only: no machine's paths, no open ends."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Written apart, so that this file passes its own check.
PATHS = re.compile(r"(?<![\w.])/(" + "work|ho" + r"me/[a-z]\w*|ro" + r"ot|tmp/(?!\$))/\w")
OPEN_ENDS = re.compile("|".join([r"TO" + r"DO(?!\(#\d+\))", "FIX" + "ME", r"\bXX" + r"X\b", "HA" + "CK"]))
CODE = (".cpp", ".h", ".td", ".def", ".chi", ".g4", ".py")

bad = []
listing = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True, check=True)
for name in listing.stdout.splitlines():
    path = ROOT / name
    if not path.is_file() or path.suffix in (".png", ".npy"):
        continue
    try:
        lines = path.read_text().splitlines()
    except UnicodeDecodeError:
        continue  # malformed on purpose: inputs of tests
    for number, line in enumerate(lines, 1):
        if PATHS.search(line):
            bad.append(f"{name}:{number}: a path of one machine: {line.strip()[:60]}")
        if path.suffix in CODE and OPEN_ENDS.search(line):
            bad.append(f"{name}:{number}: an open end without an issue: {line.strip()[:60]}")
    if path.stat().st_size > 2_000_000:
        bad.append(f"{name}: over 2 MB")
print("\n".join(bad))
sys.exit(bool(bad))

"""Runs of commands whose status is known."""
import os
import subprocess
import sys


def expect(holds, *text):
    if not holds:
        sys.exit(" ".join(str(part) for part in text))


def run(*command, status=0, env=None, cwd=None):
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, stdin=subprocess.DEVNULL,
                          env={**os.environ, **(env or {})})
    expect(done.returncode == status, command, "ended with", done.returncode, done.stdout, done.stderr)
    return done

"""each_fails.py FILE FLAG...: runs the programs of FILE, each of which ends with its message.

A program stands under a line `#--- FLAGS` and the line `# MESSAGE` that comes
first among its errors, after the file's name. The exit status is 1.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

text = pathlib.Path(sys.argv[1]).read_text()
bad, count = [], 0
with tempfile.TemporaryDirectory() as folder:
    program = pathlib.Path(folder) / "program.chi"
    for flags, message, body in re.findall(r"^#---(.*)\n# (.*)\n((?:(?!#---).*\n)*)", text, re.M):
        program.write_text(body)
        done = subprocess.run(["chic", "run", *sys.argv[2:], *flags.split(), program.name], cwd=folder,
                              capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=200)
        first = (done.stderr.splitlines() or [""])[0]
        count += 1
        if first != f"{program.name}:{message}" or done.returncode != 1:
            bad.append(f"expected {message}\n   found {first} (exit {done.returncode})\n{body}")
if count != text.count("#---"):
    bad.append(f"{count} programs read of {text.count('#---')}")
sys.exit("\n".join(bad) or 0)

"""run_examples.py PAGE FOLDER: runs the examples of a page of documentation.

A block ```chi is a program; it must run. If a block ```text follows, the
program must print that. A block ```chi error must not compile, and the block
```text behind it must occur in what the compiler says. A block ```chi-part is
a piece of a program and is left alone. The same programs run by the
interpreter.
"""
import pathlib
import re
import subprocess
import sys

page, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
BLOCK = re.compile(r"^```(\S+)([^\n]*)\n(.*?)^```$", re.M | re.S)
blocks = [(m[1], m[2].strip(), m[3], page.read_text()[:m.start()].count("\n") + 1)
          for m in BLOCK.finditer(page.read_text())]
bad = []


def run(path, *flags):
    return subprocess.run(["chic", "run", path.name, *flags], cwd=folder, capture_output=True,
                          text=True, stdin=subprocess.DEVNULL, timeout=120)


for number, (language, word, text, line) in enumerate(blocks):
    if language != "chi":
        continue
    after = blocks[number + 1] if number + 1 < len(blocks) else ("",)
    expected = after[2] if after[0] == "text" else None
    file = re.match(r"file=(\S+)", word)
    path = folder / (file[1] if file else f"example{number}.chi")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    if file:
        continue  # a module for the examples that follow
    flags = word.split() if word.startswith("--") else []
    done = run(path, *flags)
    where = f"{page.name}:{line}"
    if word == "error":
        if done.returncode != 1 or expected is None or expected.strip() not in done.stderr:
            bad.append(f"{where}: exit {done.returncode}, expected an error with\n{expected}\n{done.stderr}")
        continue
    if done.returncode != 0 or (expected is not None and done.stdout != expected):
        bad.append(f"{where}: exit {done.returncode}, printed\n{done.stdout}{done.stderr}")
        continue
    again = run(path, "--arch=interp", "--float=strict", *flags)
    if again.returncode != 0 or (expected is not None and again.stdout != expected):
        bad.append(f"{where}: by the interpreter: exit {again.returncode}, printed\n"
                   f"{again.stdout}{again.stderr}")
if not any(b[0] == "chi" for b in blocks):
    bad.append(f"{page.name} has no example")
sys.exit("\n".join(bad))

"""not_yet.py ROOT: what is said not to be there is not there, and all of it is said.

Each program of not_yet.txt gets its answer, and its words are in README.md and
docs/language.md. So a change that makes one of them work finds here the pages that deny it.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1])
HERE = pathlib.Path(__file__).resolve().parent
readme = (root / "README.md").read_text()
language = (root / "docs/language.md").read_text()
SECTIONS = {"README.md": re.search(r"^## Not yet\n(.*?)^## ", readme, re.M | re.S)[1],
            "docs/language.md": re.search(r"^## Not yet\n(.*)", language, re.M | re.S)[1]}
entries = re.findall(r"^= (.*?) \| (.*)\n((?:(?!=|#).*\n)*)", (HERE / "not_yet.txt").read_text(), re.M)
bad = []
for words, answer, program in entries:
    for page, text in SECTIONS.items():
        if words not in text:
            bad.append(f"{page}, section \"Not yet\", does not have: {words}")
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "program.chi").write_text(program)
        done = subprocess.run(["chic", "run", "program.chi"], cwd=folder, capture_output=True, text=True)
    is_right = done.returncode == 0 if answer == "runs" else done.returncode == 1 and answer in done.stderr
    if not is_right:
        bad.append(f"{words}: not `{answer}`; if it works by now, take it out of not_yet.txt and of these sections\n"
                   f"{program}exit {done.returncode}\n{done.stdout}{done.stderr}")
print("\n".join(bad))
sys.exit(bool(bad) or len(entries) < 20)

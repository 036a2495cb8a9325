"""check_pages.py ROOT FOLDER: docs/errors/*.md against the compiler."""
import pathlib
import re
import subprocess
import sys

root, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
# What the examples about modules import.
(folder / "E0701_self.chi").write_text("import E0701_other\n")
(folder / "E0701_other.chi").write_text("import E0701_self\n")
(folder / "E0703_module.chi").write_text("print(1)\n")
bad = []
codes = set(re.findall(r'"([EW]\d{4})"', "".join(
    p.read_text() for p in (root / "src/chi/Diagnostics").glob("*.def"))))
for code in sorted(codes):
    page = root / f"docs/errors/{code}.md"
    if not page.exists():
        bad.append(f"docs/errors/{code}.md is missing")
        continue
    text = page.read_text()
    if not text.startswith(f"# {code}: "):
        bad.append(f"{code}: the page does not begin with its code and title")
    for word, isWrong in (("Wrong", True), ("Right", False)):
        for program in re.findall(rf"^{word}:\n```python\n(.*?)^```", text, re.M | re.S):
            file = folder / f"{code}{word}.chi"
            file.write_text(program)
            # Races are proved behind the checker; pages on syntax show pieces.
            verb = (["emit-ir", "--stage=grad"] if code in ("E0410", "E0419", "E1016", "E1017", "E1020", "E1021", "W1012", "W1013")
                    else ["emit-ir", "--stage=ast"] if code < "E0100" and not isWrong
                    else ["check"])
            flags = ["--strict-types"] if code == "E0205" else []
            done = subprocess.run(["chic", *verb, file.name, *flags], cwd=folder,
                                  capture_output=True, text=True)
            if (f"[{code}]" in done.stderr) != isWrong or (done.returncode != 0 and not isWrong):
                bad.append(f"{code}, {word}: exit {done.returncode}\n{done.stderr}")
sys.exit("\n".join(bad) if bad else 0)

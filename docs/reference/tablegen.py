"""operations.md and passes.md: what mlir-tblgen says of the records, made readable as Markdown."""
import pathlib
import re
import shutil
import subprocess

OPERATIONS = """# Operations, attributes and types of the dialect `chi`

The form in which a program is checked, differentiated and optimised: stages `chi` to `lanes` of [the architecture](../architecture.md), shown by `chic emit-ir FILE --stage=simplified`. `python3 docs/reference/update.py`
writes this page from the records in `src/chi/Dialect/Chi/*.td`. [CONTRIBUTING.md](../../CONTRIBUTING.md) describes how to add an operation.
"""
PASSES = """# Passes

`chi-opt --PASS FILE.mlir` runs one pass. `src/chi/Pipeline/Pipeline.cpp` defines their order; `test/<Room>/<pass>.mlir` tests each. `python3 docs/reference/update.py` writes this page from the records in the `Passes.td` of each room.
"""
# Rooms in the order in which a program meets them.
ROOMS = ("Transforms/Outline", "Transforms/Facts", "Transforms/Checks", "Transforms/Checkpoints", "Transforms/Nest", "Transforms/Scalar",
         "Transforms/Vectorize", "Transforms/SLP", "Transforms/Schedule", "AD/Activity", "AD/Reverse", "AD/Forward", "Conversion",
         "Conversion/ChiToGPU", "Target/NVVM", "Target/SPIRV", "Pipeline")


def tblgen(root, *arguments):
    tool = next((path for path in map(shutil.which, ("mlir-tblgen-22", "mlir-tblgen", "/usr/lib/llvm-22/bin/mlir-tblgen")) if path), None)
    if not tool:
        raise SystemExit("there is no mlir-tblgen; ./x setup says what is missing")
    include = pathlib.Path(tool).resolve().parents[1] / "include"
    done = subprocess.run([tool, "-I", include, "-I", root / "src", *arguments], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    lines = [line.rstrip() for line in done.stdout.splitlines()]
    return re.sub(r"<!--.*?-->\n|\[TOC\]\n", "", "\n".join(lines) + "\n")


def plain_table(match):
    """A table of attributes, without the names of C++ classes."""
    rows = re.findall(r"<tr><td><code>(.*?)</code></td><td>.*?</td><td>(.*?)</td></tr>", match[0], re.S)
    text = "| Attribute | Description |\n| :-----: | ----------- |\n"
    return text + "".join(f"| `{name}` | {' '.join(what.split())} |\n" for name, what in rows)


def sections(text, level):
    """[(title, body)] under headings of that level."""
    parts = re.split(r"^%s (?!#)(.*)\n" % ("#" * level), text, flags=re.M)
    return list(zip(parts[1::2], parts[2::2]))


def summary(body):
    found = re.match(r"\s*_(.*?)_\n", body, re.S)
    return " ".join(found[1].split()) if found else ""


def anchor(title):
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def tidy(text):
    text = re.sub(r"<table>.*?</table>\n", plain_table, text, flags=re.S)
    text = re.sub(r"^Effects: .*\n", "", text, flags=re.M)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def operations(root):
    folder = root / "src/chi/Dialect/Chi"
    whole = tblgen(root, "--gen-dialect-doc", "-dialect=chi", folder / "ChiOps.td")
    own = "".join(path.read_text() for path in folder.glob("*.td"))
    text, index = "", "\n| operation | summary |\n|---|---|\n"
    for part, body in sections(whole, 2):
        text += f"\n## {part}\n"
        for title, entry in sections(body, 3):
            title = re.sub(r" \(::.*\)$", "", title)
            if part == "Enums" and f'"{title}"' not in own:
                continue  # of a dialect that ours includes
            if part == "Operations":
                index += f"| [{title}](#{anchor(title)}) | {summary(entry)} |\n"
            text += f"\n### {title}\n\n{tidy(entry)}"
    return OPERATIONS + index + text


def passes(root):
    text, index = "", "\n| pass | room | summary |\n|---|---|---|\n"
    for room in ROOMS:
        text += f"\n## {room}\n"
        for title, entry in sections(tblgen(root, "--gen-pass-doc", root / f"src/chi/{room}/Passes.td"), 3):
            title = title.replace("`-", "`")
            index += f"| [{title}](#{anchor(title)}) | {room} | {summary(entry)} |\n"
            text += f"\n### {title}\n\n{tidy(entry)}"
    listed = {str(path.parent.relative_to(root / "src/chi")) for path in (root / "src/chi").rglob("Passes.td")}
    if listed != set(ROOMS):
        raise SystemExit(f"docs/reference/tablegen.py lists other rooms with passes than there are: {listed ^ set(ROOMS)}")
    return PASSES + index + text

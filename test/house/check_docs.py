#!/usr/bin/env python3
"""What the pages name is there: links, files, verbs of ./x, flags of chic. Each design page is in the index, each page
near README.md, and each page with programs in a test.

    check_docs.py

Looks at the Markdown files that git tracks.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Folders that a path in backticks may begin with.
TOP = "bench cmake docs examples grammar src stdlib test tools".split()
bad = []


def pages():
    listing = subprocess.run(["git", "-C", ROOT, "ls-files", "*.md"],
                             capture_output=True, text=True, check=True)
    return [ROOT / name for name in listing.stdout.splitlines() if (ROOT / name).is_file()]


def lines_of(page):
    for number, line in enumerate(page.read_text().splitlines(), 1):
        yield f"{page.relative_to(ROOT)}:{number}", line


def exists(path, page):
    """`path` from the root or from the page; a trailing part may be a pattern."""
    path = path.split("#")[0].rstrip("/")
    if re.search(r"[*<>…{]", path):
        return True
    return any((base / path).exists() for base in (ROOT, page.parent))


def anchors(page):
    """What GitHub makes of the headings: words joined by hyphens."""
    for heading in re.findall(r"^#+ (.*)$", page.read_text(), re.M):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def check_links(page):
    for where, line in lines_of(page):
        for target in re.findall(r"\]\(([^)\s]+)\)|src=\"([^\"]+)\"", line):
            target = target[0] or target[1]
            if re.match(r"https?:|mailto:", target):
                continue
            path, _, anchor = target.partition("#")
            file = page.parent / path if path else page
            if not file.exists() or (anchor and file.is_file() and anchor not in anchors(file)):
                bad.append(f"{where}: links to {target}, which is not there")
        for path in re.findall(r"`((?:%s)/[\w./-]+)`" % "|".join(TOP), line):
            if not exists(path, page):
                bad.append(f"{where}: tells of {path}, which is not there")


def check_entry(page):
    verbs = set(re.findall(r"^  (\w+)\)", (ROOT / "x").read_text(), re.M)) | {"VERB", "help"}
    for where, line in lines_of(page):
        for verb in re.findall(r"\./x ([\w-]+)", line):
            if verb not in verbs:
                bad.append(f"{where}: ./x has no verb {verb}")
        for file in re.findall(r"\./x run (\S+\.chi)", line):
            if not (ROOT / file).exists():
                bad.append(f"{where}: there is no {file}")


def flags_known():
    """All flags that the pages of docs/cli (made from --help) know."""
    text = "".join(p.read_text() for p in (ROOT / "docs/cli").glob("*.md"))
    return set(re.findall(r"--[a-z][\w-]*", text))


def check_flags(page, known):
    """`chic VERB … --flag`: flags of chic, not params of the program."""
    verbs = {p.stem for p in (ROOT / "docs/cli").glob("*.md")}
    for where, line in lines_of(page):
        for verb, rest in re.findall(r"\bchic ([a-z-]+)((?: [^`|]*)?)", line):
            if verb not in verbs:
                continue
            before = rest.split(".chi")[0]  # what follows the file may be params
            for flag in re.findall(r"(?<!\S)--[a-z][\w-]*", before):
                if flag not in known:
                    bad.append(f"{where}: chic {verb} has no flag {flag}")


def check_design_index():
    """docs/design/README.md lists each page once, and the title begins with its number."""
    folder = ROOT / "docs/design"
    links = re.findall(r"\]\((\d{4}-[^)]+)\)", (folder / "README.md").read_text())
    for page in sorted(folder.glob("[0-9]*.md")):
        if links.count(page.name) != 1:
            bad.append(f"docs/design/README.md lists {page.name} {links.count(page.name)} times, not once: add the line "
                       f"`- [{page.name[:4]}]({page.name}): what it decides` under the room that it is about most")
        if not page.read_text().startswith(f"# {page.name[:4]} "):
            bad.append(f"docs/design/{page.name}: the title does not begin with `# {page.name[:4]} `")


def links_of(place):
    """Where one click leads: the links of a page, the pages of a folder."""
    if place.is_dir():
        return set(place.glob("*.md"))
    targets = re.findall(r"\]\(([^)#\s]+)", place.read_text())
    return {(place.parent / target).resolve() for target in targets if not target.startswith("http")}


def check_ways():
    """Two clicks from README.md to every page, three to a design page or an error."""
    near = {ROOT / "README.md"}
    for clicks in (1, 2, 3):
        near |= {link for place in near if place.suffix == ".md" or place.is_dir()
                 for link in links_of(place) if link.exists()}
        for page in pages():
            is_deep = page.parent.name in ("design", "errors")
            if page.is_relative_to(ROOT / "docs") and page not in near and clicks == (3 if is_deep else 2):
                bad.append(f"{page.relative_to(ROOT)}: more than {clicks} clicks from README.md")


def check_tested():
    """Pages with ```chi programs are run by a test of test/docs."""
    tests = "".join(path.read_text() for path in (ROOT / "test/docs").glob("*.test"))
    for page in pages():
        if re.search(r"^```chi\b", page.read_text(), re.M) and page.name not in re.findall(r"[\w-]+\.md", tests):
            bad.append(f"{page.relative_to(ROOT)}: has programs that no test of test/docs runs")


check_design_index()
check_ways()
check_tested()
known = flags_known()
for page in pages():
    check_links(page)
    check_entry(page)
    check_flags(page, known)
print("\n".join(bad))
sys.exit(bool(bad))

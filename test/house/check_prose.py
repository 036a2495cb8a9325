#!/usr/bin/env python3
"""Prose uses plain technical terms: some words and phrases are refused, each with a replacement.

    check_prose.py          checks the clean roots
    check_prose.py --later  lists and counts what is left in the other roots

Looks at the text of Markdown files without code, at comments and descriptions of sources. A phrase may cross the end of
a line.
"""
import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A root moves from LATER to CLEAN when `--later` lists nothing in it any more.
CLEAN = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/", "src/chi/", "src/chirt/", "stdlib/", "test/",
         "tools/", "bench/", "cmake/", "examples/"]
LATER = ["src/"]

VERBS = "adds|asks|calls|computes|counts|has|knows|looks|makes|names|needs|owns|reads|takes|wants|writes"
# (pattern, what to write instead, an example that the pattern refuses)
PHRASES = [
    (r"h[au]ng(s|ing)? on", "depends on", "the sum hangs on it"),
    (r"anew", "again", "it is computed anew"),
    (r"told", "reported, passed or given", "the error is told"),
    (r"tells? (of|which|whether|what|how|where|that)", "reports, describes or shows", "the page tells of it"),
    (rf"who ({VERBS})", "name the subject: the caller, the pass, the iteration", "who has an element adds to it"),
    (r"whence", "from which", "whence it comes"),
    (r"there(of|in|upon|from)", "of it, in it", "a part thereof"),
    (r"where(of|in|upon|from)", "of which, in which", "the place wherein it is"),
    (r"(hi|thi)ther", "here, there", "it moves thither"),
    (r"(hereto|thereto|hitherto)", "so far, to it", "hitherto unknown"),
    (r"lest", "so that … not", "lest it overflow"),
    (r"in vain", "without effect, needlessly", "it is evaluated in vain"),
    (r"to be had", "available", "a table is not to be had"),
    (r"at hand", "available", "no GPU was at hand"),
    (r"mend(s|ed|ing)?", "fix", "the bug is mended"),
    (r"but for", "except for", "all but for one"),
    (r"nothing but", "only", "nothing but sums"),
    (r"(its|their|the) like", "and similar ones; name them", "sin and its like"),
    (r"without a word", "silently", "dropped without a word"),
    (r"to the letter", "exactly", "read to the letter"),
    (r"the way (back|there)", "the backward pass, the forward pass", "on the way back"),
    (r"knows? nothing of", "does not know", "the front knows nothing of it"),
    (r"(hold|holds|held) against", "compare with", "it is held against the list"),
    (r"stands? (behind|before|above|beside|below|there|nowhere)", "follows, precedes, is", "what stands behind it"),
    (r"turns? of (a|the|its|that|this) (\w+ )?loop", "iterations of the loop", "the turns of a loop"),
    (r"first turns?", "first iteration", "in its first turn"),
    (r"(has|have) the say", "decides", "the caller has the say"),
    (r"come(s)? out at", "results in", "what comes out at the end"),
    (r"as (it|they) stands?", "unchanged", "it compiles as it stands"),
    (r"ask(s|ed)? the world", "name the file or device", "it asks the world"),
    (r"in the place of", "instead of", "a sum in the place of a product"),
    (r"hand(s|ed|ing) (over|on)", "pass", "the driver hands over a module"),
    (r"makes? of (it|them|that|this)", "computes from, converts to", "what the pass makes of it"),
    (r"what (becomes|comes|is left) of", "the result of, the rest of", "what is left of the loop"),
    (r"(nobody|somebody|everybody) (else )?(asks|knows|looks|needs|reads|shares|writes)",
     "name the reader or writer, or use the passive", "a result that nobody reads"),
    (r"(is|are) said of", "holds for, is documented for", "what is said of sums"),
    (r"pass(es|ed)? over (a |any )?nans?", "ignores", "min passes over NaN"),
]
PATTERN = re.compile("|".join(rf"(?P<p{k}>\b{pattern}\b)".replace(" ", r"\s+")
                              for k, (pattern, _, _) in enumerate(PHRASES)), re.I)
# What begins the comment of a line. Files of the last kinds are prose as a whole, except for code in backticks.
COMMENTS = {".cpp": "//", ".h": "//", ".c": "//", ".mlir": "//", ".g4": "//", ".chi": "#", ".py": "#", ".cmake": "#",
            ".test": "#", ".txt": "#"}
PROSE = (".md", ".td", ".def")
# Lines of lit and FileCheck, as `RUN: …` and `CHECK-NEXT: …`, are no prose.
DIRECTIVE = re.compile(r"\s*[A-Z][A-Z0-9_]+(-[A-Z]+)*:")


def blank(match):
    """As many lines without text, so that numbers of lines stay."""
    return "\n" * match[0].count("\n")


def prose_of(path, text):
    if path.suffix in PROSE:
        text = re.sub(r"^\s*```.*?^\s*```[^\n]*$", blank, text, flags=re.M | re.S)
    else:
        mark = re.escape(COMMENTS[path.suffix])
        kept = text
        if path.suffix in (".py", ".chi"):
            docs = re.compile(r'^\s*"""(.*?)"""', re.M | re.S)
            text = docs.sub(lambda found: re.sub("^", COMMENTS[path.suffix], found[1], flags=re.M), kept)
        lines = [re.search(rf"(?<![:\w]){mark}+(.*)", line) for line in text.split("\n")]
        text = "\n".join(found[1] if found and not DIRECTIVE.match(found[1]) else "" for found in lines)
    return re.sub(r"`[^`\n]*`", "`", text)


def findings(name):
    path = ROOT / name
    try:
        text = prose_of(path, path.read_text())
    except UnicodeDecodeError:
        return  # malformed on purpose: inputs of tests
    for found in PATTERN.finditer(text):
        if "\n\n" in found[0]:
            continue
        phrase = " ".join(found[0].split())
        line = text.count("\n", 0, found.start()) + 1
        yield f'{name}:{line}: "{phrase}"; write: {PHRASES[int(found.lastgroup[1:])][1]}'


def files(roots):
    listing = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True, check=True)
    for name in listing.stdout.splitlines():
        path = pathlib.Path(name)
        if path.suffix in PROSE + tuple(COMMENTS) and (ROOT / name).is_file() \
                and any(re.match(root, name) for root in roots):
            yield name


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--later", action="store_true", help="look at the roots that are not clean yet")
    later = parser.parse_args().later
    names = set(files(CLEAN))
    if later:
        names = set(files(LATER)) - names
    bad = [finding for name in sorted(names) for finding in findings(name)]
    print("\n".join(bad))
    if later:
        for root in LATER:
            print(f"{root}: {sum(finding.startswith(root) for finding in bad)}")
        return
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""The other checks can fail: each finds a fault put into a copy of the tree."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from check_prose import PHRASES

ROOT = pathlib.Path(__file__).resolve().parents[2]


def remove(path):
    return path, None


def replace(path, old, new):
    def change(text):
        if not re.search(old, text, re.M):
            raise SystemExit(f"check_checks.py: {path} no longer holds /{old}/")
        return re.sub(old, new, text, count=1, flags=re.M)
    return path, change


def append(path, line):
    return path, lambda text: text + line + "\n"


# (check, fault, a part of what the check says)
FAULTS = [
    ("layers", append("src/chi/AST/Walk.h", '#include "chi/Sema/Tree/Types.h"'), "AST may not include Sema"),
    ("layers", append("src/chi/Sema/Tree/Types.h", "#include <mlir/IR/Value.h>"), "Sema/Tree may not include mlir/"),
    ("layers", append("src/chirt/text/Text.cpp", "#include <llvm/ADT/APInt.h>"), "sees no compiler"),
    ("layers", append("src/chirt/text/Str.h", '#include "chirt/tape/Tape.h"'), "chirt/text may not include chirt/tape"),
    ("layers", replace("src/LAYERS", r"^chirt/text:", "chirt/text: chirt/tape"), "chirt/text"),
    ("layers", append("src/chirt/tape/Boxes.h", '#include "chirt/tape/Tape.h"'), "tape/Tape include each other"),
    ("layers", append("src/chirt/tape/Boxes.cpp", '#include "chirt/tape/Stack.h"'), "tape/Tape include each other"),
    ("layers", append("src/chi/Transforms/SLP/SLP.h", '#include "chi/Transforms/Nest/Numbering.h"'),
     "Transforms/SLP may not include Transforms/Nest"),
    ("layers", append("src/chi/Target/CPU/CPUTarget.h", '#include "chi/Conversion/ChiToGPU/Kernels.h"'),
     "Target/CPU may not include Conversion/ChiToGPU"),
    ("layers", append("src/chi/Transforms/SLP/SLP.h", "#include <chirt/chirt.h>"), "SLP may not include chirt/"),
    ("layers", replace("src/LAYERS", "^Analysis:", "Analysis: AD"), "Analysis: AD has no line before it"),
    ("layers", append("src/LAYERS", "<zlib> Nowhere"), "there is no folder Nowhere"),
    ("classes", append("src/chi/AST/Walk.h", "class Big {\n" + "  void f(int a = 0);\n" * 41 + "};"),
     "Big has 41 member functions"),
    ("classes", replace("test/house/check_classes.py", "MEMBERS = 40", "MEMBERS = 20"), "functions, at most 20"),
    ("classes", append("test/house/large_classes.txt", "src/chi/AST/Walk.h Walker 41"), "Walker needs no line"),
    ("comments", append("src/chirt/text/Str.h", "void f(int x);"), "f has no comment"),
    ("comments", append("src/chirt/text/Str.h", "namespace chirt {\n// Text.\nvoid f(int x);\n}"), "f has no comment"),
    ("comments", append("src/chirt/text/Str.h", "struct S {\n  bool f(int x = (1)) {\n    return x;\n  }\n};"),
     "f has no comment"),
    ("comments", append("src/chirt/text/Str.h", "struct S {\n  int f() const { return 1; }\n};"), "f has no comment"),
    ("comments", append("src/chirt/text/Str.h", "/// Text.\nclass S {\n  int g();\n\npublic:\n  S();\n  int f();\n};"),
     "f has no comment"),
    ("comments", replace("src/chirt/text/Str.h", "^/// How many strs.*\n", ""), "numLivingStrs has no comment"),
    ("comments", replace("src/chirt/text/Element.h", r"^inline float number\(", "\ninline float number("),
     "number has no comment"),
    ("sizes", append("src/chi/AST/Walk.h", "// " + "x" * 80), "83 columns"),
    ("sizes", replace("test/house/check_sizes.py", "ROOM_FILES = 30", "ROOM_FILES = 20"), "files, at most 20"),
    ("sizes", append("test/house/large_rooms.txt", "src/chi/AST 40"), "src/chi/AST needs no line"),
    ("sizes", append("src/chi/AST/Dump.cpp", "// x\n" * 800), "at most 800"),
    ("sizes", append("src/chi/AST/Dump.cpp", "void f() {\n" + "  g();\n" * 90 + "}"), "f has 92 lines"),
    ("sizes", append("test/house/waivers.txt", "src/chi/AST/Walk.h lines none"), "needs no waiver"),
    ("words", append("README.md", "see /ho" + "me/me/notes"), "a path of one machine"),
    ("words", append("src/chi/AST/Walk.h", "// TO" + "DO later"), "an open end"),
    ("prose", append("README.md", "the sum hangs\non it"), '"hangs on"; write: depends on'),
    *[("prose", append("README.md", example), f"write: {instead}") for _, instead, example in PHRASES],
    ("docs", append("README.md", "[x](docs/nothing.md)"), "links to docs/nothing.md"),
    ("docs", append("README.md", "[x](docs/language.md#dance)"), "links to docs/language.md#dance"),
    ("docs", append("README.md", "see `src/chi/Nothing`"), "tells of src/chi/Nothing"),
    ("docs", append("README.md", "`./x dance`"), "no verb dance"),
    ("docs", append("README.md", "`chic check --dance a.chi`"), "no flag --dance"),
    ("docs", replace("docs/design/README.md", r"(?m)^- \[0007\].*\n", ""), "lists 0007-lanes.md 0 times"),
    ("docs", replace("test/docs/tutorial.test", "5-speed", "4-speed"), "5-speed.md: has programs that no test"),
    ("docs", replace("docs/tutorial/README.md", r"\(5-speed.md\)", "(4-mistakes.md)"), "5-speed.md: more than 2 clicks"),
    ("docs", append("docs/design/README.md", "- [0007](0007-lanes.md): twice"), "lists 0007-lanes.md 2 times"),
    ("docs", replace("docs/design/0007-lanes.md", "^# 0007 ", "# "), "does not begin with `# 0007 `"),
    ("rooms", remove("test/Transforms/Outline/promote.mlir"), "promote.mlir"),
    ("rooms", remove("src/chi/Transforms/Outline/Inline.cpp"), "Inline.cpp alone"),
    ("rooms", replace("src/chi/Transforms/Outline/Passes.td", '"chi-inline"', '"chi-inliner"'), "flag of Inline"),
    ("rooms", replace("src/chi/Transforms/Outline/Passes.td", "Precondition:", "Wants:"), "does not say Precondition"),
    ("rooms", replace("src/chi/Dialect/Chi/ChiHostOps.td", "Example:", "As:"), "no description with an example"),
    ("rooms", replace("test/Dialect/Chi/invalid-task.mlir", r"chi\.break", "chi.next"), "chi.break refuses"),
    ("rooms", replace("test/Dialect/Chi/host.mlir", r"(?s)chi\.null.*", ""), "chi.null makes no round trip"),
    ("rooms", remove("test/Sema/Build/E0203.chi"), "E0203: no test"),
    ("rooms", remove("docs/errors/E0203.md"), "docs/errors/E0203.md is missing"),
    ("rooms", remove("test/Driver/fmt.test"), "test/Driver/fmt.test is missing"),
    ("rooms", remove("test/Examples/sum.test"), "examples/sum.chi"),
    ("rooms", replace("test/Operators/references.py", r"def pad\(", "def lay("), "examples/ops/pad.chi"),
    ("rooms", replace("README.md", "9 operators", "8 operators"), "there are 9 operators"),
    ("rooms", replace("src/chi/Pipeline/Stage.def", '"loops"', '"loopy"'), "stage loopy"),
    ("rooms", replace("src/chi/AST/CMakeLists.txt", "ChiAST", "ChiTrees"), "its target is ChiAST"),
    ("rooms", replace("src/chi/AST/CMakeLists.txt", r"Dump\.cpp", ""), "Dump.cpp is in no target"),
    ("rooms", replace("src/chi/AST/Walk.h", "namespace chi::ast", "namespace chi::tree"), "chi::ast"),
    ("rooms", replace("docs/architecture.md", r"\*\*`Sema/Tree`\*\*", "**Tree**"), "tell of `Sema/Tree`"),
    ("rooms", append("src/LAYERS", "Tower: Support"), "Tower"),
    ("rooms", replace("src/chi/Target/CPU/Workarounds/FreezeWrapped.cpp", "^CHI_WORKS.*", ""), "no CHI_WORKS_AROUND_LLVM"),
    ("rooms", replace("src/chi/Target/CPU/Workarounds/FreezeWrapped.h", "Upstream:", "See"), "does not say `Upstream"),
    ("rooms", replace("src/LAYERS", "^Transforms/SLP:.*\n", ""), "src/chi/Transforms/SLP has no line"),
    ("rooms", replace("src/chi/Transforms/SLP/SLP.h", "namespace chi::slp", "namespace chi::rows"), "chi::slp"),
]


def copy_tree(folder):
    """The tracked files, as git would give them (changes included)."""
    listing = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, check=True)
    for name in filter(None, listing.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    for command in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", "-C", folder, *command], check=True)


def says(folder, check):
    done = subprocess.run([sys.executable, folder / f"test/house/check_{check}.py"],
                          capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout + done.stderr


def try_fault(folder, check, fault, expected):
    path, change = folder / fault[0], fault[1]
    before = path.read_bytes()
    if change:
        path.write_text(change(before.decode()))
    else:
        path.unlink()
    code, output = says(folder, check)
    path.write_bytes(before)
    if code == 0 or expected not in output:
        yield f"check_{check}.py does not see '{expected}' ({fault[0]}); it said:\n{output[:400]}"


def main():
    bad = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        copy_tree(folder)
        for check in sorted({fault[0] for fault in FAULTS}):
            code, output = says(folder, check)
            if code:  # its own run says so too
                print(f"check_{check}.py fails as it is:\n{output}")
                sys.exit(1)
        for check, fault, expected in FAULTS:
            bad += try_fault(folder, check, fault, expected)
    print("\n".join(bad))
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()

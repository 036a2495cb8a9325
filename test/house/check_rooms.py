#!/usr/bin/env python3
"""What belongs together exists together.

A pass has a file, a flag by its name, a contract and a test of its name; an
operation a description with an example, a round trip and, if it has a verifier,
a form that it refuses; a diagnostic a test and a page; a verb its file, test
and page; a stage its test and its line in the table; an example its test; a
room its target, namespace, tests and paragraph.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHI = ROOT / "src/chi"
# Diagnostics that no program or command line brings about, each with what
# stands for a test CODE.*.
TESTED_ELSEWHERE = {
    "E0022": "test/unit/Format/FormatTest.cpp",  # an alarm of the formatter's
    "E0610": "test/unit/Sema/Program/ParamsTest.cpp",  # the driver answers first
    "E0705": "test/Driver/stdlib.test",          # a damaged installation
}
# Rooms whose namespace is not their folder's name.
NAMESPACES = {"Support": "chi", "Source": "chi", "Diagnostics": "chi",
              "Conversion": "chi::conv", "Conversion/ChiToGPU": "chi::conv::kernels", "Target/SPIRV": "chi::target::spv", "Dialect/Chi": "chi::ir"}
TARGETS = {"Dialect/Chi": "ChiDialect"}
# Folders of rooms that go by their own names: Transforms/Nest is chi::nest, ChiNest.
GROUPS = ("Transforms",)
# Folders of rooms that share one namespace, as what they speak of is one tree (docs/design/0066-rooms-of-sema.md).
SHARED = {"LSP": "chi::lsp", "Sema": "chi::sema", "Sweep": "chi::sweep"}
bad = []


def require(holds, text):
    if not holds:
        bad.append(text)


def kebab(name):
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


def read_all(folder, *suffixes):
    return {p: p.read_text(errors="replace") for p in sorted((ROOT / folder).rglob("*"))
            if p.suffix in suffixes and p.is_file()}


def records(text, pattern):
    """(match, body) of each top-level `def` of a .td file."""
    for match in re.finditer(r"^def " + pattern + r".*?(?=^def |^class |^//|\Z)", text, re.M | re.S):
        yield match, match[0]


def check_passes():
    """FooBarPass: FooBar.cpp, --chi-foo-bar, foo-bar.mlir in the same room."""
    for record in sorted(CHI.rglob("Passes.td")):
        room = record.parent.relative_to(CHI)
        sources = read_all(f"src/chi/{room}", ".cpp")
        tests = read_all(f"test/{room}", ".mlir")
        for match, body in records(record.read_text(), r'(\w+)Pass\s*:\s*Pass<"([\w-]+)"'):
            name, flag = match[1], match[2]
            by_name = kebab(name)
            require(flag in (f"chi-{by_name}", f"convert-{by_name}"),
                    f"{room}: the flag of {name} is --{flag}")
            homes = [p.stem for p, text in sources.items()
                     if f"GEN_PASS_DEF_{name.upper()}PASS" in text]
            require(homes == [name], f"src/chi/{room}: {name}.cpp alone defines the pass {name}")
            # A conversion has a folder with a test for each kind of operation.
            own = [p for p in tests if name in p.parts or p.stem == by_name]
            require(any(f"--{flag}" in tests[p] for p in own),
                    f"test/{room}: {by_name}.mlir, which runs --{flag}, is missing")
            require("let statistics" not in body, f"src/chi/{room}/Passes.td: {name} has statistics, "
                    "which LLVM's libraries are built without: their counters are never set")
            for word in ("Precondition:", "Postcondition:"):
                require(word in body, f"src/chi/{room}/Passes.td: {name} does not say {word}")


def check_operations():
    tests = read_all("test/Dialect/Chi", ".mlir")
    good = "".join(t for p, t in tests.items() if not p.name.startswith("invalid-"))
    refused = "".join(t for p, t in tests.items() if p.name.startswith("invalid-"))
    for file, text in read_all("src/chi/Dialect/Chi", ".td").items():
        for match, body in records(text, r'Chi_(\w+)Op : Chi_\w+<"([\w.]+)"'):
            name = f"chi.{match[2]}"
            require("let summary" in body and "Example:" in body,
                    f"{file.name}: {name} has no description with an example")
            require(re.search(rf"\b{name}\b", good), f"test/Dialect/Chi: {name} makes no round trip")
            if "hasVerifier = 1" in body:
                require(re.search(rf"expected-error.*\n.*\b{name}\b", refused),
                        f"test/Dialect/Chi/invalid-*.mlir: {name} refuses nothing")


def diagnostic_codes():
    text = "".join(p.read_text() for p in (CHI / "Diagnostics").glob("*.def"))
    return set(re.findall(r'"([EW]\d{4})"', text))


def check_diagnostics():
    codes = diagnostic_codes()
    tests = [p for p in (ROOT / "test").rglob("[EW][0-9]*") if p.is_file()]
    for code in sorted(codes):
        files = ([ROOT / TESTED_ELSEWHERE[code]] if code in TESTED_ELSEWHERE
                 else [p for p in tests if p.name.startswith(code)])
        require(any(f"[{code}]" in text or f'"{code}"' in text or f" {code}" in text
                    for text in (p.read_text(errors="replace") for p in files)),
                f"{code}: no test expects it (test/<Room>/{code}.chi)")
        require((ROOT / f"docs/errors/{code}.md").exists(), f"{code}: docs/errors/{code}.md is missing")
    for page in (ROOT / "docs/errors").glob("*.md"):
        require(page.stem in codes, f"docs/errors/{page.name}: there is no such diagnostic")


def check_verbs():
    text = (CHI / "Driver/Commands/Commands.def").read_text()
    readme = (ROOT / "README.md").read_text()
    names = re.findall(r"^CHI_COMMAND\((\w+)\)", text, re.M)
    for name in names:
        verb = {"EmitIR": "emit-ir"}.get(name, kebab(name))
        for path in (f"src/chi/Driver/Commands/{name}Command.cpp", f"docs/cli/{verb}.md",
                     f"test/Driver/{verb}.test"):
            require((ROOT / path).exists(), f"verb {verb}: {path} is missing")
        require(re.search(rf"\b{verb}\b", readme), f"README.md does not tell of the verb {verb}")
    for file in (CHI / "Driver/Commands").glob("*Command.cpp"):
        require(file.name[:-len("Command.cpp")] in names, f"{file.name} is not in Commands.def")


def check_stages():
    table = (ROOT / "docs/architecture.md").read_text()
    tests = (ROOT / "test/Driver/emit-ir.test").read_text()
    text = (CHI / "Pipeline/Stage.def").read_text()
    for flag, form in re.findall(r'^CHI_STAGE\(\w+, "([\w-]+)", (\w+)', text, re.M):
        require(re.search(rf"^\|.*`{flag}`", table, re.M), f"docs/architecture.md: no line for stage {flag}")
        require(f"--stage={flag} " in tests, f"test/Driver/emit-ir.test: no --stage={flag}")
        require(form != "IR" or f"--stage={flag} | chi-opt" in tests,
                f"test/Driver/emit-ir.test: chi-opt does not read back --stage={flag}")


def check_examples():
    readme = (ROOT / "README.md").read_text()
    examples = sorted((ROOT / "examples").glob("*.chi"))
    for file in examples:
        test = ROOT / f"test/Examples/{file.stem}.test"
        require(test.exists() and f"{file.stem}" in test.read_text(),
                f"examples/{file.name}: test/Examples/{file.stem}.test is missing")
    require(f"{len(examples)} programs" in readme, f"README.md: there are {len(examples)} programs in examples/")
    references = (ROOT / "test/Operators/references.py").read_text()
    operators = sorted((ROOT / "examples/ops").glob("*.chi"))
    for file in operators:
        require(f"\ndef {file.stem}(" in references and f'add("{file.stem}"' in references,
                f"examples/ops/{file.name}: test/Operators/references.py has no reference or no case")
    require(f"{len(operators)} operators" in readme, f"README.md: there are {len(operators)} operators in examples/ops")
    parts = (ROOT / "stdlib/CMakeLists.txt").read_text().split()
    for file in sorted((ROOT / "stdlib").rglob("*.chi")):
        names = file.relative_to(ROOT / "stdlib").with_suffix("").parts
        # internal/math is one file, made of parts that the build lists; other modules of `internal` serve the library.
        isPart = names[:2] == ("internal", "math")
        module = names[1] if isPart else names[0].removesuffix("_test")
        require(module == "internal" or any(module in p.stem for p in (ROOT / "test/Stdlib").iterdir()),
                f"stdlib/{module} has no test in test/Stdlib")
        require(not isPart or file.stem in [word.strip(")") for word in parts],
                f"stdlib/CMakeLists.txt does not list {file.name}")


def own_name(room):
    """Of the name of a room, what its target and namespace have of it."""
    folder, _, rest = room.partition("/")
    return rest if folder in GROUPS else room


def sources_of(room, suffix):
    """The files of a room, without those of rooms that lie in it."""
    inner = [CHI / other for other in rooms() if other.startswith(room + "/")]
    return [file for file in sorted((CHI / room).rglob("*" + suffix))
            if not any(file.is_relative_to(folder) for folder in inner)]


def check_target(room):
    """The room's one target, which lists each of its sources."""
    build = CHI / room / "CMakeLists.txt"
    if not build.exists():
        bad.append(f"src/chi/{room}/CMakeLists.txt is missing")
        return
    text = build.read_text()
    target = TARGETS.get(room, "Chi" + own_name(room).replace("/", ""))
    require(re.findall(r"add_(?:chi_)?library\((Chi\w+)", text) == [target],
            f"src/chi/{room}: its target is {target}")
    for file in sources_of(room, ".cpp"):
        require(str(file.relative_to(CHI / room)) in text, f"{build.relative_to(ROOT)}: {file.name} is in no target")


def check_namespace(room):
    wanted = NAMESPACES.get(room, SHARED.get(room.split("/")[0],
                                             "chi::" + own_name(room).replace("/", "::").lower()))
    for file in sources_of(room, ".h"):
        # Forward declarations of other rooms' names are short blocks.
        opened = re.findall(r"^namespace (chi[\w:]*) \{$", file.read_text(), re.M)
        require(wanted in opened or not opened, f"{file.relative_to(ROOT)}: its namespace is {wanted}")


def rooms():
    for line in (ROOT / "src/LAYERS").read_text().splitlines():
        room = line.split("#")[0].split("<")[0].split(":")[0].strip()
        if room and not room.startswith("chirt/"):
            yield room


def check_workarounds():
    """A workaround for a fault of LLVM says where it is reported, what tests it, and for which versions."""
    for file in sorted((CHI / "Target/CPU/Workarounds").glob("*.cpp")):
        header = file.with_suffix(".h").read_text()
        require("CHI_WORKS_AROUND_LLVM(" in file.read_text(),
                f"{file.relative_to(ROOT)}: no CHI_WORKS_AROUND_LLVM(…) (WorksAround.h)")
        require("Upstream: " in header and "Tested by" in re.sub(r"\n/// ", " ", header),
                f"{file.relative_to(ROOT)}: its header does not say `Upstream: … Tested by …`")


def check_rooms():
    """One folder, one target, one namespace, one test folder, one paragraph."""
    text = (ROOT / "docs/architecture.md").read_text()
    known = set()
    for room in rooms():
        top = room.split("/")[0]
        known.add(top)
        check_target(room)
        check_namespace(room)
        require(any((ROOT / folder / room).is_dir() for folder in ("test", "test/unit")),
                f"src/chi/{room} has no tests (test/{room} or test/unit/{room})")
        require(f"**`{room}`**" in text, f"docs/architecture.md does not tell of `{room}`")
    for build in sorted(CHI.rglob("CMakeLists.txt")):
        room = str(build.parent.relative_to(CHI))
        require(room in rooms(), f"src/chi/{room} has no line in src/LAYERS")
    for folder in sorted((ROOT / "test/unit").iterdir()):
        require(not folder.is_dir() or folder.name in known | {"chirt"},
                f"test/unit/{folder.name}: there is no such room")


for check in (check_passes, check_operations, check_diagnostics, check_verbs, check_stages,
              check_examples, check_rooms, check_workarounds):
    check()
print("\n".join(bad))
sys.exit(bool(bad))

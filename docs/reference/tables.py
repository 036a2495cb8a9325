"""Words and methods as the tables of src/chi/Sema have them."""
import pathlib
import re

# A table of methods, and what stands for its receivers in words.txt.
METHOD_TABLES = {"kMethods": "value", "kFieldMethods": "field", "kTextMethods": "str"}
# Kinds of Builtins.def; those that are only for Chi's own library are left out.
KINDS = ("BUILTIN", "MATH", "MATH_CONST", "BUILTIN_TYPE", "ATOMIC")
RECEIVERS = {"Vec": "vec", "Mat": "mat", "SquareMat": "square mat", "Either": "vec, mat"}
# Members that are no calls: what sema::membersOf adds, and the gradient.
MEMBERS = {"field": ("shape", "grad")}


def words(root):
    """{word: (kind, arity or None)} of Builtins.def, and the words reserved for later."""
    text = (root / "src/chi/Sema/Builtins/Builtins.def").read_text()
    text = text[text.rindex("#endif"):text.index("#undef")]
    known, later = {}, []
    for kind, name, rest in re.findall(r'^CHI_(\w+)\(\w+, "([^"]+)"(.*)\)$', text, re.M):
        if kind == "LATER":
            later.append(name)
        elif kind in KINDS:
            known[name] = (kind, int(rest.split(",")[-1]) if kind == "MATH" else None)
        elif kind != "INTRINSIC":
            raise SystemExit(f"Builtins.def has words of a kind that docs/reference/tables.py does not know: {kind}")
    return known, later


def types(root):
    """The names of scalar types that NameChecker::typeNamed knows."""
    text = (root / "src/chi/Sema/Names/NameChecker.cpp").read_text()
    return [f"type.{name}" for name in re.findall(r'\.Case\("(\w+)", (?:types\.|build\.default)', text)]


def decorators(root):
    """Those that ProgramChecker::readDecorators takes."""
    text = (root / "src/chi/Sema/Program/Modules.cpp").read_text()
    body = text[text.index("ProgramChecker::readDecorators"):]
    return [f"@{name}" for name in re.findall(r'\bword [!=]= "(\w+)"', body[:body.index("\n}")])]


def methods(root):
    """{"value.norm": receivers as text} of the tables of methods in src/chi/Sema."""
    found = {}
    for file in sorted((root / "src/chi/Sema").rglob("*.cpp")):
        for table, body in re.findall(r"constexpr \w+ (k\w*Methods)\[\] = \{(.*?)\};", file.read_text(), re.S):
            if table not in METHOD_TABLES:
                raise SystemExit(f"{file.name} has a table that docs/reference/tables.py does not know: {table}")
            of = METHOD_TABLES[table]
            for name, row in re.findall(r'\{"(\w+)"(.*?)\}', body, re.S):
                on = re.search(r"MethodFacts::(%s)\b" % "|".join(RECEIVERS), row)
                found[f"{of}.{name}"] = RECEIVERS[on[1]] if on else of
    for of, names in MEMBERS.items():
        found.update({f"{of}.{name}": of for name in names})
    return found

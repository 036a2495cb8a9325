"""The files for editors: they can be read, and know the names that the compiler knows."""
import json
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(sys.argv[1])
EDITORS = ROOT / "tools" / "editors"
NO_FUNCTIONS = {"field", "list", "dict", "set", "vec", "mat", "array"}  # types

for file in EDITORS.rglob("*.json"):
    if "node_modules" not in file.parts and "src" not in file.parts:
        json.loads(file.read_text())
if shutil.which("node"):
    subprocess.run(["node", "--check", EDITORS / "vscode" / "extension.js"], check=True)

# -- built-in functions ----------------------------------------------------------------
table = (ROOT / "src/chi/Sema/Builtins/Builtins.def").read_text()
kinds = "BUILTIN|MATH|ATOMIC"
functions = set(re.findall(rf'^CHI_(?:{kinds})\(\w+, "([a-zA-Z_]\w*)"', table, re.M))
functions = {name for name in functions if not name.startswith("__")} - NO_FUNCTIONS
assert len(functions) > 80, functions

queries = EDITORS / "tree-sitter-chi" / "queries" / "highlights.scm"
listed = set(re.search(r'@function.builtin "\^\((.*?)\)\$"', queries.read_text())[1].split("|"))
assert listed == functions, (listed ^ functions)

grammar = json.loads((EDITORS / "vscode/syntaxes/chi.tmLanguage.json").read_text())
rule, = (each["match"] for each in grammar["repository"]["expressions"]["patterns"]
         if each.get("name") == "support.function.builtin.chi")
missing = {name for name in functions if not re.search(rule, name + "(")}
assert not missing, missing

# -- keywords --------------------------------------------------------------------------
lexer = (ROOT / "grammar" / "ChiLexer.g4").read_text()
keywords = set(re.findall(r"^[A-Z]+ +: '([a-zA-Z]+)' ;", lexer, re.M))
assert {"def", "lambda", "True"} <= keywords, keywords
FOREIGN = {"async", "await", "del", "except", "finally", "global", "nonlocal", "raise", "try",
           "yield"}  # read only to be refused
tree = (EDITORS / "tree-sitter-chi" / "grammar.js").read_text()
missing = {word for word in keywords - FOREIGN if f'"{word}"' not in tree}
assert not missing, missing
scopes = [each.get("match", "") for part in ("statements", "expressions")
          for each in grammar["repository"][part]["patterns"]]
missing = {word for word in keywords - FOREIGN
           if not any(re.search(match, word) or re.search(match, word + " x")
                      for match in scopes if match and "A-Za-z_]\\w*)(?=" not in match)}
assert not missing, missing
print("editors: good")

"""Renames names of programs, and checks that they are the same programs after it.

    rename_all.py FOLDER SEED COUNT PROGRAM…

Of each program COUNT names, chosen by chance. What is refused has to say why;
what is renamed has no errors, and its kernels and variables are of the same
number and types: `--stage=typed-ast` differs in the name alone.
"""
import os
import random
import re
import subprocess
import sys

from LSP.client import Client, apply_edits

folder, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
chance = random.Random(seed)
NEW = "renamed_by_test"
WHY = re.compile("built in|no name|nothing calls|of the standard library|name of a file|meaning of its own")


def typed(text, name, modules):
    """The typed tree of a text, with `name` for the new one."""
    path = os.path.join(folder, "program.chi")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run(["chic", "emit-ir", path, "--stage=typed-ast", "-I", modules], capture_output=True,
                          text=True)
    assert done.returncode == 0, (name, done.stderr[:2000])
    return re.sub(rf"\b{NEW}\b", name, done.stdout)


def columns(text, at):
    line = text[:at].rsplit("\n", 1)[-1]
    return {"line": text[:at].count("\n"), "character": len(line.encode("utf-16-le")) // 2}


renamed = refused = 0
client = Client(folder, *(word for path in sys.argv[4:] for word in ("-I", os.path.dirname(path))))
client.start()
for path in sys.argv[4:]:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    client.open("program.chi", text)
    # Neither in comments nor in what looks like text.
    places = [match for match in re.finditer(r"(?<![\w.\"'#])[A-Za-z_]\w*\b(?!\")", text)
              if not re.search(r"#|\"", text[:match.start()].rsplit("\n", 1)[-1])]
    before = None
    for place in chance.sample(places, min(count, len(places))):
        answer = client.request("textDocument/rename", newName=NEW,
                                position=columns(text, place.start()),
                                textDocument={"uri": client.uri("program.chi")})
        if "error" in answer:
            refused += 1
            assert WHY.search(answer["error"]["message"]), answer
            continue
        changes = answer["result"]["changes"]
        if len(changes) > 1:  # a name of another module, which would have to be written
            continue
        edits = changes[client.uri("program.chi")]
        before = before or typed(text, place[0], os.path.dirname(path))
        after = typed(apply_edits(text, edits), place[0], os.path.dirname(path))
        # The order of what is sorted by name may change.
        assert sorted(before.split("\n")) == sorted(after.split("\n")), (path, place[0])
        renamed += 1
assert client.stop() == 0
assert renamed, refused
print(f"rename-all: good, {renamed} renamed, {refused} refused")

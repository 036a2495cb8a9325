"""Diagnostics while one types: of texts that are not saved, and of modules."""
import os
import sys

from LSP.client import Client

client = Client(sys.argv[1])
capabilities = client.start()
assert capabilities["positionEncoding"] == "utf-16"
assert capabilities["textDocumentSync"]["change"] == 2, capabilities

# An error of names has its code and range, and the range counts UTF-16 units.
TEXT = 'greeting = "hé 🌍"\nname = greting\n'
wrong = client.open("a.chi", TEXT + 'print("🌍🌍", greting)\n')
assert [each["code"] for each in wrong] == ["E0301", "E0301"] or wrong, wrong
assert all(client.shown("a.chi", each["range"]) == "greting" for each in wrong), wrong
assert wrong[-1]["range"]["start"] == {"line": 2, "character": 14}, wrong
assert all(each["severity"] == 1 and each["source"] == "chi" for each in wrong)

# The suggested replacement is an action.
action, = client.ask("textDocument/codeAction", textDocument={"uri": client.uri("a.chi")},
                     range=wrong[-1]["range"], context={"diagnostics": []})
edit, = action["edit"]["changes"][client.uri("a.chi")]
assert edit["newText"] == "greeting" and edit["range"] == wrong[-1]["range"], action

# Incremental changes, several in one message, with columns behind two units.
client.edit("a.chi",
            {"range": {"start": {"line": 2, "character": 14}, "end": {"line": 2, "character": 21}},
             "text": "greeting"},
            {"range": {"start": {"line": 1, "character": 7}, "end": {"line": 1, "character": 14}},
             "text": "greeting"})
assert client.settled("a.chi") == []

# A syntax error hides none of the names around it, and goes when it is fixed.
wrong = client.change("a.chi", "def f(x: f32) -> f32:\n    return x +\n\nprint(f(1))\n")
assert len(wrong) == 1 and wrong[0]["range"]["start"]["line"] == 1, wrong
assert client.change("a.chi", "def f(x: f32) -> f32:\n    return x + 1\n\nprint(f(1))\n") == []

# Notes with a place are related information.
wrong = client.change("a.chi", "def f(x: f32): return x\nprint(f(1, 2))\n")
assert client.name_of(wrong[0]["relatedInformation"][0]["location"]["uri"]) == "a.chi", wrong

# A module that is open counts as it is in the editor, and one on the disk as it is there.
with open(os.path.join(client.folder, "shapes.chi"), "w") as file:
    file.write("def area(r: f32) -> f32:\n    return 3 * r * r\n")
assert client.open("main.chi", "import shapes\nprint(shapes.area(2))\n") == []
client.open("shapes.chi", "def surface(r: f32) -> f32:\n    return 3 * r * r\n")
wrong = client.settled("main.chi")
while not wrong:  # it comes after the module's own
    client.receive()
    wrong = client.diagnostics["main.chi"]["diagnostics"]
assert client.shown("main.chi", wrong[0]["range"]) == "area", wrong
client.notify("textDocument/didClose", textDocument={"uri": client.uri("shapes.chi")})
while client.diagnostics["main.chi"]["diagnostics"]:
    client.receive()

# An error in a module is shown there, also if it is not open.
with open(os.path.join(client.folder, "broken.chi"), "w") as file:
    file.write("def area(r):\n    return 3 * * r\n")
client.open("user.chi", "import broken\n")
while "broken.chi" not in client.diagnostics:
    client.receive()
assert client.diagnostics["broken.chi"]["diagnostics"][0]["range"]["start"]["line"] == 1
assert client.change("user.chi", "print(1)\n") == []
while client.diagnostics["broken.chi"]["diagnostics"]:
    client.receive()

assert client.stop() == 0
print("diagnostics: good")

"""The server survives what no editor sends, texts that are no programs, and long sessions."""
import json
import os
import random
import resource
import sys
import time

from LSP.client import Client

chance = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 4711)
client = Client(sys.argv[1])
client.start()
examples = sys.argv[2]


def memory():
    """MiB that the server has in memory."""
    with open(f"/proc/{client.server.pid}/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() >> 20


# -- messages that are none ------------------------------------------------------------
GOOD = [{"id": 1, "method": method, "params": {
    "textDocument": {"uri": client.uri("none.chi")}, "position": {"line": 0, "character": 0},
    "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}},
    "newName": "x", "context": {"diagnostics": []}, "options": {}}}
    for method in ("textDocument/hover", "textDocument/definition", "textDocument/references",
                   "textDocument/completion", "textDocument/rename", "textDocument/formatting",
                   "textDocument/codeAction", "textDocument/documentSymbol", "initialize",
                   "textDocument/signatureHelp", "textDocument/didChange", "no/such/method")]
STRANGE = [None, -1, 1 << 40, "", "file:///", [], {}, {"line": -5, "character": 1 << 30}, True]


def spoil(value):
    """The value with something else instead of a part of it."""
    if isinstance(value, dict) and value and chance.random() < 0.8:
        key = chance.choice(sorted(value))
        return {**value, key: spoil(value[key])}
    return chance.choice(STRANGE)


for _ in range(300):
    good = chance.choice(GOOD)
    key = chance.choice(sorted(good))
    message = {"jsonrpc": "2.0", **good, key: spoil(good[key])}
    body = json.dumps(message).encode()
    kind = chance.random()
    if kind < 0.2:  # cut
        body = body[:chance.randrange(1, len(body))]
    elif kind < 0.4:  # other bytes
        at = chance.randrange(len(body))
        body = body[:at] + bytes([chance.randrange(256)]) + body[at + 1:]
    client.send_bytes(body)
for head in (b"Content-Length: none\r\n\r\n", b"\r\n\r\n", b"Content-Length: 0\r\n\r\n",
             b"Content-Length: -7\r\n\r\n", b"Other: 1\r\n\r\n"):
    client.server.stdin.write(head)
client.server.stdin.flush()
client.number = 1000  # behind the ids above
client.ask("textDocument/hover", **GOOD[0]["params"])

# -- texts that are edited at random ---------------------------------------------------
PIECES = ["(", ")", "[", "]", "{", "}", ":", ".", ",", "\n", "\n    ", "    ", '"', "'", '"""', "#",
          "=", "+", "*", "def f(", "class C:", "for i in ", "if ", "else:", "return ", "import ",
          "from ", "x", "self", "1e9", "0x", "é", "🌍", "\t", "\\", "@kernel", "lambda ", "f\"{",
          "param n: i32 = ", "field(f32, shape=", "static(", "test \"t\":", "\r\n", "\0"]
ASKED = ("hover", "definition", "completion", "signatureHelp", "documentHighlight")
names = sorted(name for name in os.listdir(examples) if name.endswith(".chi"))
slowest = 0
for name in chance.sample(names, 4):
    with open(os.path.join(examples, name), encoding="utf-8") as file:
        text = file.read()[:4000]
    client.open(name, text)
    for _ in range(25):
        lines = text.split("\n")
        at = chance.randrange(len(lines))
        column = chance.randrange(len(lines[at]) + 1)
        units = len(lines[at][:column].encode("utf-16-le")) // 2
        begin = {"line": at, "character": units}
        piece = chance.choice(PIECES)
        if chance.random() < 0.3:  # cut some
            until = min(at + chance.randrange(3), len(lines) - 1)
            end = {"line": until, "character": 0} if until > at else begin
            client.edit(name, {"range": {"start": begin, "end": end}, "text": piece})
            rest = [lines[at][:column] + piece + (lines[until] if until > at else
                                                  lines[at][column:])]
            text = "\n".join(lines[:at] + rest + lines[until + 1:])
        else:
            client.edit(name, {"range": {"start": begin, "end": begin}, "text": piece})
            text = "\n".join(lines[:at] + [lines[at][:column] + piece + lines[at][column:]]
                             + lines[at + 1:])
        begin["character"] += len(piece)
        began = time.monotonic()
        client.request(f"textDocument/{chance.choice(ASKED)}", position=begin,
                       textDocument={"uri": client.uri(name)})
        slowest = max(slowest, time.monotonic() - began)
    client.notify("textDocument/didClose", textDocument={"uri": client.uri(name)})
assert slowest < 30, slowest  # on a machine that does much else

# -- a long session: memory does not grow with the edits -------------------------------
LINES = "".join(f"def f{k}(x: f32) -> f32:\n    y = x + {k}\n    return 2 * y\n\n" for k in range(250))
client.open("long.chi", LINES + "print(" + " + ".join(f"f{k}({k})" for k in range(250)) + ")\n")


def edit_much(count):
    for k in range(count):
        client.edit("long.chi", {"range": {"start": {"line": 1, "character": 12},
                                           "end": {"line": 1, "character": 13}},
                                 "text": str(k % 10)})
        if k % 20 == 0:
            client.settled("long.chi")
    client.settled("long.chi")


edit_much(300)
before = memory()
edit_much(1000)
assert memory() < before + 40, (before, memory())

# -- hover answers at once, in 1000 lines ----------------------------------------------
client.marks["long.chi"] = {"use": {"line": 600, "character": 5}}
client.hover("long.chi", "use")
times = []
for _ in range(5):
    began = time.monotonic()
    assert "def f150" in client.hover("long.chi", "use")
    times.append(time.monotonic() - began)
assert min(times) < 0.1, times
assert client.stop() == 0
print("robust: good")

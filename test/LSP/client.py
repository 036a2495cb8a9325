"""Speaks the language server protocol with `chic lsp`, for the tests here.

A text may have marks: `/*name*/` is taken out of it, and `at("name")` is the
position where it stood, in UTF-16 units as the protocol counts.
"""
import json
import os
import re
import subprocess
import threading
import queue

WAIT = 60  # seconds, for a machine that does much else


class Client:
    """A server, and the conversation with it."""

    def __init__(self, folder, *flags):
        self.folder = os.path.realpath(folder)
        self.server = subprocess.Popen(["chic", "lsp", *flags], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE)
        self.number = 0
        self.inbox = queue.Queue()
        self.diagnostics = {}  # the last of each file, by name
        self.texts, self.marks, self.versions = {}, {}, {}
        threading.Thread(target=self._read, daemon=True).start()

    # -- messages --------------------------------------------------------------
    def _read(self):
        out = self.server.stdout
        while True:
            size = 0
            while (line := out.readline().strip()):
                if line.lower().startswith(b"content-length:"):
                    size = int(line.split(b":")[1])
            if not size:
                break
            self.inbox.put(json.loads(out.read(size)))
        self.inbox.put(None)

    def send_bytes(self, body):
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def send(self, message):
        self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def receive(self):
        """The next message; diagnostics are noted."""
        message = self.inbox.get(timeout=WAIT)
        assert message is not None, f"the server has gone, {self.server.wait(WAIT)}"
        if message.get("method") == "textDocument/publishDiagnostics":
            params = message["params"]
            self.diagnostics[self.name_of(params["uri"])] = params
        return message

    def notify(self, method, **params):
        self.send({"method": method, "params": params})

    def request(self, method, **params):
        """The whole answer, with its `result` or `error`."""
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while (message := self.receive()).get("id") != self.number:
            pass
        return message

    def ask(self, method, **params):
        answer = self.request(method, **params)
        assert "error" not in answer, answer["error"]
        return answer["result"]

    # -- lifecycle -------------------------------------------------------------
    def start(self):
        root = {"rootUri": self.uri("")}
        result = self.ask("initialize", processId=None, capabilities={}, **root)
        self.notify("initialized")
        return result["capabilities"]

    def stop(self):
        """The exit status of the server."""
        self.ask("shutdown")
        self.notify("exit")
        self.server.stdin.close()
        return self.server.wait(WAIT)

    # -- texts -----------------------------------------------------------------
    def uri(self, name):
        return "file://" + os.path.join(self.folder, name).rstrip("/")

    def name_of(self, uri):
        path = uri.removeprefix("file://")
        return os.path.relpath(path, self.folder) if path.startswith(self.folder) else path

    def _unmark(self, name, text):
        marks = {}
        while (mark := re.search(r"/\*(\w+)\*/", text)):
            before = text[:mark.start()]
            line = before.rsplit("\n", 1)[-1]
            marks[mark[1]] = {"line": before.count("\n"),
                              "character": len(line.encode("utf-16-le")) // 2}
            text = before + text[mark.end():]
        self.texts[name], self.marks[name] = text, marks
        return text

    def open(self, name, text):
        """Opens a text and returns its diagnostics."""
        text = self._unmark(name, text)
        self.versions[name] = 1
        self.notify("textDocument/didOpen", textDocument={
            "uri": self.uri(name), "languageId": "chi", "version": 1, "text": text})
        return self.settled(name)

    def change(self, name, text):
        """Gives the file another text and returns its diagnostics."""
        text = self._unmark(name, text)
        self.edit(name, {"text": text})
        return self.settled(name)

    def edit(self, name, *changes):
        self.versions[name] += 1
        self.notify("textDocument/didChange", contentChanges=list(changes),
                    textDocument={"uri": self.uri(name), "version": self.versions[name]})

    def settled(self, name):
        """The diagnostics of the file as it is now."""
        while self.diagnostics.get(name, {}).get("version") != self.versions[name]:
            self.receive()
        return self.diagnostics[name]["diagnostics"]

    def at(self, name, mark):
        return {"textDocument": {"uri": self.uri(name)}, "position": self.marks[name][mark]}

    def shown(self, name, place):
        """What a range of a file has in it."""
        lines = self.texts[name].split("\n")
        begin, end = place["start"], place["end"]
        assert begin["line"] == end["line"], place
        units = lines[begin["line"]].encode("utf-16-le")
        return units[2 * begin["character"]:2 * end["character"]].decode("utf-16-le")

    def where(self, location):
        """`file:line:column`, from 1, of a location."""
        start = location["range"]["start"]
        return f"{self.name_of(location['uri'])}:{start['line'] + 1}:{start['character'] + 1}"

    # -- questions -------------------------------------------------------------
    def hover(self, name, mark):
        """The text, or None."""
        answer = self.ask("textDocument/hover", **self.at(name, mark))
        return answer and answer["contents"]["value"]

    def labels(self, name, mark):
        items = self.ask("textDocument/completion", **self.at(name, mark))["items"]
        return [item["label"] for item in sorted(items, key=lambda item: item["sortText"])]


def apply_edits(text, edits):
    """The text after the edits of the protocol."""
    lines = text.split("\n")

    def offset(position):
        line = lines[position["line"]].encode("utf-16-le")[:2 * position["character"]]
        before = sum(len(each) + 1 for each in lines[:position["line"]])
        return before + len(line.decode("utf-16-le"))

    places = sorted(((offset(each["range"]["start"]), offset(each["range"]["end"]),
                      each["newText"]) for each in edits), reverse=True)
    for begin, end, new in places:
        text = text[:begin] + new + text[end:]
    return text

"""Hover, definition, references, highlights and the outline."""
import os
import sys

from LSP.client import Client

client = Client(sys.argv[1])
client.start()
with open(os.path.join(client.folder, "shapes.chi"), "w") as file:
    file.write('"""Shapes."""\n\n'
               'def area(r: f32) -> f32:\n    """The area of a disc."""\n    return 3.14 * r * r\n')
wrong = client.open("main.chi", '''\
import linalg
import shapes as sh
from shapes import area
import math
from math import /*hypot*/hypot as /*length*/length

param n: i32 = 8 in [1, 64], "cells along an edge"
const half = 0.5

class Ray:
    """A half-line."""
    o: vec2
    d: vec2 = [1, 0]

    def at(self, t: f32) -> vec2:
        """The point at `t`."""
        return self./*self_o*/o + t * self.d

x = field(vec2, shape=/*use_n*/n)

def twice(/*decl_v*/v):
    """Two times `v`."""
    s = 0 * /*use_v*/v
    for k in range(2):
        s += v
        local = k
    return s

@kernel
def fill(scale: f32):
    for i in x:
        /*decl_p*/p = scale * vec2(i, 1)
        x[i] = /*use_p*/p.n/*norm*/ormalized() + [/*use_half*/half, 0]
        x[i]./*swizzle*/x = 0

/*call_fill*/fill(length(1.0, 2.0))
/*decl_ray*/ray = /*class*/Ray(o=[1, 2])
print(ray.a/*method*/t(/*twice*/twice(1.0)), twice(1), "é🌍", area(/*after*/ray.o.x), sh./*member*/area(2))
print(f"{/*inside*/ray.d.y:.2f}", math./*pi*/pi, /*sqrt*/sqrt(2.0), linalg./*solve*/solve)
''')
# `linalg.solve` is no value: the one error; it changes nothing of the rest.
assert len(wrong) == 1, wrong

def shows(mark, *words):
    text = client.hover("main.chi", mark)
    assert text is not None, mark
    for word in words:
        assert word in text, (mark, word, text)

# -- hover: types, signatures, docstrings, built-in names ----------------------
shows("use_n", "param n: i32 = 8 in [1, 64]", "cells along an edge")
shows("decl_v", "v: f32 | i32")
shows("use_p", "p: vec2")
shows("call_fill", "@kernel\ndef fill(scale: f32)")
shows("twice", "def twice(v)", "Two times `v`.", "`twice(f32) -> f32`", "`twice(i32) -> i32`")
shows("decl_ray", "ray: Ray")
shows("class", "class Ray:", "A half-line.")
shows("method", "def at(self, t: f32) -> vec2", "method of `Ray`", "The point at `t`.")
shows("self_o", "o: vec2", "member of `Ray`")
shows("after", "ray: Ray")
shows("member", "def area(r: f32) -> f32", "The area of a disc.")
shows("inside", "ray: Ray")
shows("norm", "normalized(")
shows("use_half", "const half = 0.5")
shows("pi", "math.pi")

shows("length", "hypot(")
shows("sqrt", "sqrt(x)", "the square root")
assert "linalg.solve" not in client.hover("main.chi", "solve"), "of the library"
hover = client.ask("textDocument/hover", **client.at("main.chi", "norm"))
assert client.shown("main.chi", hover["range"]) == "normalized", hover

# -- definition ------------------------------------------------------------------
def defined(mark):
    place = client.ask("textDocument/definition", **client.at("main.chi", mark))
    return place and client.where(place)

assert defined("use_n") == "main.chi:7:7", defined("use_n")
assert defined("use_v") == "main.chi:21:11", defined("use_v")
assert defined("use_p") == "main.chi:32:9", defined("use_p")
assert defined("class") == "main.chi:10:7"
assert defined("method") == "main.chi:15:9"
assert defined("self_o") == "main.chi:12:5"
assert defined("after") == "main.chi:37:1", "behind two units of UTF-16"
assert defined("member") == "shapes.chi:3:5"
assert defined("hypot") is None and defined("length") == "main.chi:5:27"
assert defined("sqrt") is None and defined("pi") is None
assert defined("solve").split(":")[0].endswith(".chi"), defined("solve")

# -- references, across files ----------------------------------------------------
client.open("shapes.chi", open(os.path.join(client.folder, "shapes.chi")).read()
            .replace("def area", "def /*area*/area"))
found = client.ask("textDocument/references", context={"includeDeclaration": True},
                   **client.at("shapes.chi", "area"))
assert sorted(map(client.where, found)) == [
    "main.chi:38:44", "main.chi:38:62", "main.chi:3:20", "shapes.chi:3:5"], found
assert all(client.shown(client.name_of(each["uri"]), each["range"]) == "area" for each in found)
found = client.ask("textDocument/references", context={"includeDeclaration": False},
                   **client.at("main.chi", "use_v"))
assert sorted(map(client.where, found)) == ["main.chi:23:13", "main.chi:25:14"], found
found = client.ask("textDocument/documentHighlight", **client.at("main.chi", "use_p"))
assert [(each["range"]["start"]["line"], each["kind"]) for each in found] == [
    (31, 3), (32, 2)], found

# -- outline -----------------------------------------------------------------------
symbols = client.ask("textDocument/documentSymbol",
                     textDocument={"uri": client.uri("main.chi")})
names = {each["name"]: each for each in symbols}
assert list(names) == ["n", "half", "Ray", "x", "twice", "fill", "ray"], list(names)
ray = names["Ray"]
assert [each["name"] for each in ray["children"]] == ["o", "d", "at"], ray
assert ray["range"]["start"]["line"] == 9 and ray["range"]["end"]["line"] == 16, ray
assert client.shown("main.chi", ray["selectionRange"]) == "Ray"

# -- while a line is not done: names are known, in that line, too --------------------
client.change("main.chi", '''\
def norm1(v: vec2) -> f32:
    """The sum of absolute values."""
    return abs(v.x) + abs(v.y)

a = vec2(1, 2)
b = /*broken*/norm1(/*arg*/a
c = /*good*/a.x
''')
shows("good", "a: vec2")
assert defined("broken") == "main.chi:1:5"
shows("broken", "The sum of absolute values.")
assert client.stop() == 0
print("names: good")

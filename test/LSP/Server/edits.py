"""Rename and formatting."""
import os
import sys

from LSP.client import Client, apply_edits

client = Client(sys.argv[1])
client.start()
SHAPES = '''\
"""Shapes."""

def /*area*/area(radius: f32, /*scale*/scale: f32 = 1) -> f32:
    return 3.14 * radius * radius * scale
'''
MAIN = '''\
import shapes
from shapes import area as disc
from math import /*cos*/cos, hypot as length

class Ray:
    /*o*/o: vec2
    d: vec2

    def at(/*self*/self, t: f32) -> vec2:
        return self.o + t * self.d

/*total*/total = 0.0
for k in range(3):
    step = shapes.area(2, scale=k)
    total += step
ray = Ray(o=[1, 2], d=[3, 4])
ray.o.x = 3
print(f"é🌍 {total:.2f} {ray.o}", disc(1), /*sqrt*/sqrt(total), cos(0.0), /*length*/length(3.0, 4.0))
'''
with open(os.path.join(client.folder, "closed.chi"), "w") as file:
    file.write("import shapes\nprint(shapes.area(1))\n")
client.open("shapes.chi", SHAPES)
assert client.open("main.chi", MAIN) == []


def renamed(name, mark, to):
    """The texts by file that the rename makes, or why there is none."""
    answer = client.request("textDocument/rename", newName=to, **client.at(name, mark))
    if "error" in answer:
        return answer["error"]["message"]
    texts = {}
    for uri, edits in answer["result"]["changes"].items():
        file = client.name_of(uri)
        before = client.texts.get(file) or open(os.path.join(client.folder, file)).read()
        texts[file] = apply_edits(before, edits)
    return texts


def expect(found, **files):
    assert set(found) == {f"{name}.chi" for name in files}, found
    for name, text in files.items():
        assert found[f"{name}.chi"] == text, found[f"{name}.chi"]


shapes, main = client.texts["shapes.chi"], client.texts["main.chi"]
expect(renamed("main.chi", "total", "sum_of_areas"), main=main.replace("total", "sum_of_areas"))
expect(renamed("shapes.chi", "area", "surface"),
       shapes=shapes.replace("area", "surface"),
       main=main.replace("shapes.area", "shapes.surface").replace("import area as", "import surface as"),
       closed="import shapes\nprint(shapes.surface(1))\n")
expect(renamed("shapes.chi", "scale", "factor"), shapes=shapes.replace("scale", "factor"),
       main=main.replace("scale=k", "factor=k"))
expect(renamed("main.chi", "o", "origin"),
       main=main.replace("    o: vec2", "    origin: vec2").replace("self.o", "self.origin")
       .replace("Ray(o=", "Ray(origin=").replace("ray.o", "ray.origin"))

expect(renamed("main.chi", "length", "norm"), main=main.replace("length", "norm"))

# -- what is refused ---------------------------------------------------------------
assert "built in" in renamed("main.chi", "sqrt", "root")
assert "built in" in renamed("main.chi", "cos", "cosine")
assert "meaning of its own" in renamed("main.chi", "self", "this")
assert "no name" in renamed("main.chi", "total", "2x")
assert "no name" in renamed("main.chi", "total", "for")
assert "built in" in renamed("main.chi", "total", "max")
assert "another name" in renamed("main.chi", "total", "ray")
assert "member" in renamed("main.chi", "o", "d")
answer = client.request("textDocument/prepareRename", **client.at("main.chi", "sqrt"))
assert "built in" in answer["error"]["message"], answer
place = client.ask("textDocument/prepareRename", **client.at("main.chi", "total"))
assert client.shown("main.chi", place) == "total"
client.change("main.chi", MAIN + "y = (\n")
assert "syntax" in renamed("main.chi", "total", "sums")
# A use of a member that nobody can tell apart.
client.change("main.chi", MAIN + "def unused(r):\n    return r.o\n")
assert "main.chi:20" in renamed("main.chi", "o", "origin"), renamed("main.chi", "o", "origin")


# -- formatting --------------------------------------------------------------------
def formatted(text):
    client.change("main.chi", text)
    edits = client.ask("textDocument/formatting", textDocument={"uri": client.uri("main.chi")},
                       options={"tabSize": 4, "insertSpaces": True})
    return edits if edits is None else apply_edits(client.texts["main.chi"], edits)


assert formatted("x=1\ny  =  2 # é🌍\nprint( x,y )\n") == "x = 1\ny = 2   # é🌍\nprint(x, y)\n"
assert formatted("x = 1\n") == "x = 1\n"
assert formatted("x = (\n") is None
assert client.stop() == 0
print("edits: good")

"""Completion and help with signatures, in lines that are not done."""
import os
import sys

from LSP.client import Client

client = Client(sys.argv[1])
client.start()
with open(os.path.join(client.folder, "shapes.chi"), "w") as file:
    file.write('const unit = 1\n\ndef area(r: f32) -> f32:\n    """The area of a disc."""\n'
               "    return 3.14 * r * r\n\ndef _hidden():\n    pass\n")
HEAD = '''\
import shapes
import math

class Ray:
    o: vec3
    d: vec3

    def at(self, t: f32) -> vec3:
        return self.o + t * self.d

x = field(vec2, shape=8)

def mixed(low: f32, high: f32 = 1, steps: i32 = 4) -> f32:
    """Something between."""
    return low + high / steps

'''


def labels(line, tail=""):
    """What fits at the end of a line that follows HEAD."""
    text = HEAD + line + "/*here*/" + tail
    if "a.chi" in client.texts:
        client.change("a.chi", text)
    else:
        client.open("a.chi", text)
    return client.labels("a.chi", "here")


def has(found, *wanted, without=()):
    assert set(wanted) <= set(found), (set(wanted) - set(found), found)
    assert not set(without) & set(found), set(without) & set(found)


# -- names, built-in ones, keywords ---------------------------------------------------
has(labels("y = "), "x", "mixed", "Ray", "shapes", "sqrt", "vec3", "range", "not", "field")
has(labels("y = mi"), "mixed", "min", "mix", without=["x", "Ray"])
found = labels("def f(first: f32):\n    second = 2 * first\n    for k in range(4):\n        z = ")
has(found, "first", "second", "k", "x", without=["t", "low"])
assert found.index("first") < found.index("sqrt"), "near names come first"
has(labels("def f(first: f32):\n    second = 2\n", "\nf(2)\n"), "x", "f")
has(labels("def f(first: f32):\n    if ", "\n    return first\n"), "first")

# -- members ----------------------------------------------------------------------------
has(labels("ray = Ray([0, 0, 0], [1, 0, 0])\nprint(ray."), "o", "d", "at", without=["x", "sqrt"])
has(labels("ray = Ray([0, 0, 0], [1, 0, 0])\nray.at(2)."), "norm", "x", "y", "z", without=["w", "o"])
has(labels("ray = Ray([0, 0, 0], [1, 0, 0])\np = ray.o.no"), "norm", "normalized", without=["dot"])
has(labels("x."), "fill", "sum", "shape", "grad")
has(labels("@kernel\ndef f():\n    for i in x:\n        x[i]."), "x", "y", "norm", without=["z"])
has(labels('words = ["a"]\nfor word in words:\n    word.'), "upper", "split", without=["append"])
has(labels('words = ["a"]\nfor i in range(2):\n    if words.', "\n        pass\n"), "append")
has(labels("shapes."), "area", "unit", without=["_hidden", "x"])
has(labels("math."), "pi", "sin", "hypot", without=["x"])
has(labels("class Box:\n    size: vec2\n    def f(self):\n        self."), "size", "f")

# -- imports ----------------------------------------------------------------------------
has(labels("import "), "shapes", "linalg", "math")
has(labels("from shapes import "), "area", "unit", without=["_hidden"])

# -- params of calls --------------------------------------------------------------------
has(labels("y = mixed(1, st"), "steps=")
has(labels("ray = Ray("), "o=", "d=")

# Nothing in strings and comments.
assert labels('s = "x.') == [] and labels("# x.") == []
items = client.ask("textDocument/completion",
                   **client.at("a.chi", "here"))["items"]
labels("y = mix")
items = {each["label"]: each for each in client.ask(
    "textDocument/completion", **client.at("a.chi", "here"))["items"]}
assert items["mixed"]["detail"].startswith("def mixed(low: f32"), items["mixed"]
assert "Something between." in items["mixed"]["documentation"]["value"], items["mixed"]
assert items["mix"]["detail"] == "mix(a, b, t)", items["mix"]


# -- signatures -------------------------------------------------------------------------
def help_at(line, tail=""):
    client.change("a.chi", HEAD + line + "/*here*/" + tail)
    found = client.ask("textDocument/signatureHelp", **client.at("a.chi", "here"))
    if not found:
        return None
    signature = found["signatures"][found["activeSignature"]]
    parameters = signature.get("parameters", [])
    active = found["activeParameter"]
    return signature["label"], parameters[active]["label"] if active < len(parameters) else None


MIXED = "mixed(low: f32, high: f32 = 1, steps: i32 = 4) -> f32"
assert help_at("y = mixed(") == (MIXED, "low: f32"), help_at("y = mixed(")
assert help_at("y = mixed(1, ") == (MIXED, "high: f32 = 1")
assert help_at("y = mixed(max(1, 2), steps=") == (MIXED, "steps: i32 = 4")
assert help_at("y = 2 * mixed(1, (3 + 4) * ", ")\nz = 1\n") == (MIXED, "high: f32 = 1")
assert help_at("y = shapes.area(") == ("area(r: f32) -> f32", "r: f32")
assert help_at("r = Ray([0, 0, 0], [1, 0, 0])\nr.at(") == ("at(t: f32) -> vec3", "t: f32")
assert help_at("r = Ray([0, 0, 0], ") == ("Ray(o: vec3, d: vec3)", "d: vec3")
assert help_at("y = clamp(1, ")[0] == "clamp(x, low, high)"
assert help_at("v = vec2(1, 2)\ny = v.dot(")[0] == "v.dot(w)", "a method of vecs"
assert help_at("y = (") is None and help_at("y = 1 ") is None
assert client.stop() == 0
print("typing: good")

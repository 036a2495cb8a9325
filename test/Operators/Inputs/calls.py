"""Calls of libcalls.so (calls.chi) by tvm-ffi, on arrays of NumPy."""
import numpy as np
import tvm_ffi

lib = tvm_ffi.load_module("./libcalls.so")


def array(value):
    return np.from_dlpack(value)


def same(value, expected):
    np.testing.assert_array_equal(np.asarray(value), np.asarray(expected))


def refused(kind, text, name, *args):
    """The call raises `kind`, with `text` in its message."""
    try:
        lib[name](*args)
    except kind as error:
        assert text in str(error), f"{name}: {error}"
    else:
        raise AssertionError(f"{name} is not refused: {text}")


def results():
    x = np.arange(6, dtype="f4")
    same(array(lib.scale(x)), x * 0.25)  # by the defaults
    same(array(lib.scale(x, 2)), x * 4)  # an int for a float
    same(array(lib.scale(x, 2.0, 1)), x * 2)
    number, real, truth, vector, field = lib.many(np.arange(4, dtype="i4"), True)
    assert (number, real, truth) == (4, 2.5, False)
    same(array(vector), [1, 2, 3])
    same(array(field), [0, 1, 2, 3])
    kept = lib.same(x)
    x[0] = 99
    same(array(kept), [0, 1, 2, 3, 4, 5])  # a field of its own
    assert lib.greet("you", 3) == "hello you 3"
    assert lib.greet("somebody else", 4) == "hello somebody else 4"
    assert lib.greet("", 0) == "hello  0"
    assert lib.sum64(5, 3) == 8
    assert lib.nothing(np.zeros((2, 0, 3), "f4")).shape == (2, 0, 3)
    assert lib.expects(np.ones(3, "f4")) is None


def arguments():
    x = np.arange(6, dtype="f4")
    lib.mul(x, 2)
    same(x, [0, 2, 4, 6, 8, 10])
    halves = np.ones(5, dtype="f2")
    assert lib.half(halves, 0.5) == 7.5
    same(halves, [1.5] * 5)
    points = np.ones((3, 2), dtype="f4")
    lib.turn(points, [[0, 1], [1, 0]], [1, 2])
    same(points, [[2, 3]] * 3)
    lib.turn(points, np.array([[0, 1], [1, 0]], "f4").T, np.zeros(4, "f4")[::2])
    same(points, [[3, 2]] * 3)
    numbers = np.zeros(25)
    lib.long(numbers, list(range(20)))
    same(numbers, [k % 20 for k in range(25)])
    assert lib.count(np.array([True, False, True])) == 2


def layouts():
    x = np.arange(12, dtype="f4").reshape(3, 4)
    for given in (x, np.asfortranarray(x), np.repeat(x, 2, 1)[:, ::2], x[::-1, ::-1]):
        out = np.zeros((3, 4), "f4")
        lib.columns(given, out)
        same(out, given * 10)
    vectors = np.arange(15, dtype="f4").reshape(5, 3)
    for given in (vectors, np.asfortranarray(vectors)):
        out = np.zeros(5, "f4")
        lib.parts(given, out)
        same(out, vectors.sum(1))
    wide = np.arange(10, dtype="f4")
    lib.mul(wide[1::3], 10)  # copied, and copied back
    same(wide, [0, 10, 2, 3, 40, 5, 6, 70, 8, 9])
    a, b = np.ones((3, 3)), np.zeros((3, 3))
    lib.add(np.lib.stride_tricks.as_strided(a, (3, 3), (0, 8)), a.T, b)
    same(b, a + a)
    lib.add(a, a, b)  # two that are only read
    same(b, a + a)


def refusals():
    x = np.ones(6, "f4")
    refused(TypeError, "mul: x is float64, expected float32", "mul", x.astype("f8"), 1)
    refused(TypeError, "mul: x is int32, expected float32", "mul", x.astype("i4"), 1)
    refused(TypeError, "mul: x is an int, expected a tensor", "mul", 3, 1)
    refused(TypeError, "mul: x is None, expected a tensor", "mul", None, 1)
    refused(TypeError, "mul: a is a str, expected a float", "mul", x, "2")
    refused(TypeError, "mul: 1 arguments are given, expected 2 (x, a)", "mul", x)
    refused(TypeError, "scale: 0 arguments are given, expected 1 to 3 (x, a=-0.5, times=2)",
            "scale")
    refused(TypeError, "scale: 4 arguments are given", "scale", x, 1, 1, 1)
    refused(TypeError, "scale: times is a float, expected an int", "scale", x, 1, 1.0)
    refused(ValueError, "scale: times is 2147483648, which is no i32", "scale", x, 1, 2**31)
    refused(ValueError, "sum64: b is 256, which is no u8", "sum64", 5, 256)
    refused(ValueError, "sum64: a is -5, which is no u64", "sum64", -5, 1)
    refused(Exception, "the result 9223372036854775832 does not fit", "sum64", 2**63 - 1, 25)
    refused(TypeError, "many: flag is an int, expected a bool", "many",
            np.arange(4, dtype="i4"), 2)
    refused(ValueError, "mul: x has 2 axes, expected 1", "mul", np.ones((2, 3), "f4"), 1)
    refused(ValueError, "turn: x has 1 axis, expected 2: 1 and those of vec(2, f32)",
            "turn", x, [[0, 1], [1, 0]], [1, 2])
    points = np.ones((3, 2), "f4")
    refused(ValueError, "turn: m has 1 rows, expected 2", "turn", points, [[0, 1]], [1, 2])
    refused(ValueError, "turn: m has a list of 1, expected 2", "turn", points,
            [[0, 1], [1]], [1, 2])
    refused(TypeError, "turn: m is an int, expected a list of numbers in each row", "turn",
            points, [1, 2], [1, 2])
    refused(ValueError, "turn: t has the extent 3 along axis 0, expected 2", "turn", points,
            [[0, 1], [1, 0]], np.ones(3, "f4"))
    refused(ValueError, "turn: x has the extent 3 along axis 1, expected 2", "turn",
            np.ones((3, 3), "f4"), [[0, 1], [1, 0]], [1, 2])
    refused(TypeError, "greet: name is an int, expected a str", "greet", 1, 1)
    a = np.ones((3, 3))
    refused(ValueError, "add: out is changed, but it shares memory with a", "add", a, a, a)
    refused(ValueError, "add: out is changed, but it shares memory with b", "add",
            np.ones((2, 3)), a[:2], a[1:])
    refused(ValueError, "mul: x is changed, but its elements along axis 0 share memory",
            "mul", np.lib.stride_tricks.as_strided(x, (5,), (0,)), 1)
    unaligned = np.zeros(25, "u1")[1:].view("f4")
    refused(ValueError, "mul: x is not aligned", "mul", unaligned, 1)


def failures():
    x = np.ones(6, "f4")
    refused(RuntimeError, "index 7 is out of bounds for axis 0 of `x` with size 6 [kernel place]",
            "place", x, 7)
    refused(RuntimeError, "calls.chi:54:5: error:", "place", x, -1)
    refused(RuntimeError, "leave: the program called exit(0)", "leave", 0)
    refused(RuntimeError, "leave: the program called exit(3)", "leave", 3)
    refused(RuntimeError, "assertion `x.shape[0] == 3` failed: x has 6 elements", "expects", x)
    refused(RuntimeError, "uses `top`, which has no value before the program has run", "tops")
    lib.place(x, 5)  # the operator goes on after all of these
    same(x, [1] * 6)


def texts():
    doc = lib.get_function_doc("scale")
    assert doc == ("(x: field(f32, 1), a: f32 = -0.5, times: i32 = 2) -> field(f32, 1)\n\n"
                   "Multiplies by a, several times."), doc
    schema = lib.get_function_metadata("many")["type_schema"]
    assert '"Tuple"' in schema and '"ffi.Tensor"' in schema, schema


for step in (results, arguments, layouts, refusals, failures, texts):
    step()
lib.said(2.5)
print("done")

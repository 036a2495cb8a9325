"""Generated signatures, called by tvm-ffi with generated arguments, right and
wrong ones, and compared with NumPy.

    signatures.py write > sig.chi
    signatures.py call SEED COUNT      # calls ./libsig.so
"""
import collections
import sys

import numpy as np

from operator_arguments import LAYOUTS, Wrong, kinds, make_call

TYPES = {"i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "u8": "u1", "u16": "u2",
         "u32": "u4", "u64": "u8", "f16": "f2", "f32": "f4", "f64": "f8", "bool": "?"}
ELEMENTS = [(), (2,), (3,), (2, 3)]


class Parameter:
    """`kind` is field, scalar, array (vec or mat) or str."""

    def __init__(self, name, kind, type="f32", element=(), rank=0, written=False,
                 default=None):
        self.name, self.kind, self.type, self.element = name, kind, type, element
        self.rank, self.written, self.default = rank, written, default
        self.dtype = np.dtype(TYPES[type])

    def __str__(self):
        default = "" if self.default is None else f" = {self.default}"
        return f"{self.name}: {spell(self)}{default}"


def spell(p):
    """The type in Chi."""
    value = p.type
    if p.element:
        value = f"{('vec', 'mat')[len(p.element) - 1]}({', '.join(map(str, p.element))}, {value})"
    return {"field": f"field({value}, {p.rank})", "str": "str"}.get(p.kind, value)


# `run` takes the arguments as NumPy's arrays; it changes those that are written
# and returns the results.
Operator = collections.namedtuple("Operator", "name text parameters run")


def field(name, like, written=False):
    return Parameter(name, "field", like.type, like.element, like.rank, written)


def of_type(number, name):
    """A kernel that changes its last argument, a function that makes a field, and
    one of scalars."""
    x = Parameter("x", "field", name, () if name == "bool" else
                  ELEMENTS[(number + number // 4) % 4], number % 5)
    literal = "True" if name == "bool" else "3"
    a = Parameter("a", "scalar", name)
    given = Parameter("a", "scalar", name, default=literal)
    sign, apply = ("!=", np.not_equal) if name == "bool" else ("*", np.multiply)
    product = Operator(f"mul_{name}", f"""@kernel
def mul_{name}(x: {spell(x)}, a: {name}, out: {spell(x)}):
    for I in grouped(x):
        out[I] = x[I] {sign} a
""", [x, a, field("out", x, True)],
                       lambda x, a, out: out.__setitem__(..., apply(x, a)))
    scale = Operator(f"scale_{name}", f"""def scale_{name}(x: {spell(x)}, {given}) -> {spell(x)}:
    out = field({spell(x)[6:-len(f', {x.rank})')]}, shape=x.shape)
    mul_{name}(x, a, out)
    return out
""", [x, given], lambda x, a: apply(x, a))
    low = "a and b" if name == "bool" else "min(a, b)"
    b = Parameter("b", "scalar", name, default=literal)
    least = Operator(f"least_{name}", f"""def least_{name}(a: {name}, {b}) -> {name}:
    return {low}
""", [a, b], lambda a, b: min(a, b))
    return [product, scale, least]


def mixed():
    x = Parameter("x", "field", "f32", (3,), 2)
    v, m = Parameter("v", "array", "f32", (3,)), Parameter("m", "array", "f64", (2, 3))
    name, n = Parameter("name", "str"), Parameter("n", "scalar", "i32", default="3")
    flag = Parameter("flag", "scalar", "bool", default="True")
    every = Operator("kinds", """
def kinds(x: field(vec3, 2), v: vec3, m: mat(2, 3, f64), name: str, n: i32 = 3,
          flag: bool = True) -> (field(vec3, 2), str, i32, f64, bool, vec3, mat(2, 3, f64)):
    out = field(vec3, shape=x.shape)
    move(x, v, out)
    return out, f"{name}, {n}", -(n // 2), m[1, 2], not flag, v * 2.0, m * f64(2)
""", [x, v, m, name, n, flag],
                     lambda x, v, m, name, n, flag: [x + v, f"{name}, {n}", -(n // 2), m[1, 2],
                                                     not flag, v * 2, m * 2])
    move = Operator("move", """@kernel
def move(x: field(vec3, 2), v: vec3, out: field(vec3, 2)):
    for I in grouped(x):
        out[I] = x[I] + v
""", [x, v, field("out", x, True)], lambda x, v, out: out.__setitem__(..., x + v))
    a, b = (Parameter(name, "field", "f32", (), 2) for name in "ab")
    add = Operator("add", """@kernel
def add(a: field(f32, 2), b: field(f32, 2), out: field(f32, 2)):
    for i, j in a:
        out[i, j] += a[i, j] + b[i, j]
""", [a, b, field("out", a, True)],
                   lambda a, b, out: out.__setitem__(..., out + a + b))
    p, q = (Parameter(name, "field", "i32", (), 1, True) for name in "pq")

    def exchange(p, q):
        p[:], q[:] = q.copy(), p.copy()

    swap = Operator("swap", """@kernel
def swap(p: field(i32, 1), q: field(i32, 1)):
    for i in p:
        p[i], q[i] = q[i], p[i]
""", [p, q], exchange)
    t = Parameter("t", "field", "f64", (), 3)
    parts = Operator("parts", """def parts(t: field(f64, 3)):
    return t, t[:, ::2], t.shape[0], t
""", [t], lambda t: [t, t[:, ::2], t.shape[0], t])
    i = Parameter("i", "field", "i64", (), 3)
    total = Operator("total", """@kernel
def total(i: field(i64, 3)) -> i64:
    s = i64(0)
    for I in grouped(i):
        s += i[I]
    return s
""", [i], lambda i: i.sum())
    echo = Operator("echo", """def echo(name: str) -> str:
    return name
""", [name], lambda name: name)
    return [every, move, add, swap, parts, total, echo]


def operators():
    made = [each for number, name in enumerate(TYPES) for each in of_type(number, name)]
    return made + mixed()


def check_results(operator, results, expected):
    if not isinstance(expected, list):
        results, expected = [results], [expected]
    assert len(results) == len(expected), operator.name
    for result, wanted in zip(results, expected):
        if isinstance(result, (bool, int, float, str)):
            kind = type(np.asarray(wanted).item())
            is_kind = isinstance(result, kind) and isinstance(result, bool) == (kind is bool)
            assert is_kind and result == wanted, f"{operator.name}: {result}, expected {wanted}"
        else:
            result, wanted = np.from_dlpack(result), np.asarray(wanted)
            assert result.dtype == wanted.dtype and result.shape == wanted.shape
            np.testing.assert_array_equal(result, wanted, err_msg=operator.name)


def check_right(lib, operator, call):
    """Results, changed arguments, and all memory round the arguments."""
    values = call.values()
    expected = operator.run(*values)
    results = lib[operator.name](*call.given())
    if expected is None:
        assert results is None, operator.name
    else:
        check_results(operator, results, expected)
    call.check_memory(values)


def check_wrong(lib, operator, call, wrong):
    """An exception that names the parameter; nothing is changed."""
    try:
        lib[operator.name](*call.given())
    except wrong.exceptions as error:
        text = str(error)
        assert text.startswith(operator.name + ": "), text
        for name in wrong.names:
            assert name in text.replace(operator.name, "", 1), f"{wrong.kind}: {text}"
    else:
        raise AssertionError(f"{operator.name} accepts a wrong {wrong.kind} of {wrong.names}")
    call.check_unchanged()


def call_all(seed, count):
    import tvm_ffi
    lib = tvm_ffi.load_module("./libsig.so")
    random = np.random.default_rng(seed)
    made = operators()
    right, wrongs, layouts = 0, collections.Counter(), collections.Counter()
    for number in range(count):
        # Those of several arguments of one kind come more often.
        operator = made[number % len(made) if number % 2 else -1 - number // 2 % 10]
        call = make_call(random, operator.parameters)
        layouts.update(call.layouts())
        wrong = Wrong.choose(random, call) if random.random() < 1 / 3 else None
        if wrong:
            wrongs[wrong.kind] += 1
            check_wrong(lib, operator, call, wrong)
        else:
            right += 1
            check_right(lib, operator, call)
    print(f"{len(made)} operators, {count} calls: {right} right, {sum(wrongs.values())} wrong")
    missing = kinds() - set(wrongs) | LAYOUTS - set(layouts)
    assert not missing, f"the calls have no {missing}"
    print("of each kind of mistake and layout")


if sys.argv[1] == "write":
    print('"""Made by signatures.py."""\n')
    print("\n".join(each.text for each in operators()), end="")
else:
    call_all(int(sys.argv[2]), int(sys.argv[3]))

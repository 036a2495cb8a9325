"""Vector-Jacobian products of libproducts.so (products.chi) against closed
forms, or finite differences of NumPy; libproducts_none.so has none but one.
"""

import numpy as np
import tvm_ffi

lib = tvm_ffi.load_module("./libproducts.so")
random = np.random.default_rng(3)
compared = 0


def u(*shape):
    return random.uniform(-1, 1, shape)


def single(*shape):
    return u(*shape).astype("f4")


def product(name, *args):
    """The adjoints, as arrays."""
    found = lib[name + "_vjp"](*args)
    return [np.from_dlpack(each) for each in ([found] if hasattr(found, "shape") else found)]


def check(name, args, *expected, tolerance=1e-12):
    global compared
    found = product(name, *args)
    assert len(found) == len(expected), name
    for k, (adjoint, wanted) in enumerate(zip(found, expected)):
        wanted = np.asarray(wanted)
        assert adjoint.shape == wanted.shape, f"{name}: {adjoint.shape}, {wanted.shape}"
        np.testing.assert_allclose(adjoint, wanted, tolerance, tolerance, err_msg=f"{name} {k}")
        compared += 1
    return found


def several_results():
    x, y, g, h = single(3), single(4), single(3, 4), single(3)

    def expected(x, y, g, h):
        return g @ y + 3 * x * x * h, g.T @ x

    check("several", (x, y, g, h), *expected(x, y, g, h), tolerance=1e-5)
    # Strided arguments and adjoints.
    turned = np.zeros(9, "f4")[::-3]
    turned[:] = x
    wide = np.zeros((6, 8), "f4")
    wide[::2, 1::2] = g
    for of_z in (np.asfortranarray(g), wide[::2, 1::2], g[::-1][::-1]):
        for of_c in (h, np.repeat(h, 2)[::2]):
            check("several", (turned, y, of_z, of_c), *expected(x, y, g, h), tolerance=1e-5)
    # One argument as two.
    check("several", (x, x, g[:, :3], h), *expected(x, x, g[:, :3], h), tolerance=1e-5)
    # Without elements.
    check("several", (x[:0], y, g[:0], h[:0]), np.zeros(0), np.zeros(4))
    check("several", (x, y[:0], g[:, :0], h), 3 * x * x * h, np.zeros(0), tolerance=1e-5)


def types():
    x, y, g = u(5).astype("f2"), u(5).astype("f2"), single(5)
    for adjoint in check("half", (x, y, g), g * y, g * x, tolerance=2e-3):
        assert adjoint.dtype == np.float16
    x, g = u(3, 4), u(3)
    adjoint, = check("wide", (x, 0.7, g), 0.7 * g[:, None] * np.cos(0.7 * x))
    assert adjoint.dtype == np.float64
    check("wide", (x.T, 0.7, u(4)[::-1].copy()[::-1] * 0), np.zeros((4, 3)))
    x, m, g, h = single(4, 2), single(2, 2), single(4, 2), single(4)
    expected = g @ m * x[:, :1] + 2 * x * h[:, None]
    expected[:, 0] += (g * (x @ m.T)).sum(1)
    check("turn", (x, m, g, h), expected, tolerance=1e-5)
    check("turn", (np.asfortranarray(x), m.tolist(), g[:, ::-1].copy()[:, ::-1], h), expected,
          tolerance=1e-5)


def logistic(x, r, times):
    for _ in range(times):
        x = r * x * (1 - x)
    return x


def loops():
    x, r, g, e = u(4), 2 + u(4), u(4), 1e-6
    for name, times, number in (("chaos", 0, [0]), ("chaos", 1, [1]), ("chaos", 7, [7]),
                                ("twice", 3, [])):
        of_x = logistic(x + e, r, times) - logistic(x - e, r, times)
        of_r = logistic(x, r + e, times) - logistic(x, r - e, times)
        check(name, (x, r, *number, g), g * of_x / (2 * e), g * of_r / (2 * e), tolerance=1e-6)


def branches():
    x, y, g = u(4), u(4), u(4)
    check("branch", (x, y, 2, g), g * y, g * x)
    check("branch", (x, y, 5, g), g, 3 * g)
    check("branch", (x, y, 1, g), 0 * g, 0 * g)
    check("branch", (x, x, 2, g), g * x, g * x)
    for signs, slope in (([], 0), ([0, 0], 0), ([1, -1, 1, 1], 2 * x + 6), ([1, 1, -1], 2 * x),
                         ([1, 1, 1], 9)):
        check("by_sign", (x, np.array(signs, "i4"), g), g * slope)
    x[0] = 0.5
    check("picked", (x, g), 2 * x * g)
    check("picked", (-x, g), 3 * g)
    check("begins", (x, g), np.r_[0, 2 * x[1:] * g[1:]])


def others():
    x, y, f, g, h = u(3), u(3), u(3), u(3), u(3)
    check("same", (x, g), g)
    check("limits", (x, g), np.clip(2 * g, -1, 1))
    check("unused", (x, y, g), 2 * x * g, 0 * y)
    check("copied", (np.stack([x, y], 1), g), np.stack([g, 0 * g], 1))
    check("both", (x, f, g, h), f + 2 * x * g + 4 * x**3 * h)
    check("scaled", (x, 3, g), 3 * g)


def same_field():
    x, g, h = u(3), u(3), u(3)
    check("pair", (x, g, h), 2 * x * (g + h))
    check("squashed", (x, g), 20 * x * g)


def absent():
    names = ["changes", "tapes", "passive", "by_sum", "stores", "fills", "counts", "sums",
             "makes", "square", "by_kernel", "fills_total", "through", "view", "drops"]
    none = tvm_ffi.load_module("./libproducts_none.so")
    assert none["scaled_vjp"] is not None
    assert none.taken_vjp(2.0) == 3  # the program's own
    for name in names:
        assert none[name] is not None
        try:
            none[name + "_vjp"]
        except AttributeError:
            continue
        raise AssertionError(f"{name}_vjp is there")
    return len(names)


def refusals():
    x, g = u(4), u(4)
    name = "the adjoint of the result"
    cases = [(TypeError, "begins_vjp: 1 given, expected 2", "begins", x),
             (TypeError, "begins_vjp: 3 given, expected 2", "begins", x, g, g),
             (ValueError, f"{name} has the extent 3 along axis 0, expected 4", "begins", x, g[:3]),
             (ValueError, f"{name} has 2 axes, expected 1", "begins", x, g[:, None]),
             (TypeError, f"{name} is float32, expected float64", "begins", x, g.astype("f4")),
             (TypeError, f"{name} is float16, expected float32", "half", single(2).astype("f2"),
              single(2).astype("f2"), single(2).astype("f2")),
             (TypeError, f"{name} is None, expected a tensor", "begins", x, None),
             (ValueError, f"{name} is not aligned", "begins", x,
              np.zeros(40, "u1")[1:33].view("f8")),
             (ValueError, "the adjoint of result 1 has the extent 3", "both", x, g, g[:3], g),
             (TypeError, "the adjoint of result 2 is an int", "both", x, g, g, 3),
             (ValueError, "the adjoint of result 0 has the extent 2 along axis 1, expected 4",
              "several", single(3), single(4), single(3, 2), single(3)),
             (TypeError, "begins_vjp: x is float32, expected float64", "begins", single(4), g),
             (RuntimeError, "index 0 is out of bounds for axis 0 of `y`", "begins", x[:0], g[:0])]
    for kind, text, operator, *args in cases:
        try:
            product(operator, *args)
        except kind as error:
            assert text in str(error), f"{operator}: {error}"
        else:
            raise AssertionError(f"{operator}_vjp is not refused: {text}")
        check("begins", (x, g), np.r_[0, 2 * x[1:] * g[1:]])  # it goes on
    return len(cases)


for step in (several_results, types, loops, branches, others, same_field):
    step()
print(compared, "adjoints,", absent(), "absent,", refusals(), "refusals")

"""The packages of examples/ops and several.chi in JAX, against references.py."""
import importlib

import jax
import numpy as np
import references


def operator(name, package=None):
    return getattr(importlib.import_module((package or name) + ".jax"), name)


def split(args):
    """Arrays and numbers: JAX traces the former."""
    arrays = [k for k, each in enumerate(args) if isinstance(each, np.ndarray)]
    return arrays, [args[k] for k in arrays]


def on_arrays(op, args):
    """The function of the arrays alone."""
    places, _ = split(args)

    def call(*arrays):
        given = list(args)
        for place, array in zip(places, arrays):
            given[place] = array
        return op(*given)
    return call


def check_values():
    seen = set()
    for name, args, tolerance in references.cases():
        seen.add(name)
        expected = getattr(references, name)(*args)
        call, arrays = on_arrays(operator(name), args), split(args)[1]
        for form in (call, jax.jit(call)):
            np.testing.assert_allclose(form(*map(jax.numpy.asarray, arrays)), expected,
                                       rtol=tolerance, atol=tolerance, err_msg=name)
    return len(seen)


def slopes_agree(call, arrays, dice):
    """The derivative along a random direction, beside a central difference; None
    at a kink, where the differences of both sides are not one."""
    floats = [k for k, each in enumerate(arrays) if each.dtype == np.float32]
    weights = dice.standard_normal(call(*arrays).shape).astype(np.float32)

    def total(*some):
        return (call(*some) * weights).sum()
    found = jax.jit(jax.grad(total, argnums=tuple(floats)))(*arrays)
    directions = {k: dice.standard_normal(arrays[k].shape).astype(np.float32) for k in floats}
    slope = sum(float((g * directions[k]).sum()) for k, g in zip(floats, found))

    def moved(by):
        some = [each + np.float32(by) * directions[k] if k in directions else each
                for k, each in enumerate(arrays)]
        return float(np.float64(call(*some)).ravel() @ np.float64(weights).ravel())
    h = 5e-4
    right, left = (moved(h) - moved(0)) / h, (moved(0) - moved(-h)) / h
    near = 1e-2 * sum(float(abs(g * directions[k]).sum()) for k, g in zip(floats, found)) + 1e-3
    return None if abs(right - left) > near else abs((right + left) / 2 - slope) <= near


def check_gradients():
    dice, seen = np.random.default_rng(1), set()
    for name, args, _ in references.cases():
        if not hasattr(importlib.import_module(name), name + "_vjp"):
            continue
        arrays = split(args)[1]
        if any(each.size == 0 for each in arrays):
            continue
        agree = slopes_agree(on_arrays(operator(name), args), arrays, dice)
        assert agree is not False, (name, [each.shape for each in arrays])
        if agree:
            seen.add(name)
    return len(seen)


def message_of(call, *args):
    try:
        call(*args)
    except Exception as error:  # noqa: BLE001: of any class
        return f"{type(error).__name__}: {error}"
    return "no exception"


print("values of", check_values(), "operators, jit too")
print("gradients of", check_gradients(), "operators")
several = importlib.import_module("several.jax")
y, n, t, v = several.both(np.array([1, 3], np.float32), 2, 3.0)
print("several results:", np.asarray(y), int(n), float(t), np.asarray(v))
k = np.ones((4, 2, 3, 8), np.float32)
conv = operator("conv")
print("vmap:", jax.vmap(lambda each: conv(np.ones((3, 8), np.float32), each))(k).shape)
x = np.array([1, 2], np.float32)
print(message_of(several.halve, x))
print(message_of(several.above, x, 0))
print(message_of(several.positive, -x))
print("usable:", np.asarray(several.positive(x)))

"""The operators of examples/ops as libraries, against references.py: values,
refusals, and vector-Jacobian products against differences of the references.
"""
import os
import sys

import numpy as np
import tvm_ffi

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import references  # noqa: E402

libraries = {}
random = np.random.default_rng(7)


def operator(name):
    if name not in libraries:
        libraries[name] = tvm_ffi.load_module(f"./lib{name}.so")
    return libraries[name]


def check_values():
    cases = references.cases()
    for name, args, tolerance in cases:
        value = np.from_dlpack(operator(name)[name](*args))
        expected = getattr(references, name)(*args)
        assert value.shape == expected.shape and value.dtype == expected.dtype, name
        np.testing.assert_allclose(value, expected, rtol=tolerance, atol=tolerance,
                                   err_msg=name)
    return len(cases)


def check_refusals():
    wrong = references.refused()
    for name, args, part in wrong:
        try:
            operator(name)[name](*args)
        except (RuntimeError, ValueError) as error:
            assert part in str(error), f"{name}: {error}"
        else:
            raise AssertionError(f"{name} takes arguments of which {part}")
    return len(wrong)


def is_float(value):
    return isinstance(value, np.ndarray) and value.dtype == np.float32


def check_product(name, step, *args):
    """The adjoints by the library, along one direction for each argument."""
    reference = getattr(references, name)
    seed = random.uniform(-1, 1, reference(*args).shape).astype("f4")
    product = operator(name)[name + "_vjp"](*args, seed)
    floats = [k for k, value in enumerate(args) if is_float(value)]
    products = [product] if len(floats) == 1 else list(product)
    assert len(products) == len(floats), name
    for k, adjoint in zip(floats, map(np.from_dlpack, products)):
        assert adjoint.shape == args[k].shape and adjoint.dtype == np.float32
        way = random.uniform(-1, 1, args[k].shape)
        ends = []
        for sign in (1, -1):
            moved = list(args)
            moved[k] = (args[k] + sign * step * way).astype("f4")
            ends.append(np.vdot(seed, reference(*moved).astype("f8")))
        expected = (ends[0] - ends[1]) / (2 * step)
        found = np.vdot(adjoint, way)
        size = np.linalg.norm(adjoint) * np.linalg.norm(way) / np.sqrt(way.size) + 1e-3
        assert abs(found - expected) < 0.02 * size, \
            f"{name}, argument {k}: {found}, by differences {expected}"
    return len(floats)


def uniform(*shape, low=-1, high=1):
    return random.uniform(low, high, shape).astype("f4")


def check_products():
    count = check_product("conv", 0.1, uniform(3, 9), uniform(2, 3, 8), 0.1)
    count += check_product("pad", 0.1, uniform(3, 4), 5, 2, 3)
    count += check_product("bilateral_filter", 1e-3, uniform(1, 2, 5, 6, low=0), 1.5, 0.5, 3)
    count += check_product("scatter_softmax", 1e-2, uniform(9, 2),
                           np.array([0, 4, 4, 9], "i4"))
    count += check_product("selective_scan", 1e-2, uniform(2, 3, 6),
                           uniform(2, 3, 6, low=0.1, high=0.5),
                           uniform(3, 4, low=-2, high=-0.5), uniform(2, 4, 6),
                           uniform(2, 4, 6), uniform(3))
    count += check_product("rotary_embedding", 0.1, uniform(1, 2, 5, 8), 100.0, 3, True)
    # Away from the borders of cells, where the derivative jumps.
    middles = np.stack(np.meshgrid(*[np.float32([-0.4, 0.1, 0.6])] * 3), -1)
    count += check_product("grid_sample_3d", 1e-2, uniform(1, 2, 5, 5, 5), middles[None])
    volume = uniform(4, 5, 6, 4, low=0)
    seed = uniform(7, 4)
    rays = uniform(7, 3, low=-4, high=-1), uniform(7, 3, low=0.6, high=1.5)
    given = operator("voxel_raymarch").voxel_raymarch(volume, *rays, 0.5, 14.0)
    assert given.shape == (7, 4)
    adjoints = operator("voxel_raymarch").voxel_raymarch_vjp(
        volume, *rays, 0.5, 14.0, 64, 1e-3, seed)
    assert [tuple(each.shape) for each in adjoints] == [(4, 5, 6, 4), (7, 3), (7, 3)]
    return count + 3


print(check_values(), "values,", check_refusals(), "refusals,", check_products(), "adjoints")

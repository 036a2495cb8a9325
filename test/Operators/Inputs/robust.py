"""Threads, forks, thousands of calls, lifetimes: librobust.so, librobust_too.so,
librobust_grad.so.
"""
import concurrent.futures
import ctypes
import gc
import os
import sys

import numpy as np
import tvm_ffi

lib = tvm_ffi.load_module("./librobust.so")
random = np.random.default_rng(5)


def array(value):
    return np.from_dlpack(value)


def fails(kind, text, name, *args, of=lib):
    try:
        of[name](*args)
    except kind as error:
        assert text in str(error), f"{name}: {error}"
    else:
        raise AssertionError(f"{name} does not fail: {text}")


def forward(x, y):
    np.testing.assert_allclose(array(lib.product(x, y, 3)), x * y**3, 1e-12)


def backward(x, y, g):
    of_x, of_y = map(array, lib.product_vjp(x, y, 3, g))
    np.testing.assert_allclose(of_x, g * y**3, 1e-12)
    np.testing.assert_allclose(of_y, g * 3 * x * y**2, 1e-12)


def gathers(x, at, g):
    expected = np.zeros(len(x))
    np.add.at(expected, at, g)
    np.testing.assert_array_equal(array(lib.take(x, at)), x[at])
    np.testing.assert_allclose(array(lib.take_vjp(x, at, g)), expected, 1e-12)


def fails_in_kernel(x, at, g):
    """A failure leaves other threads alone, and the message is its own."""
    wrong = at.copy()
    wrong[-1] = len(x) + len(g)
    text = f"index {wrong[-1]} is out of bounds for axis 0 of `x` with size {len(x)}"
    fails(RuntimeError, text, "take", x, wrong)
    fails(RuntimeError, text, "take_vjp", x, wrong, g)
    fails(ValueError, "the adjoint of the result", "take_vjp", x, at, g[1:])
    fails(TypeError, "product: y is float32", "product", x, x.astype("f4"))


def steps(seed, sizes):
    """All of these once, for each size."""
    random = np.random.default_rng(seed)
    for size in sizes:
        x, y, g = (random.uniform(0.5, 1, size) for _ in "xyg")
        at = random.integers(0, size, size // 2 + 1).astype("i4")
        h = random.uniform(0.5, 1, len(at))
        todo = [(forward, x, y), (backward, x, y, g), (gathers, x, at, h),
                (fails_in_kernel, x, at, h)]
        for k in random.permutation(len(todo)):
            call, *args = todo[k]
            call(*args)
    return len(sizes)


SIZES = [1, 7, 100, 3000, 40000, 10]


def threads():
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda seed: steps(seed, SIZES * 5), range(8)))
    assert done == [30] * 8
    # All at once call one operator with the same arguments.
    x, y, g = (random.uniform(0.5, 1, 20000) for _ in "xyg")
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for call in [pool.submit(backward, x, y, g) for _ in range(64)]:
            call.result()
    return len(done)


def forks():
    """Children call, and so does the parent afterwards; also a child of a child."""
    count = 4
    for seed in range(count):
        child = os.fork()
        if child == 0:
            status = 1
            try:
                steps(seed, SIZES)
                grandchild = os.fork()
                if grandchild == 0:
                    steps(seed, SIZES[:3])
                    os._exit(0)
                status = os.waitstatus_to_exitcode(os.waitpid(grandchild, 0)[1])
            finally:
                os._exit(status)
        steps(seed, SIZES)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    return count


def resident():
    gc.collect()
    with open("/proc/self/statm") as sizes:
        return int(sizes.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def flat(name, call, count=1500):
    """The resident set does not grow with the number of calls."""
    for _ in range(1000):
        call()
    before = resident()
    for k in range(count):
        call()
        if k % 1000 == 0:
            gc.collect()  # exceptions are in cycles
    grown = resident() - before
    assert grown < 1 << 20, f"{name}: {count} calls keep {grown} bytes"
    return 1


def memory():
    gc.collect()
    gc.freeze()  # collections look at new objects only
    x, y, g = (random.uniform(0.5, 1, 128) for _ in "xyg")
    at, wide, none = np.arange(128, dtype="i4"), np.zeros(256), np.zeros(0)
    return (flat("forward", lambda: lib.product(x, y), 10000)
            + flat("strided", lambda: lib.product(wide[::2], wide[::-2]))
            + flat("several results", lambda: lib.many(x, "a name of some length"))
            + flat("product", lambda: lib.product_vjp(x, y, 2, g), 10000)
            + flat("product, strided", lambda: lib.product_vjp(wide[::2], y, 2, wide[1::2]))
            + flat("failure", lambda: fails(RuntimeError, "index 128", "place", x, 128), 10000)
            + flat("product that fails",
                   lambda: fails(RuntimeError, "no elements", "take_vjp", none, at, g))
            + flat("refusal", lambda: fails(TypeError, "is None", "product", wide[::2], None))
            + flat("refused adjoint",
                   lambda: fails(ValueError, "the adjoint", "take_vjp", x, at, g[1:])))


def lifetimes():
    """Results outlive arguments and the module; they are their owner's."""
    module = tvm_ffi.load_module("./librobust_too.so")
    x, y = np.arange(5000.0), np.ones(5000)
    results = [module.product(x, y), *module.product_vjp(x, y, 1, 2 * y)]
    function = module.product
    del module
    gc.collect()
    later = array(function(x, y, 3))
    del x, y, function
    gc.collect()
    fill = [np.random.default_rng(k).random(5000) for k in range(20)]  # freed memory is used
    forward(fill[0], fill[1])
    value, of_x, of_y = map(array, results)
    del results
    gc.collect()
    np.testing.assert_array_equal(value, np.arange(5000) + 1)
    np.testing.assert_array_equal(later, np.arange(5000) + 3)
    np.testing.assert_array_equal(of_x, [2] * 5000)
    np.testing.assert_array_equal(of_y, [2] * 5000)
    value[:] = -1  # writable, and of no other result
    assert value.flags.writeable and (later == np.arange(5000) + 3).all()
    x = np.ones(4)
    first, second = array(lib.product(x, x)), array(lib.product(x, x))
    first += 1
    np.testing.assert_array_equal([x, second], np.ones((2, 4)))
    # A result as an argument, and after that as one that is changed.
    result = lib.product(x, x)
    lib.place(result, 2)
    np.testing.assert_array_equal(array(lib.product(result, x)), x)


def two_libraries():
    """Equal names in one process."""
    other = tvm_ffi.load_module("./librobust_too.so")
    x, y = random.uniform(0, 1, (2, 100))
    for _ in range(10):
        np.testing.assert_array_equal(array(lib.product(x, y)), x * y)
        np.testing.assert_array_equal(array(other.product(x, y)), x + y)
        fails(RuntimeError, "robust.chi:27:5", "place", x, 100)
        fails(RuntimeError, "robust_too.chi:20:5", "place", x, 100, of=other)
        of_x, of_y = map(array, other.product_vjp(x, y, 3, y))
        np.testing.assert_array_equal([of_x, of_y], [y, 3 * y])


def script_with_gradients():
    module = tvm_ffi.load_module("./librobust_grad.so")
    u, g = random.uniform(0.5, 1, (2, 50))

    def check():
        v = np.zeros(50)
        module.cube(u, v)
        np.testing.assert_allclose(v, u**3, 1e-12)
        np.testing.assert_allclose(array(module.cubes(u)), u**3, 1e-12)
        np.testing.assert_allclose(array(module.cubes_vjp(u, g)), 3 * u**2 * g, 1e-12)

    check()
    script = ctypes.CDLL("./librobust_grad.so")
    for _ in range(2):
        assert script.robust_grad_run(1, (ctypes.c_char_p * 1)(b"robust_grad")) == 0
        check()


def c_callers():
    """What a call of C printed, as a text."""
    c = ctypes.CDLL("./librobust.so")
    c.robust_last_error.restype = ctypes.c_char_p
    memory, shape = (ctypes.c_double * 3)(), (ctypes.c_int64 * 1)(3)
    for _ in range(3):
        assert c.robust_place(memory, shape, 3) == 1
        text = c.robust_last_error().decode()
        assert "robust.chi:27:5: error: index 3 is out of bounds" in text, text
        assert c.robust_place(memory, shape, 1) == 0
        assert c.robust_last_error() == b"" and list(memory) == [0, 1, 0]


print("{} threads, {} forks".format(threads(), forks()), flush=True)
if sys.argv[1:] != ["short"]:
    for step in (lifetimes, two_libraries, script_with_gradients, c_callers):
        step()
    print("{} kinds of calls with flat memory".format(memory()), flush=True)
    lib.say("an operator", 2)

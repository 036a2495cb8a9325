"""Operators for several types: the types of the arguments choose the instance."""
import sys

import numpy as np


def arguments(dtype):
    dice = np.random.default_rng(3)
    w = dice.integers(0, 4, (2, 5)).astype(dtype)
    k = dice.integers(0, 4, (3, 2, 5)).astype(dtype)
    y = np.full(k.shape, 0.5, dtype)
    for t in range(5):
        for u in range(t + 1):
            y[:, :, t] += w[:, 4 - (t - u)] * k[:, :, u]
    return w, k, y


def message_of(call, *args):
    try:
        return str(call(*args))
    except Exception as error:  # noqa: BLE001: of any class
        return f"{type(error).__name__}: {error}"


def check_library():
    import tvm_ffi
    lib = tvm_ffi.load_module("./generic/libgeneric.so")
    for dtype in (np.float32, np.float64, np.float16):
        w, k, expected = arguments(dtype)
        y = np.from_dlpack(lib.conv(w, k))
        assert y.dtype == dtype and (y == expected).all()
        grad = np.ones(k.shape, np.float32 if dtype == np.float16 else dtype)
        of_w, of_k = map(np.from_dlpack, lib.conv_vjp(w, k, 0.5, grad))
        assert of_w.dtype == of_k.dtype == dtype
        assert (of_k[:, :, 0] == w.sum(1)).all() and (of_w[:, 4] == k.sum((0, 2))).all()
        into = np.zeros_like(k)
        lib.get_function("conv.into")(w, k, into, 0.5)
        assert (into == expected).all()
    w, k, _ = arguments(np.float32)
    for wrong in ((w.astype("i4"), k), (w, k.astype("f8")), (w, k[0]), (w,), (None, k), (w, k, "a")):
        print(message_of(lib.conv, *wrong))
    for types in (("f4", "i4"), ("i4", "i4"), ("i4", "f8")):
        x, y = (np.array([3, 4], each) for each in types)
        lib.add(x, y)
        assert (x == [6, 8]).all()
    print(message_of(lib.add, np.zeros(2, "i4"), np.zeros(2, "f4")))
    print(message_of(lib.add, np.zeros(2, "f8"), np.zeros(2, "i4")))
    print(lib.double(1.5), lib.double(3), lib.last([1, 2, 3]), lib.plain(4), lib.conv_f32 is not None)
    print(message_of(lambda: lib.unnamed(w[0])))
    print(lib.get_function_doc("conv"))


def check_package():
    import generic
    w, k, expected = arguments(np.float64)
    assert (generic.conv(w, k) == expected).all()
    assert (generic.conv(k=k, w=w, eps=0.5) == expected).all()
    assert generic.conv_vjp(w, k, 0.5, k)[0].dtype == np.float64
    assert (generic.conv_f64(w, k) == expected).all()
    print(message_of(generic.conv_f32, w, k))


def check_torch():
    import torch
    from generic.torch import add, conv
    for dtype in (torch.float32, torch.float64):
        w, k, expected = map(torch.from_numpy, arguments(str(dtype).removeprefix("torch.")))
        w.requires_grad_(), k.requires_grad_()
        graph = torch.compile(lambda w, k: conv(w, k) * 2, fullgraph=True, backend="aot_eager")
        assert torch.equal(conv(w, k), expected) and torch.equal(graph(w, k), 2 * expected)
        graph(w, k).sum().backward()
        assert w.grad.dtype == dtype and torch.equal(w.grad[:, 4], 2 * k.sum((0, 2)))
        if dtype == torch.float64:
            assert torch.autograd.gradcheck(conv, (w, k))
    x = torch.tensor([1, 2], dtype=torch.int32)
    add(x, torch.tensor([1.0, 2.0], dtype=torch.float64))
    print(x.tolist(), message_of(conv, w, k.float()))


def check_jax():
    import jax
    from generic.jax import conv
    jax.config.update("jax_enable_x64", True)
    for dtype in (np.float32, np.float64):
        w, k, expected = arguments(dtype)
        assert (np.asarray(jax.jit(conv)(w, k)) == expected).all()
        of_w = jax.grad(lambda w: conv(w, k).sum())(w)
        assert of_w.dtype == dtype and (np.asarray(of_w)[:, 4] == k.sum((0, 2))).all()
    print(message_of(conv, w, k.astype("f4")))


{"library": check_library, "package": check_package, "torch": check_torch, "jax": check_jax}[sys.argv[1]]()

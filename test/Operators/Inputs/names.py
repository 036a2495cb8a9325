"""The functions of names.chi in NumPy, PyTorch and JAX."""
import warnings

import jax
import names
import names.jax
import names.torch
import numpy as np
import torch

warnings.filterwarnings("ignore")
x = np.array([1, 2], np.float32)


def slopes_of_torch(op):
    active = torch.tensor([1.0, 2.0], requires_grad=True)
    op(active).sum().backward()
    return active.grad.tolist()


def slopes_of_jax(op):
    return jax.grad(lambda active: op(active).sum())(x).tolist()


for module, slopes in ((names.torch, slopes_of_torch), (names.jax, slopes_of_jax)):
    print(module.__name__, "saved:", slopes(lambda a: module.saved(a, 3.0, 1)))
    print(module.__name__, "grad:", slopes(lambda a: module.grad(a, 5.0)))
    print(module.__name__, "torch:", slopes(module.torch))
    print(module.__name__, "map:", slopes(lambda a: module.map(a, 2.0, 3.0)[1]))
    print(module.__name__, "isinstance:", slopes(module.isinstance))
    print(module.__name__, "none:", float(module.none()))
batch = torch.func.vmap(names.torch.map, in_dims=(0, None, None))(torch.ones(2, 1), 2.0, 3.0)
print("batch:", [each.tolist() for each in batch])
print("numpy:", names.map(x, 1.0, 2.0)[1], names.isinstance(x))
y, u, truth, m = names.torch.wide(torch.ones(2).half(), torch.ones(1).double(), 7)
print("wide:", y.dtype, u, truth, m.tolist())


def slopes_of_half():
    active, rows = torch.ones(3).half().requires_grad_(), torch.ones(2, 2)
    with torch.autocast("cpu"):
        y = names.torch.half(active, rows)
    y.sum().backward()
    return f"{y.dtype} {active.grad.dtype} {active.grad.tolist()}"


def message_of(call):
    try:
        return str(call())
    except Exception as error:  # noqa: BLE001: of any class
        return f"{type(error).__name__}: {error}"


scaled = names.jax.scaled
print("vecs:", slopes_of_torch(lambda a: names.torch.Sequence(a, [4.0, 5.0, 6.0])),
      slopes_of_torch(lambda a: names.torch.f(a, [4.0, 5.0, 6.0])))
print("half:", slopes_of_half())
print("scaled:", scaled(x), slopes_of_jax(lambda a: scaled(a, 0.5, np.int64(3), np.bool_(False))))
for wrong in ((1, 2.5), (1, 300), (1, 3, 7)):
    print(message_of(lambda: scaled(x, *wrong)))
print(message_of(lambda: torch.func.vmap(names.torch.scaled)(torch.ones(0, 2))))

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


def hidden(module, *args, **kwargs):
    return [float(each) for each in module.hidden(*args, _ctx_=7, **kwargs)]


print("hidden:", hidden(names, x), hidden(names.torch, torch.tensor(x), _np_=5), hidden(names.jax, x, _jax_=2))
print("slopes:", slopes_of_torch(lambda a: names.torch.hidden(a, 2.0)), slopes_of_jax(lambda a: names.jax.hidden(a, 2.0)))
print("private:", any(hasattr(each, "_like") and "copy" in str(each._like) for each in (names.torch, names.jax)),
      np.from_dlpack(names._lib._like(x)))

# What the library would refuse, where JAX and PyTorch only trace.
fake = torch.empty(2, device="meta")
for call in (lambda: names.jax.hidden(np.ones((2, 2), np.float32), 1.0),
             lambda: jax.jit(names.jax.hidden, static_argnums=1)(np.ones(2, np.float16), 1.0),
             lambda: names.jax.hidden([1.0, 2.0], 1.0),
             lambda: names.jax.hidden(x, "1"),
             lambda: names.jax.hidden(x, 1.0, 2.5),
             lambda: names.jax.hidden(x, 1.0, 3, 2**63),
             lambda: names.jax.hidden(x, 1.0, 3, -1),
             lambda: names.jax.hidden(x, 1.0, 3, 4, 1),
             lambda: names.jax.vecs(np.ones((2, 4), np.float32)),
             lambda: torch.ops.names.hidden(fake[None], 1.0),
             lambda: torch.ops.names.hidden(fake.half(), 1.0),
             lambda: torch.ops.names.hidden_vjp(fake, 1.0, 3, 4, True, fake.double()),
             lambda: torch.ops.names.vecs(torch.empty(2, 4, device="meta")),
             lambda: names.hidden(x, 1.0, 3, 2**63),
             lambda: names.hidden(x, 1.0, 3, 2**64)):
    print(message_of(call))

"""The packages of examples/ops in PyTorch, against references.py, and in JAX."""
import importlib
import warnings

import numpy as np
import references
import torch

warnings.filterwarnings("ignore")


def tensor(value, isActive=False):
    if not isinstance(value, np.ndarray):
        return value
    made = torch.from_numpy(value)
    return made.requires_grad_() if isActive and made.is_floating_point() else made


def operator(name):
    return getattr(importlib.import_module(name + ".torch"), name)


def check_values():
    cases = references.cases()
    for name, args, tolerance in cases:
        value = operator(name)(*map(tensor, args)).numpy()
        np.testing.assert_allclose(value, getattr(references, name)(*args),
                                   rtol=tolerance, atol=tolerance, err_msg=name)
    return len(cases)


def check_operators():
    """torch.library's own checks, and the operator in a compiled graph."""
    checked, compiled = set(), 0
    for name, args, _ in references.cases():
        if name in checked or any(isinstance(each, np.ndarray) and each.size < 8
                                  for each in args[:1]):
            continue
        checked.add(name)
        op = operator(name)
        hasGradient = hasattr(importlib.import_module(name), name + "_vjp")
        given = [tensor(each, hasGradient) for each in args]
        registered = getattr(getattr(torch.ops, name), name).default
        torch.library.opcheck(registered, tuple(given))
        if hasGradient:
            graph = torch.compile(lambda *some: op(*some) * 2, fullgraph=True,
                                  backend="aot_eager")
            twice = graph(*given)
            assert torch.allclose(twice, 2 * op(*given))
            twice.sum().backward()
            compiled += 1
    return len(checked), compiled


def check_gradients():
    """Of `conv`, beside the same by PyTorch's own operators."""
    torch.manual_seed(0)
    w = torch.randn(3, 8, requires_grad=True)
    k = torch.randn(2, 3, 8, requires_grad=True)
    seed = torch.randn(2, 3, 8)
    padded = torch.nn.functional.pad(k, (7, 0))
    expected = torch.nn.functional.conv1d(padded, w.unsqueeze(1), groups=3) + 0.1
    found = operator("conv")(w, k, 0.1)
    assert torch.allclose(found, expected, atol=1e-5)
    for a, b in zip(torch.autograd.grad(found, (w, k), seed),
                    torch.autograd.grad(expected, (w, k), seed)):
        assert torch.allclose(a, b, atol=1e-4)


print(check_values(), "values,", "{} operators checked, {} compiled,".format(*check_operators()),
      end=" ")
check_gradients()
print("gradients agree")

import conv  # noqa: E402
import jax.numpy as jnp  # noqa: E402

w, k = jnp.ones((3, 8)), jnp.ones((2, 3, 8))
y = conv.conv(w, k)
ofW, ofK = conv.conv_vjp(w, k, 0.1, y)
assert type(y) is type(ofW) is type(w)
print("jax:", y.shape, ofW.shape, ofK.shape)

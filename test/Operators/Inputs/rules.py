"""torch.func.vmap over the operators of examples/ops, and autocast."""
import copy
import importlib
import pickle
import warnings

import numpy as np
import references
import torch

warnings.filterwarnings("ignore")


def tensors(args):
    return [torch.from_numpy(each) if isinstance(each, np.ndarray) else each for each in args]


def check_batches():
    """A batch of two equal elements, in turns along the first and the last axis."""
    seen = set()
    for number, (name, args, _) in enumerate(references.cases()):
        op = getattr(importlib.import_module(name + ".torch"), name)
        given = tensors(args)
        axis = -1 if number % 2 else 0
        dims = tuple(axis if isinstance(each, torch.Tensor) else None for each in given)
        batch = [torch.stack([each, each], dim=axis) if isinstance(each, torch.Tensor) else each
                 for each in given]
        found = torch.func.vmap(op, in_dims=dims)(*batch)
        for each in found:
            assert torch.equal(each, op(*given)), name
        seen.add(name)
    return len(seen)


def check_backward(conv):
    """Gradients through a batch are those of its elements."""
    torch.manual_seed(0)
    w, k = torch.randn(4, 3, 8, requires_grad=True), torch.randn(4, 2, 3, 8, requires_grad=True)
    torch.func.vmap(conv, in_dims=(0, 0, None))(w, k, 0.5).square().sum().backward()
    found = w.grad, k.grad
    w.grad = k.grad = None
    sum(conv(u, v, 0.5).square().sum() for u, v in zip(w, k)).backward()
    return all(torch.allclose(a, b) for a, b in zip(found, (w.grad, k.grad)))


def check_autocast(conv):
    layer, w, x = torch.nn.Linear(8, 8), torch.randn(3, 8), torch.randn(2, 3, 8)
    with torch.autocast("cpu", torch.bfloat16):
        made = layer(x)
        y = conv(w, made, 0.1)
    y.sum().backward()
    return f"{made.dtype} {y.dtype} {bool(layer.weight.grad.abs().sum() > 0)}"


def check_tangents(conv):
    """Forward mode would silently be zero."""
    w, k = torch.randn(3, 8), torch.randn(2, 3, 8)
    try:
        torch.func.jvp(lambda each: conv(each, k, 0.1), (w,), (w,))
    except NotImplementedError as error:
        return error
    return "no exception"


print("vmap:", check_batches(), "operators")
operator = importlib.import_module("conv.torch").conv
print("gradients of batches:", check_backward(operator))
print("autocast:", check_autocast(operator))
print("tangents:", check_tangents(operator))
print("pickled:", pickle.loads(pickle.dumps(operator)) is operator, copy.deepcopy(operator) is operator)

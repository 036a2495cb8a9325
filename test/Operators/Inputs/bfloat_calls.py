"""Calls of bfloats.chi, compared with PyTorch, which rounds each operation, too."""
import torch

import bfloats.torch as ours

torch.manual_seed(0)
x, y = (torch.randn(40, 30, dtype=torch.bfloat16) for _ in range(2))
out = ours.scaled(0.3, x, y)
a = torch.tensor(0.3, dtype=torch.bfloat16)
print("torch:", torch.equal(out, a * x + y), out.dtype)

x.requires_grad_(), y.requires_grad_()
ours.scaled(0.5, x, y).float().sum().backward()
halves = torch.full_like(x, 0.5)
print("gradients:", torch.equal(x.grad, halves), x.grad.dtype, torch.equal(y.grad, halves * 2))
try:
    ours.scaled(0.5, x.detach().half(), y)
except TypeError as error:
    print("TypeError:", error)
print("sum:", float(ours.total(torch.ones(255, dtype=torch.bfloat16))))

import jax.numpy as jnp

import bfloats.jax as theirs

u = jnp.arange(6, dtype=jnp.bfloat16).reshape(2, 3)
made = theirs.scaled(0.5, u, u)
print("jax:", bool((made == jnp.bfloat16(1.5) * u).all()), made.dtype)

"""An operator in all its forms as functions without arguments, which are checked and then timed."""
import importlib
import importlib.util

import numpy as np
import torch

from forms import FORMS, compiled

OTHERS = {"jax": "jax_forms", "taichi": "taichi_forms"}
TOLERANCE = {"forward": 1e-4, "both": 1e-3}  # of the greatest magnitude, at least 1


def others():
    """{framework: {operator: form}} of the frameworks that are installed."""
    return {name: importlib.import_module(module).FORMS for name, module in OTHERS.items()
            if importlib.util.find_spec(name)}


def of_torch(form, case, seed, way):
    """A form that takes tensors of PyTorch."""
    arguments = case.of(isActive=way == "both")
    active = [each for each in arguments if isinstance(each, torch.Tensor) and each.requires_grad]

    def forward():
        with torch.no_grad():
            return [form(*arguments)]

    def both():
        return torch.autograd.grad(form(*arguments), active, seed)

    return both if way == "both" else forward


def of_jax(form, case, seed, way):
    """A form in JAX, compiled for the numbers among its arguments."""
    import jax
    given = [jax.numpy.asarray(each.numpy()) if isinstance(each, torch.Tensor) else each for each in case.arguments]
    active = [at for at, each in enumerate(given) if hasattr(each, "dtype") and each.dtype == np.float32]
    tensors = [at for at, each in enumerate(given) if hasattr(each, "dtype")]

    def apply(*some):
        arguments = list(given)
        for at, each in zip(tensors, some):
            arguments[at] = each
        return form(*arguments)

    def pull(seed, *some):
        rest = dict(zip(tensors, some))

        def of_active(*changed):
            now = {**rest, **dict(zip(active, changed))}
            return apply(*(now[at] for at in tensors))
        return jax.vjp(of_active, *(rest[at] for at in active))[1](seed)

    some = [given[at] for at in tensors]
    forward, both = jax.jit(apply), jax.jit(pull)
    if way == "forward":
        return lambda: [jax.block_until_ready(forward(*some))]
    seed = jax.numpy.asarray(seed.numpy())
    return lambda: jax.block_until_ready(both(seed, *some))


def programs_of(case, operator, seed):
    """{(form, direction): function}; "chi" first, then PyTorch's eager form."""
    found = {}
    torch_forms = {**FORMS[case.operator]}
    eager = next(iter(torch_forms))
    torch_forms["compiled"] = compiled(case.operator)
    for way in ("forward", "both") if case.active else ("forward",):
        found["chi", way] = of_torch(operator, case, seed, way)
        for name, form in torch_forms.items():
            found["eager" if name == eager else name, way] = of_torch(form, case, seed, way)
        for framework, forms in others().items():
            if case.operator not in forms or framework == "taichi" and way == "both":
                continue
            make = of_jax if framework == "jax" else of_torch
            found[framework, way] = make(forms[case.operator], case, seed, way)
    return found


def difference(found, expected, way):
    """What is wrong with results, compared with those of PyTorch's eager form; "" if nothing."""
    for at, (ours, theirs) in enumerate(zip(found, expected, strict=True)):
        ours, theirs = np.asarray(ours), np.asarray(theirs)
        if ours.shape != theirs.shape:
            return f"result {at} has shape {ours.shape}, expected {theirs.shape}"
        if ours.size == 0:
            continue
        apart = np.abs(ours.astype(np.float64) - theirs).max()
        allowed = TOLERANCE[way] * max(1.0, float(np.abs(theirs).max()))
        if not apart <= allowed:
            return f"result {at} differs by {apart:.3g}, allowed {allowed:.3g}"
    return ""

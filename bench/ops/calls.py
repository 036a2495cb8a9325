"""What a call costs: operators on tensors of four numbers."""
import numpy as np
import torch

from timing import call, least_of, of_short, rounds_of

ASKED = {"tvm-ffi, torch": 2, "tvm-ffi, NumPy": 2, "tvm-ffi, torch, a result": 2, "torch operator": 8,
         "torch operator, gradients": 20}  # microseconds
OURS = [*ASKED, "torch operator, gradients, and backward"]


@torch.library.custom_op("chi_bench::made", mutates_args=())
def custom(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, d: torch.Tensor) -> torch.Tensor:
    """A peer: an operator of PyTorch in Python that only makes its result."""
    return torch.empty_like(a)


@custom.register_fake
def _(a, b, c, d):
    return torch.empty_like(a)


def _backward(ctx, grad):
    return grad, grad, grad, grad


custom.register_autograd(_backward)


def programs(package, operator):
    """{name: function}. `package` has the library, `operator` is that of PyTorch."""
    four, made = package._lib.four, package._lib.made
    plain = [torch.full((4,), float(each)) for each in (2, 3, 4, 5)]
    active = [each.clone().requires_grad_() for each in plain]
    arrays = [each.numpy().copy() for each in plain]
    seed = torch.ones(4)
    return {
        "tvm-ffi, torch": lambda: four(*plain),
        "tvm-ffi, NumPy": lambda: four(*arrays),
        "tvm-ffi, torch, a result": lambda: made(*plain),
        "torch operator": lambda: operator(*plain),
        "torch operator, gradients": lambda: operator(*active),
        "torch operator, gradients, and backward": lambda: torch.autograd.grad(operator(*active), active, seed),
        "custom_op in Python": lambda: custom(*plain),
        "custom_op in Python, gradients": lambda: custom(*active),
        "custom_op in Python, gradients, and backward": lambda: torch.autograd.grad(custom(*active), active, seed),
        "a * b + c * d of PyTorch": lambda: plain[0] * plain[1] + plain[2] * plain[3],
        "a * b + c * d of PyTorch, gradients": lambda: active[0] * active[1] + active[2] * active[3]}


def wrong(package, operator):
    """What is wrong with the results; "" if nothing."""
    a, b, c, y = (torch.full((4,), float(each)) for each in (2, 3, 4, 0))
    package._lib.four(a, b, c, y)
    given = [each.clone().requires_grad_() for each in (a, b, c, a)]
    made = operator(*given)
    grads = torch.autograd.grad(made, given, torch.ones(4))
    arrays = [each.numpy().copy() for each in (a, b, c, y)]
    package._lib.four(*arrays)
    good = (y == 10).all() and (made == 14).all() and np.all(arrays[3] == 10)
    good = good and all((found == number).all() for found, number in zip(grads, (3, 2, 2, 4)))
    return "" if good else "an operator on four numbers has wrong results"


def measure_calls(package, operator, rounds):
    """A row for each way to call."""
    if error := wrong(package, operator):
        return [{"case": "call", "error": error}]
    found = programs(package, operator)
    first = {name: call(program)[1] for name, program in found.items()}
    times = rounds_of(found, rounds, first, of_short)
    return [{"case": name, "us": 1e3 * sorted(of)[len(of) // 2][0], "least_us": 1e3 * least_of(of), "asked": ASKED.get(name),
             "ours": name in OURS, "ms": of} for name, of in times.items()]


def print_calls(rows):
    print("| call with four tensors | µs | least | asked |")
    print("|---|---|---|---|")
    for row in rows:
        if "error" in row:
            print(f"| {row['case']} | {row['error']} |")
            continue
        print(f"| {row['case']} | {row['us']:.2f} | {row['least_us']:.2f} | {row['asked'] or '–'} |", flush=True)


def misses(rows):
    """Lines for the calls that take longer than asked, by their least times."""
    return [f"missed: a call by {row['case']} takes {row['least_us']:.2f} µs, asked {row['asked']}"
            for row in rows if row.get("asked") and row["least_us"] > row["asked"]]

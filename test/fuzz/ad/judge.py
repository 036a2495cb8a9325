"""The end of each program: its gradient by a tape, then by differences, and in some by
forward mode, or the derivatives of a gradient by a tape in a tape, or by forward mode over
a tape; with a budget, the bits of the gradient."""
JUDGE = """
x.copy_from(x0)
with Tape(loss=L):
    forward()
print("loss", L[None])

def lossAt(i: i32, h: f64) -> f64:
    x.copy_from(x0)
    x[i] += h
    L[None] = 0
    forward()
    return L[None]

for i in range({n}):
    d1 = (lossAt(i, 1e-4) - lossAt(i, -1e-4)) / 2e-4
    d2 = (lossAt(i, 1e-5) - lossAt(i, -1e-5)) / 2e-5
    d3 = (lossAt(i, 3e-6) - lossAt(i, -3e-6)) / 6e-6
    print("d", i, x.grad[i], d1, d2, d3)
"""

FORWARD = """
for i in range({n}):
    x.copy_from(x0)
    x.dual.fill(0)
    x.dual[i] = 1
    L[None] = 0
    L.dual.fill(0)
    with Forward():
        forward()
    print("f", i, x.grad[i], L.dual[None])
"""

NESTED = """
M = field(f64)
weights = field(f64, shape={n})
second = field(f64, shape={n})

@kernel
def turn():
    for i in x:
        M[None] += weights[i] * x.grad[i]

def slope():
    with Tape(loss=L):
        forward()
    turn()

def slopeAt(i: i32, h: f64) -> f64:
    x.copy_from(x0)
    x[i] += h
    M[None] = 0
    slope()
    return M[None]

for i in range({n}):
    weights[i] = 1 - 0.7 * i
x.copy_from(x0)
with Tape(loss=M):
    slope()
second.copy_from(x.grad)
print("loss", M[None])
for i in range({n}):
    d1 = (slopeAt(i, 1e-4) - slopeAt(i, -1e-4)) / 2e-4
    d2 = (slopeAt(i, 1e-5) - slopeAt(i, -1e-5)) / 2e-5
    d3 = (slopeAt(i, 3e-6) - slopeAt(i, -3e-6)) / 6e-6
    print("d", i, second[i], d1, d2, d3)
"""

HESSIAN = """
for i in range({n}):
    x.copy_from(x0)
    x.dual.fill(0)
    x.dual[i] = 1
    with Forward():
        with Tape(loss=L):
            forward()
    product = 0.0
    for j in range({n}):
        product += weights[j] * x.grad.dual[j]
    print("f", i, second[i], product)
"""

BUDGET = """
x.copy_from(x0)
if budget == "":
    with Tape(loss=L):
        forward()
else:
    with Tape(loss=L, memory=budget):
        forward()
print("bits", L[None], x.grad)
if budget != "":
    exit(0)
"""

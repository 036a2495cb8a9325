"""The end of each program: its gradient by a tape, then by differences, and in some by
forward mode."""
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

"""The product by NumPy, which is OpenBLAS."""
import argparse
import time

import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("--n", type=int, default=64)
parser.add_argument("--repeats", type=int, default=1)
options = parser.parse_args()
i, j = np.ogrid[:options.n, :options.n]
a = (((3 * i + 5 * j) % 17) / 16 - 0.5).astype(np.float32)
b = (((7 * i + 2 * j) % 19) / 16 - 0.5).astype(np.float32)
c = a @ b
start = time.perf_counter()
for _ in range(options.repeats):
    np.matmul(a, b, out=c)
seconds = time.perf_counter() - start
print(f"{1e3 * seconds / max(options.repeats, 1):.5f} ms per product")
print(f"trace = {np.trace(c.astype(np.float64)):.8e}")
print(f"absolute = {np.abs(c.astype(np.float64)).sum():.8e}")

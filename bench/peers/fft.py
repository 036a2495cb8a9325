"""The transform by NumPy (pocketfft), in single precision, one thread."""
import argparse
import time

import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("--logn", type=int, default=10)
parser.add_argument("--repeats", type=int, default=1)
options = parser.parse_args()
n = 1 << options.logn
i = np.arange(n)
x = np.empty(n, np.complex64)
x.real = (i * 37 % 101).astype(np.float32) / np.float32(101) - np.float32(0.5)
x.imag = (i * 53 % 103).astype(np.float32) / np.float32(103) - np.float32(0.5)
y = np.fft.fft(x)
start = time.perf_counter()
for _ in range(options.repeats):
    y = np.fft.fft(x)
seconds = time.perf_counter() - start
print(f"{1e3 * seconds / max(options.repeats, 1):.5f} ms per transform")
for k in range(3):
    at = y[k * 7919 % n]
    print(f"x{k} = {at.real:.6e}\ny{k} = {at.imag:.6e}")
print(f"power = {(np.abs(y[:min(n, 4096)].astype(np.complex128)) ** 2).sum():.6e}")

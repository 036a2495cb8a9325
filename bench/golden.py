#!/usr/bin/env python3
"""Computes the values that the cases of bench/programs must print, with NumPy.

    golden.py [CASE …]

writes them to golden.json: for each case its names, values and the relative
error that is allowed (0: exactly). Nothing of Chi or of the C++ programs is
used; bench.py compares both with the file in every run.
"""
import json
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
CASES = json.loads((HERE / "cases.json").read_text())


def flags(case):
    args = CASES[case]["args"]
    return {args[k].removeprefix("--"): int(args[k + 1]) if args[k + 1].isdigit() else True
            for k in range(0, len(args), 2)}


def heat3d(n, steps):
    i, j, k = np.ogrid[:n, :n, :n]
    a = ((7 * i + 13 * j + 29 * k) % 101).astype(np.float64) / 101
    inner = slice(1, -1)
    for _ in range(steps):
        around = -6 * a[inner, inner, inner]
        for axis in range(3):
            for shift in (slice(None, -2), slice(2, None)):
                index = [inner] * 3
                index[axis] = shift
                around += a[tuple(index)]
        a[inner, inner, inner] += 0.1 * around
    return {"sum": (a.sum(), 1e-9), "quarter": (a[n // 4, n // 3, n // 2], 1e-9), "corner": (a[1, 1, 1], 1e-9)}


def life(n, steps):
    i, j = np.ogrid[:n, :n]
    h = (i.astype(np.uint32) * np.uint32(0x9E3779B1)) ^ (j.astype(np.uint32) * np.uint32(0x85EBCA77))
    a = (((h ^ (h >> 15)) * np.uint32(0x846CA68B)) >> 31).astype(np.uint8)
    for _ in range(steps):
        rows = a + np.roll(a, 1, 0) + np.roll(a, -1, 0)
        around = rows + np.roll(rows, 1, 1) + np.roll(rows, -1, 1) - a
        a = ((around == 3) | ((around == 2) & (a == 1))).astype(np.uint8)
    weights = (i * 31 + j * 17) % 1009
    return {"alive": (int(a.sum(dtype=np.int64)), 0), "weight": (int((a * weights).sum()), 0)}


def matmul(n, repeats):
    i, j = np.ogrid[:n, :n]
    a = ((3 * i + 5 * j) % 17) / 16 - 0.5
    b = ((7 * i + 2 * j) % 19) / 16 - 0.5
    c = a @ b
    return {"trace": (float(np.trace(c)), 1e-4), "absolute": (float(np.abs(c).sum()), 1e-4)}


def fft(logn, repeats):
    n = 1 << logn
    i = np.arange(n)
    x = ((i * 37 % 101).astype(np.float32) / np.float32(101) - np.float32(0.5)).astype(np.complex128)
    x += 1j * ((i * 53 % 103).astype(np.float32) / np.float32(103) - np.float32(0.5))
    y = np.fft.fft(x)
    found = {}
    for k in range(3):
        at = y[k * 7919 % n]
        # A small bin has the error of the large ones.
        tolerance = 1e-4 if k == 0 else 1e-2
        found[f"x{k}"], found[f"y{k}"] = (at.real, tolerance), (at.imag, tolerance)
    found["power"] = (float((np.abs(y[:min(n, 4096)]) ** 2).sum()), 1e-4)
    return found


def radix(n, repeats):
    h = np.arange(n, dtype=np.uint32)
    h = (h ^ (h >> 16)) * np.uint32(0x7FEB352D)
    h = (h ^ (h >> 15)) * np.uint32(0x846CA68B)
    keys = np.sort(h ^ (h >> 16))
    weight = int((keys.astype(object) * (np.arange(n) % 1009)).sum()) % 2**64
    return {"disorder": (0, 0), "weight": (weight, 0), "middle": (int(keys[n // 2]), 0)}


def histogram(n, repeats, skewed):
    h = np.arange(n, dtype=np.uint32)
    h = (h ^ (h >> 16)) * np.uint32(0x7FEB352D)
    h = (h ^ (h >> 15)) * np.uint32(0x846CA68B)
    h ^= h >> 16
    keys = np.where(h & 15 != 0, 7, h >> 24) if skewed else h >> 24
    count = np.bincount(keys, minlength=256)
    return {"h[7]": (int(count[7]), 0), "least": (int(count.min()), 0), "most": (int(count.max()), 0),
            "weighted": (int((count * np.arange(256)).sum()), 0)}


PROGRAMS = {"histogram": histogram, "heat3d": heat3d, "life": life, "matmul": matmul, "blocked": matmul, "fft": fft, "radix": radix}


def main():
    path = HERE / "golden.json"
    golden = json.loads(path.read_text()) if path.exists() else {}
    for case, entry in CASES.items():
        program = entry.get("program", entry.get("peer"))
        if program and (len(sys.argv) == 1 or case in sys.argv[1:]):
            golden[case] = PROGRAMS[program](**flags(case))
            print(case, golden[case], flush=True)
    path.write_text("{\n" + ",\n".join(f'  "{k}": {json.dumps(v)}' for k, v in golden.items()) + "\n}\n")


if __name__ == "__main__":
    main()

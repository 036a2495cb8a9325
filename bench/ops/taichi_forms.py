"""`conv` and `pad` in Taichi, on tensors of PyTorch."""
import os

import taichi as ti
import torch

ti.init(ti.cpu, log_level=ti.ERROR, cpu_max_num_threads=int(os.environ.get("CHI_THREADS", os.cpu_count())))


@ti.kernel
def filter(w: ti.types.ndarray(dtype=ti.f32, ndim=2), k: ti.types.ndarray(dtype=ti.f32, ndim=3), eps: ti.f32,
           y: ti.types.ndarray(dtype=ti.f32, ndim=3)):
    for b, c, t in y:
        s = eps
        for u in range(t + 1):
            s += w[c, w.shape[1] - 1 - (t - u)] * k[b, c, u]
        y[b, c, t] = s


@ti.kernel
def lay(tile: ti.types.ndarray(dtype=ti.f32, ndim=2), pw: int, ph: int, shift: int,
        img: ti.types.ndarray(dtype=ti.f32, ndim=2)):
    for row, col in img:
        height, width = tile.shape[0], tile.shape[1]
        x, y = col - pw, img.shape[0] - 1 - row + ph
        v = y // height
        u = (x - shift * v) // width
        img[row, col] = tile[height - 1 - (y - height * v), x - width * u - shift * v]


def conv(w, k, eps=0.1):
    y = torch.empty_like(k)
    filter(w, k, eps, y)
    return y


def pad(tile, pw, ph, shift=10):
    img = torch.empty(tile.shape[0] + 2 * ph, tile.shape[1] + 2 * pw)
    lay(tile, pw, ph, shift, img)
    return img


FORMS = {"conv": conv, "pad": pad}

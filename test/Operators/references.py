#!/usr/bin/env python3
"""What the operators of examples/ops compute, in NumPy, and inputs for them.

Each operator NAME has a function NAME(arguments…) here, with the parameters and
defaults of the Chi function. It computes in double precision and returns what
the operator returns. `cases()` lists inputs, `refused()` wrong ones.
"""
import math

import numpy as np


def conv(w, k, eps=0.1):
    batch, channels, times = k.shape
    weights = w.shape[1]
    y = np.full(k.shape, eps, np.float64)
    for t in range(times):
        for u in range(t + 1):
            past = weights - 1 - (t - u)
            y[:, :, t] += np.float64(w[:, past]) * k[:, :, u]
    return y.astype(np.float32)


def pad(tile, pw, ph, shift=10):
    height, width = tile.shape
    rows, columns = height + 2 * ph, width + 2 * pw
    img = np.empty((rows, columns), np.float32)
    for row in range(rows):
        # Python's divmod rounds down, as the definition needs.
        brick, up = divmod(rows - 1 - row + ph, height)
        for col in range(columns):
            img[row, col] = tile[height - 1 - up,
                                 (col - pw - shift * brick) % width]
    return img


def bilateral_filter(x, sigma_space=1.5, sigma_value=0.1, radius=4):
    x = x.astype(np.float64)
    batch, channels, height, width = x.shape
    y = np.empty_like(x)
    rows, columns = np.mgrid[:height, :width]
    for i in range(height):
        for j in range(width):
            window = (abs(rows - i) <= radius) & (abs(columns - j) <= radius)
            space = (rows - i) ** 2 + (columns - j) ** 2
            here = x[:, :, i, j][:, :, None, None]
            value = ((x - here) ** 2).sum(axis=1)
            weight = window * np.exp(-space / (2 * sigma_space ** 2)
                                     - value / (2 * sigma_value ** 2))
            total = weight.sum(axis=(1, 2))
            y[:, :, i, j] = (np.einsum("brc,bkrc->bk", weight, x)
                             / total[:, None])
    return y.astype(np.float32)


def trilinear(values, point):
    """`values` (X, Y, Z, channels) at a point in voxels, with zeros outside."""
    framed = np.zeros([n + 2 for n in values.shape[:3]] + [values.shape[3]])
    framed[1:-1, 1:-1, 1:-1] = values
    point = np.float64(point) + 1  # one voxel of zeros on each side
    limit = np.array(framed.shape[:3]) - 1
    if (point <= 0).any() or (point >= limit).any():
        return np.zeros(values.shape[3])
    low = np.floor(point).astype(int)
    part = point - low
    block = framed[tuple(slice(a, a + 2) for a in low)]
    for p in part:  # each contraction removes the first axis
        block = (1 - p) * block[0] + p * block[1]
    return block


def grid_sample_3d(volume, grid):
    batch, channels, depth, height, width = volume.shape
    y = np.empty((batch, channels) + grid.shape[1:4])
    size = np.array([width, height, depth])
    for n in range(batch):
        values = volume[n].transpose(3, 2, 1, 0)  # x, y, z, channel
        for place in np.ndindex(*grid.shape[1:4]):
            at = (np.float64(grid[(n, *place)]) + 1) / 2 * (size - 1)
            y[(n, slice(None), *place)] = trilinear(values, at)
    return y.astype(np.float32)


def scatter_softmax(x, rows):
    y = np.zeros(x.shape)
    for begin, end in zip(rows[:-1], rows[1:]):
        if begin < end:
            part = x[begin:end].astype(np.float64)
            powers = np.exp(part - part.max(axis=0, keepdims=True))
            y[begin:end] = powers / powers.sum(axis=0, keepdims=True)
    return y.astype(np.float32)


def selective_scan(x, delta, A, B, C, D):
    x, delta = x.astype(np.float64), delta.astype(np.float64)
    batch, channels, times = x.shape
    h = np.zeros((batch, channels, A.shape[1]))
    y = np.empty_like(x)
    for t in range(times):
        decay = np.exp(delta[:, :, t, None] * A)
        h = decay * h + (delta[:, :, t, None] * B[:, None, :, t]
                         * x[:, :, t, None])
        y[:, :, t] = (h * C[:, None, :, t]).sum(axis=2) + D * x[:, :, t]
    return y.astype(np.float32)


def voxel_raymarch(volume, origins, directions, near, far, steps=128,
                   least=1e-4):
    out = np.empty((len(origins), 4))
    step = (far - near) / steps
    for r, (origin, toward) in enumerate(zip(origins, directions)):
        toward = np.float64(toward) / np.linalg.norm(np.float64(toward))
        colour, through = np.zeros(3), 1.0
        for k in range(steps):
            if through < least:
                break
            light = trilinear(volume, origin + (near + (k + 0.5) * step) * toward)
            opacity = 1 - math.exp(-light[3] * step)
            colour += through * opacity * light[:3]
            through *= 1 - opacity
        out[r, :3], out[r, 3] = colour, 1 - through
    return out.astype(np.float32)


def farthest_point_sampling(points, count, first=0):
    points = points.astype(np.float64)
    chosen = np.zeros((len(points), count), np.int32)
    for b, cloud in enumerate(points):
        for k in range(count):
            if k == 0:
                chosen[b, k] = first
                continue
            away = cloud[:, None, :] - cloud[chosen[b, :k]][None, :, :]
            nearest = (away ** 2).sum(axis=2).min(axis=1)
            chosen[b, k] = nearest.argmax()  # the first of several
    return chosen


def rotary_embedding(x, base=10_000, start=0, halves=True):
    times, features = x.shape[2:]
    pairs = features // 2
    position = start + np.arange(times)
    turn = np.exp(1j * np.outer(
        position, float(base) ** (-2 * np.arange(pairs) / max(features, 1))))
    y = np.empty(x.shape)
    if halves:
        first, second = slice(0, pairs), slice(pairs, None)
    else:
        first, second = slice(0, None, 2), slice(1, None, 2)
    z = (x[..., first] + 1j * x[..., second]) * turn
    y[..., first], y[..., second] = z.real, z.imag
    return y.astype(np.float32)


def rows_of(*lengths):
    return np.cumsum([0, *lengths], dtype=np.int32)


def cases():
    """[(name, arguments, tolerance)]: the result may differ from that of the
    reference by the tolerance, times the greatest magnitude (at least 1)."""
    random = np.random.default_rng(20_231)
    found = []

    def uniform(*shape, low=-1.0, high=1.0):
        return random.uniform(low, high, shape).astype(np.float32)

    def add(name, *arguments, tolerance=1e-5):
        found.append((name, arguments, tolerance))

    for batch, channels, times, weights in ((1, 1, 1, 1), (2, 3, 8, 8),
                                            (3, 2, 17, 20), (2, 5, 64, 64),
                                            (0, 2, 3, 3), (2, 0, 3, 3),
                                            (2, 3, 0, 4), (1, 2, 0, 0)):
        add("conv", uniform(channels, weights), uniform(batch, channels, times),
            0.25)
    add("conv", uniform(2, 4), uniform(1, 2, 4))

    for height, width, pw, ph, shift in ((1, 1, 0, 0, 0), (2, 3, 4, 5, -7),
                                         (5, 4, 3, 0, 2), (3, 7, 0, 11, 1),
                                         (48, 32, 64, 40, 10)):
        add("pad", uniform(height, width), pw, ph, shift, tolerance=0)
    add("pad", uniform(4, 6), 9, 8, tolerance=0)

    for batch, channels, height, width, radius in ((1, 1, 1, 1, 3),
                                                   (2, 3, 6, 5, 2),
                                                   (1, 1, 9, 16, 0),
                                                   (1, 4, 7, 3, 9)):
        add("bilateral_filter", uniform(batch, channels, height, width), 1.25,
            0.75, radius)
    add("bilateral_filter", uniform(1, 3, 12, 11, low=0))
    for shape in ((0, 3, 4, 4), (2, 3, 0, 4), (2, 0, 3, 4)):
        add("bilateral_filter", uniform(*shape))

    for volume, points in (((1, 1, 1, 1, 1), (1, 1, 5)), ((2, 3, 4, 5, 6), (3, 2, 4)),
                           ((1, 2, 7, 2, 3), (2, 1, 9)), ((0, 2, 3, 3, 3), (2, 2, 2)),
                           ((2, 0, 3, 3, 3), (2, 2, 2)), ((2, 2, 3, 3, 3), (2, 0, 2)),
                           ((1, 2, 0, 3, 3), (1, 2, 3))):
        add("grid_sample_3d", uniform(*volume),
            uniform(volume[0], *points, 3, low=-1.4, high=1.4))
    # The middles of the voxels and the borders, exactly.
    corners = np.stack(np.meshgrid(*[np.float32([-1, -0.5, 0, 0.5, 1])] * 3), -1)
    add("grid_sample_3d", uniform(1, 2, 5, 3, 9), corners[None])

    for heads, rows in ((1, rows_of(1)), (4, rows_of(3, 0, 5, 1)),
                        (3, rows_of(0, 0, 31, 64, 0)), (0, rows_of(2, 2)),
                        (2, rows_of(0, 0)), (2, rows_of())):
        add("scatter_softmax", uniform(rows[-1], heads, low=-9, high=9), rows)
    add("scatter_softmax", uniform(6, 2, low=-200, high=200), rows_of(2, 4))

    for batch, channels, times, states in ((1, 1, 1, 1), (2, 3, 8, 4), (1, 5, 33, 16),
                                           (3, 2, 7, 5), (2, 3, 0, 4), (2, 3, 4, 0),
                                           (0, 3, 4, 2), (1, 0, 4, 2)):
        add("selective_scan", uniform(batch, channels, times),
            uniform(batch, channels, times, low=0.01, high=0.5),
            uniform(channels, states, low=-4, high=-0.1),
            uniform(batch, states, times), uniform(batch, states, times),
            uniform(channels))

    for size, rays, steps in (((1, 1, 1), 3, 7), ((4, 5, 6), 16, 32),
                              ((7, 3, 2), 9, 65), ((3, 3, 3), 0, 8),
                              ((0, 3, 3), 2, 8)):
        volume = uniform(*size, 4, low=0)
        origins = uniform(rays, 3, low=-4, high=-1)
        toward = uniform(rays, 3, low=0.1) + [0.5, 0.5, 0.5]
        add("voxel_raymarch", volume, origins, np.float32(toward), 0.5, 14.0, steps,
            0.0)
    dense = uniform(6, 6, 6, 4, low=0) + np.float32([0, 0, 0, 6])
    add("voxel_raymarch", dense, np.float32([[-2, 2.5, 2], [2, 2, -3]]),
        np.float32([[1, 0, 0.1], [0.05, 0, 3]]), 0.0, 12.0, tolerance=2e-4)

    for clouds, n, d, count, first in ((1, 1, 3, 1, 0), (2, 16, 3, 16, 5),
                                       (3, 33, 2, 9, 32), (1, 64, 5, 17, 0),
                                       (2, 5, 3, 0, 0), (0, 5, 3, 2, 0),
                                       (1, 0, 3, 0, 0), (2, 3, 0, 3, 1)):
        # Multiples of 1 / 16: distances have no rounding, and many are equal.
        points = np.float32(random.integers(-8, 9, (clouds, n, d)) / 16)
        add("farthest_point_sampling", points, count, first, tolerance=0)
    add("farthest_point_sampling", uniform(2, 40, 3), 12, tolerance=0)

    for shape in ((1, 1, 1, 2), (2, 3, 5, 8), (1, 2, 16, 10), (0, 2, 3, 4),
                  (2, 0, 3, 4), (2, 2, 0, 4), (1, 2, 3, 0)):
        add("rotary_embedding", uniform(*shape), 10_000.0, 3, True)
        add("rotary_embedding", uniform(*shape), 50.0, 0, False)
    add("rotary_embedding", uniform(1, 2, 9, 6))
    return found


def refused():
    """[(name, arguments, part of the message)]: the operator refuses them."""
    def zeros(*shape):
        return np.zeros(shape, np.float32)

    line = zeros(2, 3)
    scan = [zeros(1, 2, 5), zeros(1, 2, 5), zeros(2, 4), zeros(1, 4, 5),
            zeros(1, 4, 5), zeros(2)]
    wrong = [
        ("conv", (zeros(3, 4), zeros(1, 2, 4)), "w has 3 channels, but k has 2"),
        ("conv", (zeros(2, 3), zeros(1, 2, 4)), "k has 4 times"),
        ("pad", (zeros(0, 3), 1, 1), "tile has no pixels"),
        ("pad", (zeros(2, 3), -1, 1), "pw is -1"),
        ("bilateral_filter", (zeros(1, 1, 2, 2), 0.0), "sigma_space is 0"),
        ("bilateral_filter", (zeros(1, 1, 2, 2), 1.0, -1.0), "sigma_value is -1"),
        ("bilateral_filter", (zeros(1, 1, 2, 2), 1.0, 1.0, -1), "radius is -1"),
        ("grid_sample_3d", (zeros(2, 1, 2, 2, 2), zeros(1, 1, 1, 1, 3)),
         "grid has a batch of 1"),
        ("grid_sample_3d", (zeros(1, 1, 2, 2, 2), zeros(1, 1, 1, 1, 2)),
         "expected 3"),
        ("scatter_softmax", (line, np.int32([])), "rows is empty"),
        ("scatter_softmax", (line, np.int32([1, 2])), "rows begins with 1"),
        ("scatter_softmax", (line, np.int32([0, 3])), "rows ends with 3"),
        ("scatter_softmax", (line, np.int32([0, 3, 2])), "rows decreases from 3 to 2"),
        ("voxel_raymarch", (zeros(2, 2, 2, 3), line, line, 0.0, 1.0), "3 channels"),
        ("voxel_raymarch", (zeros(2, 2, 2, 4), zeros(2, 2), line, 0.0, 1.0),
         "origins has 2 coordinates"),
        ("voxel_raymarch", (zeros(2, 2, 2, 4), line, zeros(1, 3), 0.0, 1.0),
         "directions has shape (1, 3)"),
        ("voxel_raymarch", (zeros(2, 2, 2, 4), line, line, 1.0, 1.0), "near is 1"),
        ("voxel_raymarch", (zeros(2, 2, 2, 4), line, line, 0.0, 1.0, 0),
         "steps is 0"),
        ("voxel_raymarch", (zeros(2, 2, 2, 4), line, line, 0.0, 1.0),
         "the direction of ray 0 is zero"),
        ("farthest_point_sampling", (zeros(1, 4, 3), 5), "count is 5"),
        ("farthest_point_sampling", (zeros(1, 4, 3), 2, 4), "first is 4"),
        ("rotary_embedding", (zeros(1, 1, 2, 3),), "x has 3 features"),
        ("rotary_embedding", (zeros(1, 1, 2, 4), 0.0), "base is 0"),
    ]
    for at, part in ((1, "delta has shape"), (2, "A has 3 channels"),
                     (3, "B has shape (2, 4, 5), expected (1, 4, 5)"),
                     (4, "C has shape"), (5, "D has 3 channels")):
        bad = list(scan)
        bad[at] = zeros(scan[at].shape[0] + 1, *scan[at].shape[1:])
        wrong.append(("selective_scan", tuple(bad), part))
    return wrong

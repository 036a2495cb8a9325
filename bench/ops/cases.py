"""The operators with their inputs, and what is asked of each."""
import dataclasses

import numpy as np
import torch


@dataclasses.dataclass
class Case:
    """One operator with inputs of one size.

    `arguments`: tensors and numbers. `active`: whether the float tensors among them need gradients. `asked`: the least
    quotient of another time and Chi's, {(direction, column): number}; directions are "forward" and "both".
    `backward`: the greatest quotient of the backward and the forward pass, None where nothing is asked.
    """
    name: str
    operator: str
    arguments: tuple
    active: bool
    asked: dict
    backward: float | None = None

    def of(self, isActive):
        """The arguments, each tensor a leaf of its own."""
        isActive = isActive and self.active
        return [each.clone().requires_grad_(isActive and each.is_floating_point())
                if isinstance(each, torch.Tensor) else each for each in self.arguments]


OTHERS = {(way, column): least for way in ("forward", "both") for column, least in (("eager", 3), ("compiled", 1))}
OF_CONV = {("forward", "PyTorch"): 3, ("forward", "taichi"): 7, ("both", "PyTorch"): 4}
OF_PAD = {("forward", "eager"): 100, ("forward", "taichi"): 10}


def uniform(random, *shape, low=-1.0, high=1.0):
    return torch.from_numpy(random.uniform(low, high, shape).astype(np.float32))


def convolutions(random, batch):
    """The sizes of the contract; `batch` limits the first axis."""
    for size in ((8, 768, 128), (8, 768, 768), (32, 768, 768)):
        b, c, t = min(size[0], batch), *size[1:]
        yield Case(f"conv {b}×{c}×{t}", "conv", (uniform(random, c, t), uniform(random, b, c, t), 0.1), True, OF_CONV, 2.2)


def segments(random, count, longest):
    """Row pointers of segments of 0 to `longest` entries."""
    lengths = random.integers(0, longest + 1, count)
    return torch.from_numpy(np.cumsum([0, *lengths], dtype=np.int32))


def scan_arguments(random, batch, channels, times, states):
    return (uniform(random, batch, channels, times), uniform(random, batch, channels, times, low=0.01, high=0.5),
            uniform(random, channels, states, low=-4, high=-0.1), uniform(random, batch, states, times),
            uniform(random, batch, states, times), uniform(random, channels))


def rays(random, size, count, steps):
    """A cube of voxels and rays from one of its sides to the other."""
    volume = uniform(random, size, size, size, 4, low=0) * torch.tensor([1, 1, 1, 0.1])
    origins = uniform(random, count, 3, low=0.2 * size, high=0.8 * size)
    origins[:, 0] = -2
    directions = uniform(random, count, 3, low=-0.3, high=0.3)
    directions[:, 0] = 1
    return volume, origins, directions, 0.0, size + 4.0, steps, 0.0


def all_cases(batch=32):
    random = np.random.default_rng(31)
    # Multiples of 1 / 1024: their distances have no rounding.
    points = torch.from_numpy(np.float32(random.integers(-1024, 1025, (8, 2048, 3)) / 1024))
    rows = segments(random, 20_000, 20)
    return [
        Case("pad 2096×2080", "pad", (uniform(random, 48, 32), 1024, 1024, 10), True, OF_PAD),
        *convolutions(random, batch),
        Case("bilateral_filter", "bilateral_filter", (uniform(random, 1, 3, 192, 192, low=0), 1.5, 0.1, 4), True, OTHERS),
        Case("farthest_point_sampling", "farthest_point_sampling", (points, 256, 0), False, OTHERS),
        Case("grid_sample_3d", "grid_sample_3d", (
            uniform(random, 2, 4, 32, 64, 64), uniform(random, 2, 32, 64, 64, 3, low=-1.1, high=1.1)), True, OTHERS),
        Case("rotary_embedding", "rotary_embedding", (uniform(random, 4, 16, 1024, 64), 10_000.0, 0, True), True, OTHERS),
        Case("scatter_softmax", "scatter_softmax", (uniform(random, int(rows[-1]), 8), rows), True, OTHERS),
        Case("selective_scan", "selective_scan", scan_arguments(random, 2, 256, 256, 16), True, OTHERS),
        Case("voxel_raymarch", "voxel_raymarch", rays(random, 64, 4096, 64), True, OTHERS)]

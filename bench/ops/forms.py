"""The operators of examples/ops as one writes them with PyTorch's operations.

Each form has the parameters of the Chi function. FORMS has, for each operator, the eager form first, then others that
may be faster. `compiled` is the eager form by `torch.compile`.
"""
import functools

import torch
from torch.nn import functional


def grouped_conv(w, k, eps=0.1):
    """A causal padding and `conv1d` with a group for each channel."""
    past = functional.pad(k, (w.shape[1] - 1, 0))
    return functional.conv1d(past, w.unsqueeze(1), groups=w.shape[0]) + eps


def fft_conv(w, k, eps=0.1):
    """A product of spectra. It needs as many weights as times."""
    length = 2 * k.shape[2]
    spectrum = torch.fft.rfft(k, length) * torch.fft.rfft(w.flip(-1), length)
    return torch.fft.irfft(spectrum, length)[..., :k.shape[2]] + eps


def brick_coordinates(tile, pw, ph, shift, x, y):
    """The rows and columns of the tile for pixels (x, y), x to the right and y upward."""
    height, width = tile.shape
    v = torch.div(y, height, rounding_mode="floor")
    u = torch.div(x - shift * v, width, rounding_mode="floor")
    return height - 1 - (y - height * v), x - width * u - shift * v


def table_pad(tile, pw, ph, shift=10):
    """The form of the article: tables of all pixels, and a product that makes them places in the tile."""
    height, width = tile.shape
    rows, columns = height + 2 * ph, width + 2 * pw
    y, x = torch.meshgrid(torch.arange(rows), torch.arange(columns), indexing="ij")
    inside = torch.stack(brick_coordinates(tile, pw, ph, shift, x - pw, y.flip(0) + ph), dim=-1)
    place = inside.view(-1, 2).float().mv(torch.tensor((float(width), 1.0))).long()
    return tile.reshape(-1).index_select(0, place).view(rows, columns)


def indexed_pad(tile, pw, ph, shift=10):
    """Indices of a row and a column that are broadcast."""
    height, width = tile.shape
    y = torch.arange(height + 2 * ph - 1, -1, -1)[:, None] + ph
    x = torch.arange(width + 2 * pw) - pw
    return tile[brick_coordinates(tile, pw, ph, shift, x, y)]


def bilateral_filter(x, sigma_space=1.5, sigma_value=0.1, radius=4):
    """The windows of all pixels by `unfold`."""
    batch, channels, height, width = x.shape
    size = 2 * radius + 1

    def windows(picture):
        found = functional.unfold(picture, size, padding=radius)
        return found.view(picture.shape[0], picture.shape[1], size * size, height * width)

    near, inside = windows(x), windows(torch.ones(1, 1, height, width))
    away = torch.arange(-radius, radius + 1)
    space = (away[:, None] ** 2 + away ** 2).view(1, -1, 1)
    value = ((near - x.view(batch, channels, 1, -1)) ** 2).sum(1)
    weight = inside[:, 0] * torch.exp(-space / (2 * sigma_space ** 2) - value / (2 * sigma_value ** 2))
    return ((weight.unsqueeze(1) * near).sum(2) / weight.sum(1, keepdim=True)).view_as(x)


def choose(points, clouds, nearest, last):
    """The distances to the chosen points with one more, and the next one."""
    nearest = torch.minimum(nearest, ((points - points[clouds, last].unsqueeze(1)) ** 2).sum(2))
    return nearest, nearest.argmax(1)


def farthest_point_sampling(points, count, first=0, choose=choose):
    """A loop over the choices."""
    clouds = torch.arange(points.shape[0])
    nearest = torch.full(points.shape[:2], torch.inf)
    last = torch.full((points.shape[0],), first)
    chosen = []
    for _ in range(count):
        chosen.append(last)
        nearest, last = choose(points, clouds, nearest, last)
    return torch.stack(chosen, 1).int()


def grid_sample_3d(volume, grid):
    """An operator of PyTorch, written in C++."""
    return functional.grid_sample(volume, grid, align_corners=True)


def rotary_embedding(x, base=10_000.0, start=0, halves=True):
    """As models of Llama's kind have it; other pairs are moved first."""
    times, features = x.shape[2:]
    pairs = features // 2
    angles = torch.outer(torch.arange(start, start + times), base ** (-torch.arange(pairs) / pairs))
    cos, sin = torch.cat([angles.cos()] * 2, 1), torch.cat([angles.sin()] * 2, 1)
    assert halves, "only pairs of halves"
    turned = torch.cat([-x[..., pairs:], x[..., :pairs]], -1)
    return x * cos + turned * sin


def scatter_softmax(x, rows):
    """Maxima and sums of the segments by scattering."""
    segments = rows.shape[0] - 1
    segment = torch.repeat_interleave(torch.arange(segments), rows.diff().long(), output_size=x.shape[0])
    place = segment.unsqueeze(1).expand_as(x)
    top = torch.full((segments, x.shape[1]), -torch.inf).scatter_reduce(0, place, x.detach(), "amax")
    powers = torch.exp(x - top[segment])
    total = torch.zeros(segments, x.shape[1]).index_add(0, segment, powers)
    return powers / total[segment]


def advance(h, decay, given, C):
    """The next states, and what they give."""
    h = decay * h + given
    return h, (h * C.unsqueeze(1)).sum(2)


def selective_scan(x, delta, A, B, C, D, advance=advance):
    """As `selective_scan_ref`: coefficients of all times, and a loop over them."""
    decay = torch.exp(delta.unsqueeze(2) * A.unsqueeze(2))
    given = (delta * x).unsqueeze(2) * B.unsqueeze(1)
    h = torch.zeros_like(given[..., 0])
    found = []
    for now in zip(decay.unbind(3), given.unbind(3), C.unbind(2)):
        h, y = advance(h, *now)
        found.append(y)
    return torch.stack(found, 2) + D.unsqueeze(1) * x


def voxel_raymarch(volume, origins, directions, near, far, steps=128, least=0.0):
    """All samples of all rays by `grid_sample`; no ray ends early."""
    assert least == 0, "rays that end early are another result"
    step = (far - near) / steps
    at = near + (torch.arange(steps) + 0.5) * step
    points = origins[:, None] + at[:, None] * functional.normalize(directions, dim=1)[:, None]
    grid = 2 * points / (torch.tensor(volume.shape[:3]) - 1) - 1
    light = functional.grid_sample(volume.permute(3, 2, 1, 0)[None], grid[None, None], align_corners=True)[0, :, 0]
    passed = torch.exp(-light[3] * step)
    through = passed.cumprod(1)
    before = torch.cat([torch.ones_like(through[:, :1]), through[:, :-1]], 1)
    colour = (before * (1 - passed) * light[:3]).sum(2)
    return torch.cat([colour, 1 - through[None, :, -1]]).T


FORMS = {
    "conv": {"conv1d": grouped_conv, "fft": fft_conv},
    "pad": {"tables": table_pad, "indices": indexed_pad},
    **{form.__name__: {"eager": form} for form in (
        bilateral_filter, farthest_point_sampling, grid_sample_3d, rotary_embedding, scatter_softmax, selective_scan,
        voxel_raymarch)}}


def compiled(operator):
    """Of loops only the body: `torch.compile` unrolls a loop, and the compiler then takes minutes."""
    eager = next(iter(FORMS[operator].values()))
    for body in (choose, advance):
        if body.__name__ in eager.__code__.co_varnames:
            return functools.partial(eager, **{body.__name__: torch.compile(body)})
    return torch.compile(eager, dynamic=False)

"""The operators of examples/ops in JAX, where a short natural form exists.

Each form has the parameters of the Chi function; numbers are constants of the compiled form.
"""
import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy.ndimage import map_coordinates


def conv(w, k, eps=0.1):
    """A product of spectra: the gradient of XLA's own grouped convolution takes minutes on a CPU."""
    length = 2 * k.shape[2]
    spectrum = jnp.fft.rfft(k, length) * jnp.fft.rfft(w[:, ::-1], length)
    return jnp.fft.irfft(spectrum, length)[..., :k.shape[2]] + eps


def pad(tile, pw, ph, shift=10):
    height, width = tile.shape
    x = jnp.arange(width + 2 * pw)[None, :] - pw
    y = height + 2 * ph - 1 - jnp.arange(height + 2 * ph)[:, None] + ph
    v = y // height
    u = (x - shift * v) // width
    return tile[height - 1 - (y - height * v), x - width * u - shift * v]


def farthest_point_sampling(points, count, first=0):
    clouds = jnp.arange(points.shape[0])

    def choose(state, _):
        nearest, last = state
        away = ((points - points[clouds, last][:, None]) ** 2).sum(2)
        nearest = jnp.minimum(nearest, away)
        return (nearest, nearest.argmax(1)), last

    begin = jnp.full(points.shape[:2], jnp.inf), jnp.full(points.shape[0], first)
    return lax.scan(choose, begin, None, length=count)[1].T


def grid_sample_3d(volume, grid):
    size = jnp.array(volume.shape[:1:-1])
    at = jnp.moveaxis((grid + 1) / 2 * (size - 1), -1, 1)[:, ::-1]

    def sample(channel, place):
        return map_coordinates(channel, list(place), order=1)

    return jax.vmap(jax.vmap(sample, (0, None)))(volume, at)


def rotary_embedding(x, base=10_000.0, start=0, halves=True):
    times, features = x.shape[2:]
    pairs = features // 2
    angles = jnp.outer(jnp.arange(start, start + times), base ** (-jnp.arange(pairs) / pairs))
    cos, sin = jnp.cos(angles), jnp.sin(angles)
    a, b = x[..., :pairs], x[..., pairs:]
    return jnp.concatenate([a * cos - b * sin, a * sin + b * cos], -1)


def scatter_softmax(x, rows):
    segments = rows.shape[0] - 1
    segment = jnp.repeat(jnp.arange(segments), jnp.diff(rows), total_repeat_length=x.shape[0])
    top = jax.ops.segment_max(lax.stop_gradient(x), segment, segments, indices_are_sorted=True)
    powers = jnp.exp(x - top[segment])
    return powers / jax.ops.segment_sum(powers, segment, segments, indices_are_sorted=True)[segment]


def selective_scan(x, delta, A, B, C, D):
    def advance(h, now):
        x, delta, B, C = now
        h = jnp.exp(delta[..., None] * A) * h + (delta * x)[..., None] * B[:, None]
        return h, (h * C[:, None]).sum(2)

    begin = jnp.zeros((*x.shape[:2], A.shape[1]))
    _, y = lax.scan(advance, begin, tuple(jnp.moveaxis(each, 2, 0) for each in (x, delta, B, C)))
    return jnp.moveaxis(y, 0, 2) + D[:, None] * x


FORMS = {form.__name__: form for form in (
    conv, pad, farthest_point_sampling, grid_sample_3d, rotary_embedding, scatter_softmax, selective_scan)}

#!/usr/bin/env python3
"""A small RWKV-like model of characters, whose time mixing is Chi's `conv`.

    chic build examples/ops/conv.chi --python
    PYTHONPATH=. python3 examples/ops/train/characters.py

It trains the same model twice on the CPU, from the same weights and on the same
batches: once with the operator of `conv.torch`, once with PyTorch's `conv1d`. It
prints both loss curves, and fails if they differ by more than TOLERANCE or if the
loss does not fall below TARGET. The text consists of sums, `17+25=42;`, which the
program makes itself.
"""
import argparse
import copy
import random
import sys
import time

import torch
from torch import nn
from torch.nn import functional

from conv.torch import conv

BATCH, TIMES, CHANNELS, LAYERS = 16, 64, 64, 2
EPS = 1e-6         # keeps the denominator of the mean over the past positive
TOLERANCE = 0.005  # between the loss curves at each step, in nats a character
TARGET = 1.5       # of the last ten steps' mean, in nats a character


def pytorch_conv(w, k, eps):
    """What `conv` computes, by PyTorch's operations."""
    past = functional.pad(k, (w.shape[1] - 1, 0))
    return functional.conv1d(past, w.unsqueeze(1), groups=w.shape[0]) + eps


class TimeMixing(nn.Module):
    """Each channel takes a weighted mean of its past; the weights are learned,
    as functions of the distance (`w`) and of the input (`k`)."""

    def __init__(self, layer):
        super().__init__()
        rates = torch.linspace(0.05, 2.0, CHANNELS).unsqueeze(1) * (layer + 1) / LAYERS
        away = torch.arange(TIMES - 1, -1, -1)
        self.w = nn.Parameter(torch.exp(-rates * away))
        self.key, self.value, self.receptance, self.output = (
            nn.Linear(CHANNELS, CHANNELS, bias=False) for _ in range(4))

    def forward(self, x, mix):
        k = torch.exp(self.key(x).clamp(max=10)).transpose(1, 2).contiguous()
        v = self.value(x).transpose(1, 2).contiguous()
        w = self.w.abs()
        mean = mix(w, k * v, 0.0) / mix(w, k, EPS)
        return self.output(torch.sigmoid(self.receptance(x)) * mean.transpose(1, 2))


class ChannelMixing(nn.Module):
    def __init__(self):
        super().__init__()
        self.key = nn.Linear(CHANNELS, 4 * CHANNELS, bias=False)
        self.value = nn.Linear(4 * CHANNELS, CHANNELS, bias=False)

    def forward(self, x):
        return self.value(functional.relu(self.key(x)) ** 2)


def shifted(x):
    """Half of the channels come from the time before."""
    half = x.shape[2] // 2
    return torch.cat([functional.pad(x[:, :-1, :half], (0, 0, 1, 0)), x[:, :, half:]], 2)


class Model(nn.Module):
    def __init__(self, letters):
        super().__init__()
        self.embedding = nn.Embedding(letters, CHANNELS)
        self.times = nn.ModuleList(TimeMixing(layer) for layer in range(LAYERS))
        self.channels = nn.ModuleList(ChannelMixing() for _ in range(LAYERS))
        self.norms = nn.ModuleList(nn.LayerNorm(CHANNELS) for _ in range(2 * LAYERS + 1))
        self.head = nn.Linear(CHANNELS, letters)

    def forward(self, letters, mix):
        x = self.embedding(letters)
        for layer in range(LAYERS):
            x = x + self.times[layer](shifted(self.norms[2 * layer](x)), mix)
            x = x + self.channels[layer](shifted(self.norms[2 * layer + 1](x)))
        return self.head(self.norms[-1](x))


def made_text(sums):
    numbers = random.Random(31)
    pairs = [(numbers.randrange(50), numbers.randrange(50)) for _ in range(sums)]
    return "".join(f"{a}+{b}={a + b};" for a, b in pairs)


def batches(steps):
    """The inputs of each step, TIMES + 1 letters in each row; the number of letters."""
    text = made_text(4000)
    alphabet = sorted(set(text))
    letters = torch.tensor([alphabet.index(each) for each in text])
    places = torch.randint(len(letters) - TIMES, (steps, BATCH, 1), generator=torch.Generator().manual_seed(31))
    return letters[places + torch.arange(TIMES + 1)], len(alphabet)


def train(model, inputs, mix):
    """The losses of all steps, and seconds."""
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    losses, start = [], time.perf_counter()
    for batch in inputs:
        found = model(batch[:, :-1], mix)
        loss = functional.cross_entropy(found.flatten(0, 1), batch[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, time.perf_counter() - start


def report(ours, theirs):
    print("step    Chi  PyTorch")
    for step in [*range(0, len(ours), 20), len(ours) - 1]:
        print(f"{step:4} {ours[step]:6.3f}   {theirs[step]:6.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=200)
    options = parser.parse_args()
    torch.set_num_threads(1)  # the tensors are small
    torch.manual_seed(31)
    inputs, letters = batches(options.steps)
    model = Model(letters)
    theirs, their_seconds = train(copy.deepcopy(model), inputs, pytorch_conv)
    ours, our_seconds = train(model, inputs, conv)
    report(ours, theirs)
    apart = max(abs(a - b) for a, b in zip(ours, theirs))
    last = sum(ours[-10:]) / len(ours[-10:])
    print(f"largest difference {apart:.2g}, allowed {TOLERANCE}; last ten steps {last:.3f}, allowed {TARGET}")
    print(f"{our_seconds:.1f} s with Chi, {their_seconds:.1f} s with PyTorch alone")
    if not apart <= TOLERANCE:
        sys.exit("the loss curves differ")
    if not last <= TARGET:
        sys.exit("the loss does not fall")
    print("the loss curves agree, the loss falls")


if __name__ == "__main__":
    main()

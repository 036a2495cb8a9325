"""An operator in workers of a DataLoader, in threads, in compiled and exported graphs."""
import threading

import torch
from torch.utils.data import DataLoader, Dataset

from conv.torch import conv

W = torch.arange(24.0).reshape(3, 8) / 24


def inputs(index):
    return torch.arange(48.0).reshape(2, 3, 8) * (index + 1)


def expected(index):
    padded = torch.nn.functional.pad(inputs(index), (7, 0))
    return torch.nn.functional.conv1d(padded, W.unsqueeze(1), groups=3) + 0.1


class Filtered(Dataset):
    """Items that the operator computes, in a worker."""

    def __len__(self):
        return 16

    def __getitem__(self, index):
        return conv(W, inputs(index), 0.1)


def check_workers(start):
    loader = DataLoader(Filtered(), batch_size=4, num_workers=2, multiprocessing_context=start)
    found = torch.cat(list(loader))
    assert torch.allclose(found, torch.stack([expected(each) for each in range(16)]), rtol=1e-4)
    print(start, "workers agree")


def check_threads(count=8, calls=200):
    wrong = []

    def work(index):
        w = W.clone().requires_grad_()
        for _ in range(calls):
            y = conv(w, inputs(index), 0.1)
            (grad,) = torch.autograd.grad(y.sum(), w)
            if not torch.allclose(y, expected(index), rtol=1e-4) or grad[0, 7] != inputs(index)[:, 0].sum():
                wrong.append(index)

    threads = [threading.Thread(target=work, args=(each,)) for each in range(count)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not wrong, wrong
    print(count, "threads agree")


class Filter(torch.nn.Module):
    def forward(self, k):
        return conv(W, k, 0.1) * 2


def check_graphs():
    compiled = torch.compile(Filter(), fullgraph=True, backend="aot_eager")
    exported = torch.export.export(Filter(), (inputs(0),)).module()
    for graph in (compiled, exported):
        assert torch.allclose(graph(inputs(3)), 2 * expected(3), rtol=1e-4)
    print("graphs agree")


if __name__ == "__main__":
    conv(W, inputs(0), 0.1)  # the pool of threads exists before the fork
    check_workers("fork")
    check_workers("spawn")
    check_threads()
    check_graphs()

#!/usr/bin/env python3
"""Writes features.md from features.txt and from what the tests say; --check compares.

A test of test/EndToEnd and test/Examples runs by the interpreter, on the CPU, on the mirror,
on Vulkan and, if test/cuda_double.txt has it, on a double of CUDA's driver (test/lit_format.py).
On Vulkan it passes unless test/vulkan_later.txt names it, on CUDA unless test/cuda_later.txt
does; then it fails, or the suite asks for its line to be taken out. So the table says what the
tests found.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
TEST = HERE.parents[1] / "test"
HEAD = """# What runs where

Each row is a feature of the language or a kind of program, with its tests in `features.txt`. `python3 docs/targets/update.py` writes this page from the results: *yes* means that all tests pass, a number that
this many do. The column `vulkan` uses Mesa's lavapipe; the validation layers are enabled and report nothing. The column `cuda` uses a double of NVIDIA's driver, which runs the kernels on the processor
(`docs/design/0046-cuda-run-time.md`); a number there may also mean that the suite leaves out some tests to save time. No GPU has run these tests yet.

| feature | interp | cpu | mirror | vulkan | cuda |
|---|---|---|---|---|---|
"""


def lines(path):
    text = path.read_text().splitlines()
    return [line for line in text if line.strip() and line[0] != "#"]


def features():
    for line in lines(HERE / "features.txt"):
        name, tests = line.split(":", 1)
        yield name, tests.split()


def cell(tests, later):
    passing = [test for test in tests if test not in later]
    return "yes" if len(passing) == len(tests) else f"{len(passing)} of {len(tests)}"


def reasons(name):
    return dict(line.split(maxsplit=1) for line in lines(TEST / name))


def list_of(device, later):
    text = "".join(f"- `{test}`: {reason}\n" for test, reason in sorted(later.items()))
    return f"\n## What does not run on {device} yet\n\n" + (text or "No test is known to fail or is left out.\n")


def page():
    on_vulkan, on_cuda = reasons("vulkan_later.txt"), reasons("cuda_later.txt")
    double = lines(TEST / "cuda_double.txt")
    rows, unknown = [], []
    for name, tests in features():
        unknown += [test for test in tests if not (TEST / test).exists()]
        not_there = [test for test in tests if test in on_cuda or test not in double]
        rows.append(f"| {name} | yes | yes | yes | {cell(tests, on_vulkan)} "
                    f"| {cell(tests, not_there)} |\n")
    unknown += [test for test in [*on_vulkan, *on_cuda, *double] if not (TEST / test).exists()]
    if unknown:
        sys.exit(f"there are no such tests: {' '.join(unknown)}")
    return HEAD + "".join(rows) + list_of("Vulkan", on_vulkan) + list_of("CUDA", on_cuda)


def main():
    path, text = HERE / "features.md", page()
    if "--check" not in sys.argv:
        path.write_text(text)
    elif not path.exists() or path.read_text() != text:
        sys.exit("features.md is not what the tests say; python3 docs/targets/update.py")


if __name__ == "__main__":
    main()

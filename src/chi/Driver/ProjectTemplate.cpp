//===- ProjectTemplate.cpp - The files of a new project -------------------===//
#include "chi/Driver/ProjectTemplate.h"

using namespace chi::driver;

// In these texts @NAME@ stands for the name of the project.

static constexpr char kProgram[] = R"chi("""@NAME@: heat spreads over a plate.

The plate is cold but for some hot bars. In each step a part of the difference
to its neighbours flows into each cell; the edges of the plate are joined.
"""
param n: i32 = 256 in [16, 8192], "cells along an edge"
param steps: i32 = 500 in [0, 1_000_000]
param rate: f32 = 0.2 in [0, 0.25], "the part that flows in a step"
param picture: str = "@NAME@.png"

u = field(f32, shape=(n, n))
next = field(f32, shape=(n, n))

def is_hot(i: i32, j: i32, n: i32) -> bool:
    """Whether a cell is hot at first: three bars on a plate of n x n cells.

    >>> is_hot(20, 50, 100)
    True
    >>> is_hot(20, 5, 100)
    False
    """
    return i * 5 // n % 2 == 1 and n // 8 < j < n - n // 8

@kernel
def init(u: field(f32, 2)):
    for i, j in u:                      # runs in parallel, on all cores
        u[i, j] = 1 if is_hot(i, j, u.shape[0]) else 0

@kernel
def diffuse(old: field(f32, 2), new: field(f32, 2), rate: f32):
    """One step. The sum over all cells stays what it is."""
    rows = old.shape[0]
    columns = old.shape[1]
    for i, j in old:
        around = (old[(i + 1) % rows, j] + old[(i - 1) % rows, j]
                  + old[i, (j + 1) % columns] + old[i, (j - 1) % columns])
        new[i, j] = old[i, j] + rate * (around - 4 * old[i, j])

def main():
    init(u)
    old, new = u, next
    for step in progress(range(steps)):
        diffuse(old, new, rate)
        old, new = new, old
    save(picture, old)
    print(f"{old.min():.3f} to {old.max():.3f}, {old.mean():.3f} on average")

test "heat is kept and spreads":
    a = field(f32, shape=(32, 32))
    b = field(f32, shape=(32, 32))
    init(a)
    diffuse(a, b, 0.2)
    assert abs(a.sum() - b.sum()) < 1e-3
    assert b.max() <= a.max() and b.min() >= a.min()
    assert 0 < b[6, 16] < 1 or 0 < b[7, 16] < 1, "a bar loses heat at its edge"
)chi";

static constexpr char kReadme[] = R"md(# @NAME@

Heat spreads over a plate.

    chic run main.chi                     # writes @NAME@.png
    chic run main.chi --n 1024 --steps 50 # params are flags; --help lists them
    chic test main.chi                    # test blocks, examples in docstrings
    chic build main.chi -o @NAME@         # an executable without a compiler
    ./@NAME@ --rate 0.1
    chic sweep main.chi --over 'rate=0.1,0.2' --out sweep
)md";

static constexpr char kIgnored[] = R"(/@NAME@
/sweep/
*.png
*.npy
*.npz
)";

static std::string named(std::string text, const std::string &name) {
  const std::string mark = "@NAME@";
  for (size_t at = text.find(mark); at != text.npos;
       at = text.find(mark, at + name.size()))
    text.replace(at, mark.size(), name);
  return text;
}

std::vector<ProjectFile> chi::driver::projectFiles(const std::string &name) {
  return {{"main.chi", named(kProgram, name)},
          {"README.md", named(kReadme, name)},
          {".gitignore", named(kIgnored, name)}};
}

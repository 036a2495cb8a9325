// Where the blocks of a radix sort by bytes write: counts and their prefix
// sums.
#pragma once
#include <algorithm>
#include <cstdint>

/// Sets starts[d * blocks + p] to the place of the first key of block p, of
/// `block` keys, whose byte at `shift` is d. Returns the number of blocks.
inline long findStarts(long n, long block, const uint32_t *__restrict x,
                       int *__restrict starts, int shift) {
  const long blocks = (n + block - 1) / block;
#pragma omp parallel for schedule(static)
  for (long p = 0; p < blocks; p++) {
    int found[256] = {};
    for (long i = p * block, end = std::min(i + block, n); i < end; i++)
      found[x[i] >> shift & 255]++;
    for (int d = 0; d < 256; d++)
      starts[d * blocks + p] = found[d];
  }
  int total = 0;
  for (long k = 0; k < 256 * blocks; k++) {
    int found = starts[k];
    starts[k] = total;
    total += found;
  }
  return blocks;
}

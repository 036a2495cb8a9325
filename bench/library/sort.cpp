// Pairs of u32, stably sorted by their keys: tbb::parallel_sort of structs
// (which is not stable), and a radix sort by bytes with OpenMP.
#include "../peers/radix.hpp"
#include "timing.hpp"
#include <omp.h>
#include <tbb/parallel_sort.h>

struct Pair {
  uint32_t key, value;
};

static constexpr long kBlock = 65536;

static void pass(long n, const uint32_t *__restrict x,
                 const uint32_t *__restrict v, uint32_t *__restrict y,
                 uint32_t *__restrict w, int *__restrict starts, int shift) {
  const long blocks = findStarts(n, kBlock, x, starts, shift);
#pragma omp parallel for schedule(static)
  for (long p = 0; p < blocks; p++) {
    int at[256];
    for (int d = 0; d < 256; d++)
      at[d] = starts[d * blocks + p];
    for (long i = p * kBlock, end = std::min(i + kBlock, n); i < end; i++) {
      int to = at[x[i] >> shift & 255]++;
      y[to] = x[i];
      w[to] = v[i];
    }
  }
}

int main(int argc, char **argv) {
  const long n = timing::flag(argc, argv, "n", 1L << 24);
  const long repeats = timing::flag(argc, argv, "repeats", 5);
  std::vector<uint32_t> x(n), v(n);
  std::vector<Pair> pairs(n);
  auto fill = [&] {
    for (long i = 0; i < n; i++) {
      x[i] = timing::hash(i), v[i] = i;
      pairs[i] = {x[i], v[i]};
    }
  };
  // Like the library it sorts in place, and brings what it needs for that.
  timing::best("radix", repeats, fill, [&] {
    std::vector<uint32_t> y(n), w(n);
    std::vector<int> starts(256 * ((n + kBlock - 1) / kBlock));
    for (int shift = 0; shift < 32; shift += 16) {
      pass(n, x.data(), v.data(), y.data(), w.data(), starts.data(), shift);
      pass(n, y.data(), w.data(), x.data(), v.data(), starts.data(), shift + 8);
    }
  });
  std::printf("middle %u %u\n", x[n / 2], v[n / 2]);
  timing::best("tbb", repeats, fill, [&] {
    tbb::parallel_sort(pairs.begin(), pairs.end(), [](Pair a, Pair b) {
      return a.key < b.key;
    });
  });

}

// Radix sort by bytes: counts of blocks, their prefix sums, a stable scatter.
#include "radix.hpp"
#include "peer.hpp"
using u32 = uint32_t;

static constexpr long kBlock = 16384;

static void pass(long n, const u32 *__restrict x, u32 *__restrict y,
                 int *__restrict starts, int shift) {
  const long blocks = findStarts(n, kBlock, x, starts, shift);
#pragma omp parallel for schedule(static)
  for (long p = 0; p < blocks; p++) {
    int at[256];
    for (int d = 0; d < 256; d++)
      at[d] = starts[d * blocks + p];
    for (long i = p * kBlock, end = std::min(i + kBlock, n); i < end; i++)
      y[at[x[i] >> shift & 255]++] = x[i];
  }
}

int main(int argc, char **argv) {
  const long n = peer::flag(argc, argv, "n", 10000);
  const long repeats = peer::flag(argc, argv, "repeats", 1);
  peer::Field<u32> data(n), keys(n), other(n);
  peer::Field<int> starts(256 * ((n + kBlock - 1) / kBlock));
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; i++) {
    u32 h = u32(i);
    h = (h ^ (h >> 16)) * 0x7feb352du;
    h = (h ^ (h >> 15)) * 0x846ca68bu;
    data[i] = h ^ (h >> 16);
  }
  auto sort = [&] {
    u32 *x = keys.data(), *y = other.data();
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; i++)
      x[i] = data[i];
    for (int shift = 0; shift < 32; shift += 8) {
      pass(n, x, y, starts.data(), shift);
      std::swap(x, y);
    }
  };
  sort();
  double start = peer::now();
  for (long k = 0; k < repeats; k++)
    sort();
  peer::report(peer::now() - start, double(repeats), "sort");
  long disorder = 0;
  uint64_t weight = 0;
  for (long i = 0; i < n; i++) {
    disorder += i > 0 && keys[i - 1] > keys[i];
    weight += uint64_t(keys[i]) * uint64_t(i % 1009);
  }
  std::printf("disorder = %ld\nweight = %lu\nmiddle = %u\n", disorder, weight,
              keys[n / 2]);
}

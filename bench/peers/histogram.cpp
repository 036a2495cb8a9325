// Counts of bytes, most of them equal: four tables a thread, so that equal
// neighbours do not wait for each other's sum.
#include "peer.hpp"
using u8 = uint8_t;
using u32 = uint32_t;

static u32 hash32(u32 x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

static void histogram(const u8 *keys, size_t n, u32 *bins) { // n = 8 k
  std::memset(bins, 0, 256 * sizeof(u32));
#pragma omp parallel
  {
    u32 table[4][256] = {};
#pragma omp for schedule(static) nowait
    for (size_t i = 0; i < n; i += 8) {
      uint64_t eight;
      std::memcpy(&eight, keys + i, 8);
      for (int k = 0; k < 8; k++)
        table[k % 4][eight >> (8 * k) & 255]++;
    }
#pragma omp critical
    for (int b = 0; b < 256; b++)
      bins[b] += table[0][b] + table[1][b] + table[2][b] + table[3][b];
  }
}

int main(int argc, char **argv) {
  const size_t n = size_t(peer::flag(argc, argv, "n", 1 << 24));
  const long repeats = peer::flag(argc, argv, "repeats", 5);
  peer::Field<u8> keys(n);
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < n; i++) {
    u32 h = hash32(u32(i));
    keys[i] = h & 15 ? 7 : u8(h >> 24);
  }
  u32 bins[256];
  histogram(keys.data(), n, bins);
  double start = peer::now();
  for (long k = 0; k < repeats; k++)
    histogram(keys.data(), n, bins);
  peer::report(peer::now() - start, double(repeats), "histogram");
  long weighted = 0;
  for (int b = 0; b < 256; b++)
    weighted += long(b) * bins[b];
  std::printf("h[7] = %u\nleast = %u\nmost = %u\nweighted = %ld\n", bins[7],
              *std::min_element(bins, bins + 256),
              *std::max_element(bins, bins + 256), weighted);
}

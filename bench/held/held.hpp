// What the programs share: flags, inputs by a hash, and the clock. Each takes
// the flags of the Chi program of its name and prints the same two lines.
#pragma once
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace held {

/// The value of `--name` on the command line.
inline int flag(int argc, char **argv, const char *name, int value) {
  for (int k = 1; k + 1 < argc; k += 2)
    if (std::string("--") + name == argv[k])
      value = std::atoi(argv[k + 1]);
  return value;
}

inline uint32_t hash32(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352d;
  x ^= x >> 15;
  x *= 0x846ca68b;
  return x ^ (x >> 16);
}

/// A number in [0, 1).
inline float uniform(uint32_t s, uint32_t i) {
  return float(hash32(i + 0x9E3779B9u * s) >> 8) * 0x1p-24f;
}

/// A whole number in [0, n).
inline int below(int n, uint32_t s, uint32_t i) {
  return int((hash32(i + 0x9E3779B9u * s) >> 8) % uint32_t(n));
}

/// Prints the milliseconds of the fastest of `repeats` passes; `prepare`,
/// before each, is not counted.
template <class Prepare, class Pass>
void time(int repeats, Prepare prepare, Pass pass) {
  using Clock = std::chrono::steady_clock;
  double best = 1e9;
  for (int r = 0; r < repeats; r++) {
    prepare();
    auto start = Clock::now();
    pass();
    std::chrono::duration<double> passed = Clock::now() - start;
    best = std::min(best, passed.count());
  }
  std::printf("%.5f ms per pass\n", 1e3 * best);
}

template <class Pass> void time(int repeats, Pass pass) {
  time(repeats, [] {}, pass);
}

} // namespace held

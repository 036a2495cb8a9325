// Flags and clocks of the programs in C++ beside those of the library.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace timing {

inline long flag(int argc, char **argv, const std::string &name, long value) {
  for (int k = 1; k + 1 < argc; k++)
    if ("--" + name == argv[k])
      value = std::atol(argv[k + 1]);
  return value;
}

/// Prints the least time of `run`; `before` prepares each, off the clock.
template <class Before, class Run>
void best(const char *what, long repeats, Before before, Run run) {
  double least = 1e30;
  for (long k = 0; k <= repeats; k++) {
    before();
    auto start = std::chrono::steady_clock::now();
    run();
    std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - start;
    if (k > 0)
      least = std::min(least, took.count());
  }
  std::printf("%s %.6f ms\n", what, 1e3 * least);
}

inline uint32_t hash(uint32_t h) {
  h = (h ^ (h >> 16)) * 0x7feb352du;
  h = (h ^ (h >> 15)) * 0x846ca68bu;
  return h ^ (h >> 16);
}

} // namespace timing

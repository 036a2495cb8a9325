#include "held.hpp"
using namespace held;

static void join(int n, int m, const float *begin, const float *end, float *low,
                 float *high) {
  for (int i = 0; i < n; i++) {
    float l = 1e30f, h = -1e30f;
    for (int j = 0; j < m; j++) {
      // std::min and std::max keep the first argument if the second is NaN.
      l = std::min(l, begin[i * m + j]);
      h = std::max(h, end[i * m + j]);
    }
    low[i] = l;
    high[i] = h;
  }
}

int main(int argc, char **argv) {
  const int n = flag(argc, argv, "n", 5000), m = flag(argc, argv, "m", 100);
  const int repeats = flag(argc, argv, "repeats", 50);
  std::vector<float> begin(n * m), end(n * m), low(n), high(n);
  for (int k = 0; k < n * m; k++) {
    uint32_t h = hash32(k);
    begin[k] = h & 7 ? uniform(1, k) : NAN;
    end[k] = h & 56 ? uniform(1, k) + uniform(2, k) : NAN;
  }
  time(repeats,
       [&] { join(n, m, begin.data(), end.data(), low.data(), high.data()); });
  double total = 0;
  for (int i = 0; i < n; i++)
    total += low[i] < high[i] ? double(high[i] - low[i]) * (1 + i % 7) : 0;
  std::printf("check: %.4f\n", total);
}

// Prefix sums of f32, in place of memory: std::execution::par.
#include "timing.hpp"
#include <execution>
#include <numeric>

int main(int argc, char **argv) {
  const long n = timing::flag(argc, argv, "n", 1L << 26);
  const long repeats = timing::flag(argc, argv, "repeats", 5);
  std::vector<float> x(n), y(n);
  for (long i = 0; i < n; i++)
    x[i] = float(i * 7 % 5) - 2;
  timing::best("scan", repeats, [] {}, [&] {
    std::inclusive_scan(std::execution::par, x.begin(), x.end(), y.begin());
  });
  std::printf("last %g\n", double(y[n - 1]));
}

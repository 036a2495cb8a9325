// A matrix of 5 to 50 numbers in a row, times a vector: a loop with OpenMP.
#include "timing.hpp"

int main(int argc, char **argv) {
  const int n = int(timing::flag(argc, argv, "n", 500000));
  const long repeats = timing::flag(argc, argv, "repeats", 20);
  std::vector<int> starts(n + 1);
  for (int i = 0; i < n; i++)
    starts[i + 1] = starts[i] + 5 + int(timing::hash(i) % 46);
  std::vector<int> columns(starts[n]);
  std::vector<double> values(starts[n]), x(n), y(n);
  for (int i = 0; i < n; i++) {
    x[i] = i % 10;
    for (int e = starts[i]; e < starts[i + 1]; e++) {
      columns[e] =
          std::clamp(i + int(timing::hash(e) % 2001) - 1000, 0, n - 1);
      values[e] = 1.0 / (1 + e % 7);
    }
  }
  timing::best("spmv", repeats, [] {}, [&] {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; i++) {
      double s = 0;
      for (int e = starts[i]; e < starts[i + 1]; e++)
        s += values[e] * x[columns[e]];
      y[i] = s;
    }
  });
  double sum = 0;
  for (double v : y)
    sum += v;
  std::printf("check %.3f\n", sum);
}

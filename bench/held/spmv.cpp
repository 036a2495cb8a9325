#include "held.hpp"
using namespace held;

static void multiply(int n, const int *first, const int *col,
                     const float *value, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int k = first[i]; k < first[i + 1]; k++)
      s += value[k] * x[col[k]];
    y[i] = s;
  }
}

int main(int argc, char **argv) {
  const int n = flag(argc, argv, "n", 50000);
  const int repeats = flag(argc, argv, "repeats", 50);
  std::vector<int> first(n + 1);
  for (int i = 0; i < n; i++)
    first[i + 1] = first[i] + 5 + below(46, 1, i);
  std::vector<int> col(first[n]);
  std::vector<float> value(first[n]), x(n), y(n);
  for (int k = 0; k < first[n]; k++) {
    col[k] = below(n, 2, k);
    value[k] = uniform(3, k);
  }
  for (int i = 0; i < n; i++)
    x[i] = uniform(4, i);
  time(repeats, [&] {
    multiply(n, first.data(), col.data(), value.data(), x.data(), y.data());
  });
  double total = 0;
  for (int i = 0; i < n; i++)
    total += double(y[i]) * (1 + i % 7);
  std::printf("check: %.4f\n", total);
}

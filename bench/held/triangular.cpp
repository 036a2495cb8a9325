#include "held.hpp"
using namespace held;

static void sweep(int begin, int end, const int *order, const int *first,
                  const int *col, const float *value, const float *b,
                  float *x) {
  for (int p = begin; p < end; p++) {
    int r = order[p];
    float s = b[r];
    for (int k = first[r]; k < first[r + 1]; k++)
      s -= value[k] * x[col[k]];
    x[r] = s;
  }
}

int main(int argc, char **argv) {
  const int levels = flag(argc, argv, "levels", 48);
  const int width = flag(argc, argv, "width", 1024), n = levels * width;
  const int repeats = flag(argc, argv, "repeats", 50);
  std::vector<int> first(n + 1), order(n);
  for (int r = 0; r < n; r++) {
    order[r] = r / width * width + (17 * r + 3) % width;
    first[r + 1] = first[r] + (r >= width ? 4 + below(25, 1, r) : 0);
  }
  std::vector<int> col(first[n]);
  std::vector<float> value(first[n]), b(n), x(n);
  for (int r = 0; r < n; r++) {
    b[r] = uniform(2, r);
    for (int k = first[r]; k < first[r + 1]; k++) {
      col[k] = below(r / width * width, 4, k);
      value[k] = 0.0625f * uniform(3, k);
    }
  }
  time(repeats, [&] {
    for (int level = 0; level < levels; level++)
      sweep(level * width, (level + 1) * width, order.data(), first.data(),
            col.data(), value.data(), b.data(), x.data());
  });
  double total = 0;
  for (float v : x)
    total += v;
  std::printf("check: %.5f\n", total);
}

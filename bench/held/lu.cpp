#include "held.hpp"
using namespace held;

static void factor(int count, int n, float *all) {
  for (int m = 0; m < count; m++) {
    float *a = all + m * n * n;
    for (int k = 0; k < n; k++)
      for (int i = k + 1; i < n; i++) {
        a[i * n + k] /= a[k * n + k];
        for (int j = k + 1; j < n; j++)
          a[i * n + j] -= a[i * n + k] * a[k * n + j];
      }
  }
}

int main(int argc, char **argv) {
  const int count = flag(argc, argv, "count", 2000);
  const int n = flag(argc, argv, "n", 12);
  const int repeats = flag(argc, argv, "repeats", 60);
  std::vector<float> data(count * n * n), a;
  for (int m = 0; m < count; m++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        int at = (m * n + i) * n + j;
        data[at] = uniform(1, at) + (i == j ? float(n) : 0.0f);
      }
  time(repeats, [&] { a = data; }, [&] { factor(count, n, a.data()); });
  double total = 0;
  for (int m = 0; m < count; m++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        total += double(a[(m * n + i) * n + j]) * (1 + (m + i + j) % 5);
  std::printf("check: %.4f\n", total);
}

#include "held.hpp"
using namespace held;

static void step(int d, const float *__restrict a, float *__restrict b) {
  for (int i = 1; i < d - 1; i++)
    b[d - i - 1] =
        2 * a[i] - b[d - i - 1] + 0.25f * (a[i - 1] - 2 * a[i] + a[i + 1]);
}

int main(int argc, char **argv) {
  const int n = flag(argc, argv, "n", 8000);
  const int steps = flag(argc, argv, "steps", 400);
  const int repeats = flag(argc, argv, "repeats", 20);
  std::vector<float> a(n), b(n);
  // b runs from right to left.
  auto init = [&] {
    for (int i = 0; i < n; i++)
      a[i] = b[n - i - 1] = uniform(1, i / 16);
  };
  time(repeats, init, [&] {
    for (int s = 0; s < steps / 2; s++) {
      step(n, a.data(), b.data());
      step(n, b.data(), a.data());
    }
  });
  double total = 0;
  for (int i = 0; i < n; i++)
    total += double(a[i]) * double(a[i]) * (1 + i % 7);
  std::printf("check: %.3f\n", total);
}

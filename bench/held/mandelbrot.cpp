#include "held.hpp"
using namespace held;

static void draw(int n, int most, int *steps) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double cx = -2 + 2.5 * j / n, cy = -1.25 + 2.5 * i / n;
      double x = 0, y = 0;
      int k = 0;
      while (k < most && x * x + y * y < 4) {
        double next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        k++;
      }
      steps[i * n + j] = k;
    }
}

int main(int argc, char **argv) {
  const int n = flag(argc, argv, "n", 100);
  const int most = flag(argc, argv, "most", 200);
  const int repeats = flag(argc, argv, "repeats", 60);
  std::vector<int> steps(n * n);
  time(repeats, [&] { draw(n, most, steps.data()); });
  double total = 0;
  for (int k : steps)
    total += k;
  std::printf("check: %.1f\n", total);
}

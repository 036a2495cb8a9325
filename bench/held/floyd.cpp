#include "held.hpp"
using namespace held;

static void paths(int n, float *far) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        far[i * n + j] =
            std::min(far[i * n + j], far[i * n + k] + far[k * n + j]);
}

int main(int argc, char **argv) {
  const int n = flag(argc, argv, "n", 128);
  const int repeats = flag(argc, argv, "repeats", 40);
  std::vector<float> edges(n * n), far;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      edges[i * n + j] = i == j ? 0 : 1 + 99 * uniform(1, i * n + j);
  time(repeats, [&] { far = edges; }, [&] { paths(n, far.data()); });
  double total = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      total += double(far[i * n + j]) * (1 + (i + j) % 5);
  std::printf("check: %.4f\n", total);
}

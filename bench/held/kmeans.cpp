#include "held.hpp"
using namespace held;

constexpr int dim = 4;

static void step(int n, int k, const float *point, const float *centre,
                 float *total, int *size, int *label) {
  for (int i = 0; i < n; i++) {
    float least = 1e30f;
    for (int c = 0; c < k; c++) {
      float far = 0;
      for (int d = 0; d < dim; d++) {
        float apart = point[i * dim + d] - centre[c * dim + d];
        far += apart * apart;
      }
      if (far < least) {
        least = far;
        label[i] = c;
      }
    }
  }
  std::fill(size, size + k, 0);
  std::fill(total, total + k * dim, 0.0f);
  for (int i = 0; i < n; i++) {
    size[label[i]]++;
    for (int d = 0; d < dim; d++)
      total[label[i] * dim + d] += point[i * dim + d];
  }
}

int main(int argc, char **argv) {
  const int n = flag(argc, argv, "n", 50000), k = flag(argc, argv, "k", 16);
  const int repeats = flag(argc, argv, "repeats", 60);
  std::vector<float> point(n * dim), centre(k * dim), total(k * dim);
  std::vector<int> size(k), label(n);
  for (int i = 0; i < n * dim; i++)
    point[i] = uniform(1, i);
  for (int c = 0; c < k * dim; c++)
    centre[c] = uniform(2, c);
  time(repeats, [&] {
    step(n, k, point.data(), centre.data(), total.data(), size.data(),
         label.data());
  });
  double all = 0;
  for (int c = 0; c < k; c++)
    for (int d = 0; d < dim; d++)
      all +=
          double(total[c * dim + d]) / std::max(size[c], 1) * (1 + (c + d) % 3);
  std::printf("check: %.4f\n", all);
}

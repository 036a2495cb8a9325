#include "held.hpp"
using namespace held;

static void add(int n, int count, const int *bin, const float *weight,
                float *total) {
  for (int b = 0; b < count; b++)
    total[b] = 0;
  for (int i = 0; i < n; i++)
    total[bin[i]] += weight[i];
}

int main(int argc, char **argv) {
  const int n = flag(argc, argv, "n", 500000);
  const int count = flag(argc, argv, "count", 1000);
  const int repeats = flag(argc, argv, "repeats", 200);
  std::vector<int> bin(n);
  std::vector<float> weight(n), total(count);
  for (int i = 0; i < n; i++) {
    bin[i] = below(count, 1, i);
    weight[i] = uniform(2, i);
  }
  time(repeats,
       [&] { add(n, count, bin.data(), weight.data(), total.data()); });
  double all = 0;
  for (int b = 0; b < count; b++)
    all += double(total[b]) * (1 + b % 7);
  std::printf("check: %.4f\n", all);
}

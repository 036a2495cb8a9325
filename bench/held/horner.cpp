#include "held.hpp"
using namespace held;

static void evaluate(int n, int degree, const double *factor, const double *x,
                     double *__restrict y) {
  for (int i = 0; i < n; i++) {
    double p = factor[degree];
    for (int k = degree - 1; k >= 0; k--)
      p = p * x[i] + factor[k];
    y[i] = p;
  }
}

int main(int argc, char **argv) {
  const int n = flag(argc, argv, "n", 200000);
  const int degree = flag(argc, argv, "degree", 15);
  const int repeats = flag(argc, argv, "repeats", 400);
  std::vector<double> factor(degree + 1), x(n), y(n);
  for (int k = 0; k <= degree; k++)
    factor[k] = uniform(1, k) - 0.5f;
  for (int i = 0; i < n; i++)
    x[i] = 2 * uniform(2, i) - 1;
  time(repeats,
       [&] { evaluate(n, degree, factor.data(), x.data(), y.data()); });
  double total = 0;
  for (int i = 0; i < n; i++)
    total += std::abs(y[i]) * (1 + i % 7);
  std::printf("check: %.4f\n", total);
}

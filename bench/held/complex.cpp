#include "held.hpp"
using namespace held;

struct Complex {
  float x = 0, y = 0;
};

static void multiply(int n, const Complex *__restrict a,
                     const Complex *__restrict b, Complex *__restrict c) {
  std::fill(c, c + n * n, Complex());
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      Complex u = a[i * n + k];
      for (int j = 0; j < n; j++) {
        Complex v = b[k * n + j];
        c[i * n + j].x += u.x * v.x - u.y * v.y;
        c[i * n + j].y += u.x * v.y + u.y * v.x;
      }
    }
}

int main(int argc, char **argv) {
  const int n = flag(argc, argv, "n", 128);
  const int repeats = flag(argc, argv, "repeats", 30);
  std::vector<Complex> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; i++) {
    a[i] = {uniform(1, i), uniform(2, i)};
    b[i] = {uniform(3, i), uniform(4, i)};
  }
  time(repeats, [&] { multiply(n, a.data(), b.data(), c.data()); });
  double total = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      Complex v = c[i * n + j];
      total += std::abs(double(v.x)) + double(v.y) * (1 + (i + j) % 3);
    }
  std::printf("check: %.2f\n", total);
}

// Stockham's algorithm, radix 2, a parallel loop for each stage.
#include "peer.hpp"
#include <cmath>

struct Complex {
  float re, im;
};

static void stage(const Complex *__restrict x, Complex *__restrict y,
                  const Complex *__restrict roots, long groups, long stride) {
  auto butterfly = [&](long p, long q) {
    Complex w = roots[p * stride];
    Complex u = x[q + stride * p], v = x[q + stride * (p + groups)];
    Complex d = {u.re - v.re, u.im - v.im};
    y[q + stride * (2 * p)] = {u.re + v.re, u.im + v.im};
    y[q + stride * (2 * p + 1)] = {d.re * w.re - d.im * w.im,
                                   d.re * w.im + d.im * w.re};
  };
  if (stride == 1) {
#pragma omp parallel for simd schedule(static)
    for (long p = 0; p < groups; p++)
      butterfly(p, 0);
    return;
  }
  const long run = std::min(stride, 4096L);
#pragma omp parallel for collapse(2) schedule(static)
  for (long p = 0; p < groups; p++)
    for (long first = 0; first < stride; first += run)
#pragma omp simd
      for (long q = first; q < first + run; q++)
        butterfly(p, q);
}

int main(int argc, char **argv) {
  const long logn = peer::flag(argc, argv, "logn", 10), n = 1L << logn;
  const long repeats = peer::flag(argc, argv, "repeats", 1);
  peer::Field<Complex> data(n), a(n), b(n), roots(n / 2);
  for (long i = 0; i < n; i++)
    data[i] = {float((i * 37) % 101) / 101 - 0.5f,
               float((i * 53) % 103) / 103 - 0.5f};
  for (long i = 0; i < n / 2; i++) {
    const double angle = -2 * M_PI * double(i) / double(n);
    roots[i] = {float(std::cos(angle)), float(std::sin(angle))};
  }
  auto transform = [&] {
    Complex *x = a.data(), *y = b.data();
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; i++)
      x[i] = data[i];
    long groups = n / 2, stride = 1;
    for (long k = 0; k < logn; k++) {
      stage(x, y, roots.data(), groups, stride);
      std::swap(x, y);
      groups /= 2;
      stride *= 2;
    }
    return x;
  };
  const Complex *result = transform();
  double start = peer::now();
  for (long k = 0; k < repeats; k++)
    transform();
  peer::report(peer::now() - start, double(repeats), "transform");
  for (long k = 0; k < 3; k++) {
    const Complex at = result[(k * 7919) % n];
    std::printf("x%ld = %.6e\ny%ld = %.6e\n", k, at.re, k, at.im);
  }
  double power = 0;
  for (long k = 0; k < std::min(n, 4096L); k++)
    power += double(result[k].re) * result[k].re +
             double(result[k].im) * result[k].im;
  std::printf("power = %.6e\n", power);
}

// The matrices of matmul and blocked, and what is printed of their product.
#pragma once
#include "peer.hpp"
#include <cmath>

struct Matrices {
  explicit Matrices(long n) : n(n), a(n * n), b(n * n), c(n * n) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; i++)
      for (long j = 0; j < n; j++) {
        a[i * n + j] = float((3 * i + 5 * j) % 17) / 16 - 0.5f;
        b[i * n + j] = float((7 * i + 2 * j) % 19) / 16 - 0.5f;
      }
  }
  void print() {
    double trace = 0, absolute = 0;
    for (long i = 0; i < n; i++)
      trace += c[i * n + i];
    for (long k = 0; k < n * n; k++)
      absolute += std::fabs(c[k]);
    std::printf("trace = %.8e\nabsolute = %.8e\n", trace, absolute);
  }
  long n;
  peer::Field<float> a, b, c;
};

/// Times products and prints what came out.
template <class Multiply>
int timeProducts(int argc, char **argv, Multiply multiply) {
  Matrices m(peer::flag(argc, argv, "n", 64));
  const long repeats = peer::flag(argc, argv, "repeats", 1);
  multiply(m.n, m.a.data(), m.b.data(), m.c.data());
  double start = peer::now();
  for (long k = 0; k < repeats; k++)
    multiply(m.n, m.a.data(), m.b.data(), m.c.data());
  peer::report(peer::now() - start, double(repeats), "product");
  m.print();
  return 0;
}

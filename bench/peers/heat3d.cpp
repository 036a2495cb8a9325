// Heat in a cube, 7 points: planes and rows over the threads, rows vectorised.
#include "peer.hpp"

static void step(long n, const double *__restrict u, double *__restrict w) {
  const long plane = n * n;
#pragma omp parallel for collapse(2) schedule(static)
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < n - 1; j++) {
      const double *c = u + i * plane + j * n;
      double *o = w + i * plane + j * n;
#pragma omp simd
      for (long k = 1; k < n - 1; k++)
        o[k] = c[k] + 0.1 * (c[k - plane] + c[k + plane] + c[k - n] + c[k + n] +
                             c[k - 1] + c[k + 1] - 6 * c[k]);
    }
}

int main(int argc, char **argv) {
  const long n = peer::flag(argc, argv, "n", 32);
  const long steps = peer::flag(argc, argv, "steps", 20);
  peer::Field<double> first(n * n * n), second(n * n * n);
  double *a = first.data(), *b = second.data();
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++)
        a[(i * n + j) * n + k] = b[(i * n + j) * n + k] =
            double((7 * i + 13 * j + 29 * k) % 101) / 101;
  peer::timeSteps(steps, a, b,
                  [n](const double *u, double *w) { step(n, u, w); });
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (long k = 0; k < n * n * n; k++)
    sum += a[k];
  std::printf("sum = %.10e\n", sum);
  std::printf("quarter = %.10e\n", a[((n / 4) * n + n / 3) * n + n / 2]);
  std::printf("corner = %.10e\n", a[(n + 1) * n + 1]);
}

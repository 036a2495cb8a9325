// Tiles in local arrays, by hand.
#include "matrices.hpp"

static void multiply(long n, const float *__restrict a,
                     const float *__restrict b, float *__restrict c) {
  constexpr long T = 32;
#pragma omp parallel for collapse(2) schedule(static)
  for (long p = 0; p < n / T; p++)
    for (long q = 0; q < n / T; q++) {
      alignas(64) float sums[T][T] = {}, left[T][T], right[T][T];
      for (long r = 0; r < n / T; r++) {
        for (long i = 0; i < T; i++)
          for (long j = 0; j < T; j++) {
            left[i][j] = a[(p * T + i) * n + r * T + j];
            right[i][j] = b[(r * T + i) * n + q * T + j];
          }
        for (long i = 0; i < T; i++)
          for (long k = 0; k < T; k++)
            for (long j = 0; j < T; j++)
              sums[i][j] += left[i][k] * right[k][j];
      }
      for (long i = 0; i < T; i++)
        for (long j = 0; j < T; j++)
          c[(p * T + i) * n + q * T + j] = sums[i][j];
    }
}

int main(int argc, char **argv) { return timeProducts(argc, argv, multiply); }

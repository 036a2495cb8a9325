// The three loops, in the order in which rows are contiguous.
#include "matrices.hpp"

static void multiply(long n, const float *__restrict a,
                     const float *__restrict b, float *__restrict c) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; i++) {
    float *row = c + i * n;
    std::memset(row, 0, size_t(n) * sizeof(float));
    for (long k = 0; k < n; k++) {
      const float left = a[i * n + k];
#pragma omp simd
      for (long j = 0; j < n; j++)
        row[j] += left * b[k * n + j];
    }
  }
}

int main(int argc, char **argv) { return timeProducts(argc, argv, multiply); }

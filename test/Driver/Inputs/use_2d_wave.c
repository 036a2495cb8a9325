#include "lib2d-wave.h"
#include <stdio.h>

int main(void) {
  float u[3] = {1, 2, 3}, sum;
  int64_t shape = 3;
  int32_t length, next, one, other, all, alpha, beta, product;
  int32_t a[2] = {2, 3}, b[2] = {10, 100};
  int64_t two = 2;
  if (_2d_wave_plus(1.5f, 2, &sum) || _2d_wave_size(u, &shape, 4, &length) ||
      _2d_wave_register(6, &next) || _2d_wave_two(8, 9, &one, &other) ||
      _2d_wave_mixed(1, 2, 3, 4, 5, 6, 7, &all) || _2d_wave___(1, &alpha) ||
      _2d_wave____(1, &beta) || _2d_wave_keep(a, &two, b, &two, &product))
    return 1;
  printf("%g %d %d %d %d %d %d %d %d\n", sum, length, next, one, other, all,
         alpha, beta, product);
  return 0;
}

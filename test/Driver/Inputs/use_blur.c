#include "libblur.h"
#include <stdio.h>

int main(void) {
  float u[6] = {1, 2, 3, 4, 5, 6}, out[6];
  int64_t shape[2] = {2, 3};
  if (blur_blur(u, shape, out, shape, 0.5f))
    return 1;
  for (int i = 0; i < 6; ++i)
    printf("%g ", out[i]);
  float v[4] = {1, 2, 3, 4}, offset[2] = {10, 20}, sum[2];
  int32_t count;
  int64_t length = 2, six = 6;
  if (blur_total(v, &length, offset, sum, &count))
    return 1;
  printf("%g %g %d\n", sum[0], sum[1], count);
  float picked;
  if (blur_pick(u, &six, 5, &picked))
    return 1;
  printf("%g\n", picked);
  fflush(stdout);
  return blur_pick(u, &six, 6, &picked); /* past the end: an error, not a crash */
}

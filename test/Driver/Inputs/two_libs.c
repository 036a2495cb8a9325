#include "libleft.h"
#include "libright.h"
#include <stdio.h>

int main(void) {
  setbuf(stdout, NULL);
  float scaled = 0;
  int32_t count = -1;
  left_scale(3, &scaled);
  printf("left %g\n", scaled);
  right_scale(3, &scaled);
  printf("right %g\n", scaled);
  /* The field is made by the script: an error, not a crash. */
  printf("early %d %d\n", left_count(&count), count);
  const char *name[] = {"library"};
  if (left_run(1, name) || right_run(1, name))
    return 1;
  printf("late %d", left_count(&count));
  printf(" %d", count);
  printf(" %d", right_count(&count));
  printf(" %d\n", count);
  return 0;
}

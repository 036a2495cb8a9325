/* A program as the compiler would emit it: one param, a script, no C library of
 * its own. */
#include "chirt/chirt.h"

static int32_t n;
static void *const storage[] = {&n};
static void setDefault(void) { n = 4; }

static void chunk(void *args, int64_t begin, int64_t end, int32_t worker) {
  float *values = args;
  (void)worker;
  for (int64_t i = begin; i < end; ++i)
    values[i] = (float)i * 0.5f;
}

static void script(void) {
  chirt_field *x = chirt_field_new(0, "f32", 1, n, 1, 1, 1, 1, 1, 1, 1);
  double sum;
  chirt_parallel(chunk, x->data, n, 16, 100);
  chirt_check_launch();
  chirt_field_sum(x, &sum);
  chirt_fmt_text("sum = ", 6);
  chirt_fmt_value(CHIRT_F64, 0, 1, 1, &sum, "");
  chirt_fmt_text("\n", 1);
  chirt_fmt_print();
  chirt_field_release(x);
}

static const chirt_param params[] = {
    {"n", CHIRT_I32, 1, storage, "how many", "4", 1, 1, 1e6, 0, 0, setDefault}};
const chirt_program chi_program = {
    CHIRT_ABI_VERSION, "bundled.chi", "Sums numbers.", params, 1, script, 0, 0};

int main(int argc, char **argv) {
  return chirt_main(&chi_program, argc, (const char *const *)argv);
}

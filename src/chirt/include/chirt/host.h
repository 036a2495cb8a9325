/*===- host.h - The run time of Chi programs: for `chic` --------------------===
 * What the compiler's command line needs beyond chirt.h. No compiled program
 * relies on it.
 *===----------------------------------------------------------------------===*/
#ifndef CHIRT_HOST_H
#define CHIRT_HOST_H

#include "chirt/chirt.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The outcome of one test, for whoever writes reports. */
typedef struct chirt_test_result {
  const char *name;
  int32_t status; /* 0: passed */
  double seconds;
  const char *message; /* what was printed of its failure; "" if none */
} chirt_test_result;

/* Of a flag that later versions take ("deterministic"): what to use instead.
 * Null for any other. */
const char *chirt_later_flag(const char *name);

/* The flags of `chic run` without their dashes, null-ended: what a misspelt
 * parameter may have meant. */
extern const char *const chirt_run_flags[];

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif /* CHIRT_HOST_H */

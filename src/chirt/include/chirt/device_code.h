/*===- device_code.h - Code of a task for a device --------------------------===
 * What chirt_task::device_code points to. A part of compiled programs.
 *===----------------------------------------------------------------------===*/
#ifndef CHIRT_DEVICE_CODE_H
#define CHIRT_DEVICE_CODE_H

#include "chirt/records.h"

/* What a kernel takes as a parameter; of each parameter there are three
 * numbers: one of these, the number of an argument of the task or of an axis of
 * its domain, and an axis of that argument. chi::ir::WordKind has the same. */
enum chirt_word_kind {
  CHIRT_WORD_DATA,
  CHIRT_WORD_EXTENT,
  CHIRT_WORD_SCALAR,
  CHIRT_WORD_FROM,
  CHIRT_WORD_COUNT,
  CHIRT_WORD_SEED,
  CHIRT_WORD_FAILURES,
  CHIRT_WORD_RECORDS,
  CHIRT_WORD_PARTIALS, /* number: bytes of a block that lie before them */
  CHIRT_WORD_PARTS,
  CHIRT_WORD_STRIDE
};

/* Threads of a block: what kernels are compiled for. */
#define CHIRT_BLOCK_SIZE 256
/* Bytes of parameters that a kernel for Vulkan takes as push constants. If it
 * has more, its push constant is the address where they lie. */
#define CHIRT_PUSH_BYTES 128
/* Partial sums that a block of threads joins. */
#define CHIRT_JOIN 4096

/* A launch of a kernel with trees over n iterations has memory for partial
 * sums, `partial_bytes` for each of the ceil(n / CHIRT_TREE_BLOCK) blocks of
 * iterations: CHIRT_TREE_LANES numbers of a tree a block. CHIRT_WORD_PARTIALS
 * is its address, plus `number` bytes a block. Behind it `finish` is launched
 * until one block of threads is enough: with parts = CHIRT_TREE_LANES a block
 * of iterations and stride 1, then with parts = the blocks of threads that
 * there were, ceil(parts / CHIRT_JOIN), and CHIRT_JOIN times the stride. */
typedef struct chirt_device_code {
  const char *name;     /* of the entry point */
  const int32_t *words; /* unaligned; three numbers a parameter */
  int64_t num_words;    /* parameters */
  const void *image;    /* a SPIR-V binary, or PTX with its NUL */
  int64_t image_bytes;
  const chirt_unit *unit; /* of its records; null: it has no checks */
  /* Iterations that a thread does at least, if there are so many. */
  int64_t per_thread;
  int64_t partial_bytes; /* 0: it has no trees */
  const struct chirt_device_code *finish; /* null: it has no trees */
} chirt_device_code;

#endif /* CHIRT_DEVICE_CODE_H */

/*===- device_code.h - Code of a task for a device --------------------------===
 * What chirt_task::device_code points to. A part of compiled programs.
 *===----------------------------------------------------------------------===*/
#ifndef CHIRT_DEVICE_CODE_H
#define CHIRT_DEVICE_CODE_H

#include "chirt/records.h"

/* What a kernel takes as a parameter; of each parameter there are three
 * numbers: one of these, the number of an argument of the task or of an axis of
 * its domain, and an axis of that argument. chi::ir::KernelParam has the same.
 */
enum chirt_kernel_param {
  CHIRT_KERNEL_PARAM_DATA, /* axis: see CHIRT_DATA_OF_BASE */
  CHIRT_KERNEL_PARAM_EXTENT,
  CHIRT_KERNEL_PARAM_SCALAR,
  CHIRT_KERNEL_PARAM_FROM,
  CHIRT_KERNEL_PARAM_COUNT,
  CHIRT_KERNEL_PARAM_SEED,
  CHIRT_KERNEL_PARAM_FAILURES,
  CHIRT_KERNEL_PARAM_RECORDS,
  CHIRT_KERNEL_PARAM_PARTIALS, /* number: bytes of a block that lie before them
                                */
  CHIRT_KERNEL_PARAM_NUM_PARTIALS,
  CHIRT_KERNEL_PARAM_STRIDE,
  CHIRT_KERNEL_PARAM_FIRST,
  CHIRT_KERNEL_PARAM_LAST,
  CHIRT_KERNEL_PARAM_LOG_SIZE,
  CHIRT_KERNEL_PARAM_LOG,
  CHIRT_KERNEL_PARAM_ARENA,
  CHIRT_KERNEL_PARAM_RESUME,
  CHIRT_KERNEL_PARAM_RESTARTED,
  CHIRT_KERNEL_PARAM_ENDED,
  CHIRT_KERNEL_PARAM_PROBE_ITERATIONS,
  CHIRT_WORD_FIELD_STRIDE
};

/* In the place of an axis. Of CHIRT_KERNEL_PARAM_DATA: of the memory of the
 * field's base. Of CHIRT_WORD_FIELD_STRIDE: from component to component, and
 * from the first scalar of the base to that of the field. */
#define CHIRT_DATA_OF_BASE 1
#define CHIRT_STRIDE_OF_COMPONENTS CHIRT_MAX_RANK
#define CHIRT_OFFSET_IN_BASE (CHIRT_MAX_RANK + 1)

/* What a kernel for Vulkan needs of a device beyond what all have. */
enum chirt_need {
  CHIRT_NEED_F64 = 1,
  CHIRT_NEED_F16 = 2,
  CHIRT_NEED_I16 = 4,
  CHIRT_NEED_I8 = 8,
  CHIRT_NEED_FIELDS_16 = 16, /* of 16-bit numbers */
  CHIRT_NEED_FIELDS_8 = 32,
  CHIRT_NEED_ATOMICS_64 = 64, /* of integers */
  CHIRT_NEED_SUMS_F32 = 128,  /* atomic ones; see `plain_bytes` */
  CHIRT_NEED_I64 = 256
};

/* Threads of a block: what kernels are compiled for. */
#define CHIRT_BLOCK_SIZE 256
/* Bytes of parameters that a kernel for Vulkan takes as push constants. If it
 * has more, its push constant is the address where they lie. */
#define CHIRT_PUSH_BYTES 128
/* Parameters that a kernel for CUDA takes, 4 KB of them. If it has more, it
 * takes the address where they lie. */
#define CHIRT_CUDA_PARAMS 512
/* A launch is small if no number of it is larger than CHIRT_SMALL_NUMBERS: of
 * its iterations, of the scalars of each field, of ends of axes, of fields and
 * of the domain. Kernels for small launches have such numbers in 32 bits, and
 * the room above is for what they count beyond: to the next iteration of one of
 * CHIRT_DEVICE_THREADS threads, or to the end of a reduction's block. */
#define CHIRT_SMALL_NUMBERS (0x7fffffff - 2 * CHIRT_DEVICE_THREADS)
#define CHIRT_DEVICE_THREADS (1 << 23)
/* What is at CHIRT_KERNEL_PARAM_FAILURES, zero before the launch: an i32 that
 * counts failures with a record; an i32 for CHIRT_KERNEL_PARAM_ENDED; and at
 * CHIRT_EARLIEST_AT the complement of the least number of an iteration that
 * failed, in 32 bits if the kernel counts in 32, or in 64. A failure behind
 * that iteration is not counted: few are, unless they come in descending
 * order. */
#define CHIRT_FAILURE_BYTES 16
#define CHIRT_EARLIEST_AT 8
/* Partial sums that a block of threads joins. */
#define CHIRT_JOIN 4096

/* A launch of a kernel with reductions over n iterations has memory for partial
 * sums, `partial_bytes` for each of the ceil(n / CHIRT_REDUCTION_BLOCK) blocks
 * of iterations: CHIRT_REDUCTION_BLOCK / per_thread numbers of a reduction a
 * block. CHIRT_KERNEL_PARAM_PARTIALS is its address, plus `number` bytes a
 * block. Behind it `finish` is launched until one block of threads is enough:
 * with parts = the numbers of a reduction and stride 1, then with parts = the
 * blocks of threads that there were, ceil(parts / CHIRT_JOIN), and CHIRT_JOIN
 * times the stride. */
/* What tasks print goes to memory of CHIRT_DEVICE_LOG_WORDS words of 8 bytes:
 * of each entry its format (and above it, how many words follow two), the
 * number of its iteration, and its values as a record has them. An access that
 * --check=races looks at is an entry, too: in the place of the format is the
 * complement of its site's number, and its values are the number of the field's
 * argument with the chirt_race_kind above it, and the bytes of the field before
 * the scalar. CHIRT_KERNEL_PARAM_LOG_SIZE counts the words, also those for
 * which there is no room: the first entry that has none leaves
 * CHIRT_DEVICE_LOG_END, if there is a word for it. A kernel with `log_words` is
 * launched for iterations CHIRT_KERNEL_PARAM_FIRST to before
 * CHIRT_KERNEL_PARAM_LAST, so many (a multiple of CHIRT_REDUCTION_BLOCK if it
 * has reductions) that there is. */
#define CHIRT_DEVICE_LOG_WORDS (1 << 22)
#define CHIRT_DEVICE_LOG_END (-1)

/* A kernel with `arena_bytes` is launched with memory of which its threads take
 * blocks of CHIRT_ARENA_UNIT bytes. It begins with i32s: the number of the
 * first free unit (the first is 1), how many units there are, and how many
 * threads found too few. CHIRT_KERNEL_PARAM_RESUME has an i64 for each thread.
 * If threads found too few, it is launched again with as many threads, more
 * memory, all of it free, and CHIRT_KERNEL_PARAM_RESTARTED, first 0, as 1. If
 * it `restarts_all`, CHIRT_KERNEL_PARAM_RESTARTED stays 0, and all that it
 * writes is put back before. */
#define CHIRT_ARENA_UNIT 64
#define CHIRT_ARENA_USED 0
#define CHIRT_ARENA_SIZE 1
#define CHIRT_ARENA_UNFINISHED 2

/* Iterations of loops that a thread takes, at most, for each iteration of the
 * loop over its iterations (over blocks of them, if it has reductions). A
 * kernel that may take more has two parameters: it sets the i32 at
 * CHIRT_KERNEL_PARAM_ENDED, which is 0, if a loop of
 * CHIRT_KERNEL_PARAM_PROBE_ITERATIONS iterations at its end took fewer. */
#define CHIRT_FEW_ITERATIONS 1024

typedef struct chirt_device_code {
  const char *name;     /* of the entry point */
  const int32_t *words; /* unaligned; three numbers a parameter */
  int64_t num_words;    /* parameters */
  const void *image;    /* a SPIR-V binary, or PTX with its NUL */
  int64_t image_bytes;
  const chirt_unit *unit; /* of its records; null: it has no checks */
  /* Iterations that a thread does at least, if there are so many. */
  int64_t per_thread;
  int64_t partial_bytes;                  /* 0: it has no reductions */
  const struct chirt_device_code *finish; /* null: it has no reductions */
  /* Words that an iteration tells; 0: nothing; negative: nobody knows. */
  int64_t log_words;
  int64_t arena_bytes; /* that a thread takes at first; 0: nothing ever */
  int64_t restarts_all; /* iterations ask for memory behind what they store */
  int64_t needs;       /* chirt_need, joined */
  /* Bytes of another binary, behind the image: its sums of f32 are loops round
   * a compare-exchange, for devices without atomic ones. 0: it has none. */
  int64_t plain_bytes;
  /* For launches that are not small; null: this one is for all. */
  const struct chirt_device_code *large;
} chirt_device_code;

/* What a task's descriptor points to: its code for each kind of device. Null:
 * the program was compiled without. */
typedef struct chirt_device_codes {
  const chirt_device_code *vulkan, *cuda;
} chirt_device_codes;

#endif /* CHIRT_DEVICE_CODE_H */

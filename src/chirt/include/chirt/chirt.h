/*===- chirt.h - The run time of Chi programs: C ABI ------------------------===
 * Everything a compiled program, the driver or an embedding host may call: the
 * types here, the functions in api.def. C types only; no LLVM, no compiler. All
 * strings are UTF-8 and end in NUL. Compiled code relies on the layout of the
 * structs below: a change of any of them changes CHIRT_ABI_VERSION.
 *===----------------------------------------------------------------------===*/
#ifndef CHIRT_CHIRT_H
#define CHIRT_CHIRT_H

#include "chirt/derivatives.h"
#include "chirt/fields.h"
#include "chirt/records.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define CHIRT_ABI_VERSION 13
/* The most worker threads of a program. */
#define CHIRT_MAX_THREADS 1024
/* Sums over fields: iteration i adds to sum i % CHIRT_REDUCTION_LANES of block
 * i / CHIRT_REDUCTION_BLOCK; sums, then blocks, are joined pairwise. */
#define CHIRT_REDUCTION_BLOCK 1024
#define CHIRT_REDUCTION_LANES 16
/* What a launch costs, in 1/16 ns, below which it stays on its caller: about
 * what waking the others costs. */
#define CHIRT_SMALL_LAUNCH (3000 * 16)
/* Parts of a launch under --deterministic, which more threads do not share. */
#define CHIRT_MAX_PARTS 64

enum chirt_dtype {
  CHIRT_BOOL,
  CHIRT_I8,
  CHIRT_I16,
  CHIRT_I32,
  CHIRT_I64,
  CHIRT_U8,
  CHIRT_U16,
  CHIRT_U32,
  CHIRT_U64,
  CHIRT_F16,
  CHIRT_BF16, /* the upper half of an f32 */
  CHIRT_F32,
  CHIRT_F64,
  CHIRT_STR
};

/*=== Launching ============================================================*/

/* Iterations [begin, end) of a flattened domain, as worker `worker`. */
typedef void (*chirt_chunk)(void *args, int64_t begin, int64_t end,
                            int32_t worker);

/* How values are combined. Of integers min and max compare signed, minu and
 * maxu unsigned. */
enum chirt_accum_kind {
  CHIRT_ACCUM_ADD,
  CHIRT_ACCUM_MUL,
  CHIRT_ACCUM_MIN,
  CHIRT_ACCUM_MAX,
  CHIRT_ACCUM_MINU,
  CHIRT_ACCUM_MAXU,
  CHIRT_ACCUM_AND,
  CHIRT_ACCUM_OR,
  CHIRT_ACCUM_XOR
};

/* What a task does to a scalar of a field. An update is CHIRT_RACE_UPDATE + its
 * chirt_accum_kind, or its chi::ir::AtomicKind. STORE_SAME: every iteration
 * stores the same value. */
enum chirt_race_kind {
  CHIRT_RACE_READ,
  CHIRT_RACE_STORE,
  CHIRT_RACE_STORE_SAME,
  CHIRT_RACE_UPDATE,
  CHIRT_RACE_ATOMIC_LOAD = CHIRT_RACE_UPDATE + 11
};

/* What a task does to a field that it takes. */
enum chirt_use {
  CHIRT_USE_READ = 1,
  CHIRT_USE_WRITE = 2,
  CHIRT_USE_OVERWRITE = 4 /* a write of all of it, whatever it held */
};

/* Of a call with an adjoint: that reads the field; the call makes it anew. */
enum chirt_custom_use { CHIRT_CUSTOM_READ = 1, CHIRT_CUSTOM_MADE = 2 };

/* What the code of a task may do in several ways, between which launches
 * measure (chirt_choose). The options: 0 no, 1 yes. */
enum chirt_choice {
  CHIRT_CHOICE_STREAMING, /* stores go past the caches */
  CHIRT_CHOICE_TILES      /* loops go in tiles, not in rows */
};

/* A list, dict, set or text file of host code. */
typedef struct chirt_object chirt_object;
/* What all code points of a str are (chirt_str_is). */
enum chirt_str_kind {
  CHIRT_DIGITS,
  CHIRT_LETTERS,
  CHIRT_DIGITS_OR_LETTERS,
  CHIRT_SPACE,
  CHIRT_UPPER,
  CHIRT_LOWER
};
enum chirt_set_operation {
  CHIRT_SET_UNION,
  CHIRT_SET_COMMON,
  CHIRT_SET_WITHOUT,
  CHIRT_SET_EITHER
};

/* One argument of a task. It is a word of 8 bytes: the handle of a field (or
 * str), or the bits of a scalar in its low bytes (a bool is a byte). */
typedef struct chirt_argument {
  uint8_t dtype; /* of the scalar, or of the field's */
  uint8_t is_field;
  uint8_t rank; /* of the field */
  uint8_t uses; /* of the field: chirt_use, joined */
} chirt_argument;

/* Over what a task is launched: half-open ranges, one an axis. */
typedef struct chirt_domain {
  int64_t from[CHIRT_MAX_RANK], to[CHIRT_MAX_RANK];
  /* Where step is not 0, axis 0 counts the iterations of the source's range,
   * and its variable is begin + number * step: for messages. */
  int64_t begin, step;
} chirt_domain;

/* What hangs on a task. */
enum chirt_task_flag {
  CHIRT_TASK_DRAWS = 1,       /* random numbers */
  CHIRT_TASK_INSTRUMENTED = 2 /* tells its accesses (--check=races) */
};

#define CHIRT_TASK_VERSION 7
/* A task of a kernel, made once by the compiler. */
typedef struct chirt_task {
  int32_t version; /* CHIRT_TASK_VERSION */
  int32_t rank;    /* of its domain; 0: one iteration */
  int32_t num_arguments;
  int32_t flags;                   /* chirt_task_flag, joined */
  const char *name;                /* of its symbol: "step.t0" */
  const chirt_site *site;          /* of the loop in the source */
  const chirt_argument *arguments; /* null if there are none */
  const char *names; /* of the arguments: "x, , y"; what has none is left out */
  /* Runs all iterations, on the pool where that pays. A failing check is
   * recorded, not raised. */
  void (*entry)(const struct chirt_task *task, const int64_t *words,
                const chirt_domain *domain);
  /* Takes what this one takes, then its workspace fields, then for each field
   * of floats among what this one takes, in that order, the field of its
   * adjoint (of f32 where it holds f16). Null: none was made. */
  const struct chirt_task *adjoint;
  const void *device_code; /* null: for the CPU alone */
  /* Where each access lies, in words of 8 bytes, unaligned; null: nothing is
   * known. Of an access: the number of its argument, its chirt_use, how many
   * axes, and for each of these the least and the greatest index. An index is
   * a sum: the number of terms (-1: unknown), a constant, of each term its
   * chirt_box_symbol, the number of the axis or argument, an extent's axis,
   * the factor. */
  const void *boxes;
  int64_t num_box_words;
  /* Of an adjoint task, or one that runs before it: what runs before this one,
   * over the same domain. It takes what the primal takes, then the workspace.
   * Of a recorder: the counter, which takes the starts only of these. */
  const struct chirt_task *prologue;
  const void *workspace; /* of an adjoint task (first those of its recorder), or
                          * of a recorder; unaligned */
  int64_t num_workspace_fields;
  /* Runs in the place of this one where a tape wants its adjoint: does the same
   * and keeps results of atomic operations. Takes what this one takes, then its
   * workspace. Null: there are none to keep. */
  const struct chirt_task *recorder;
  /* Does what this one does and what its adjoint does; takes what the adjoint
   * takes. Neither checks, draws or has anything run before it. Null: none was
   * made. */
  const struct chirt_task *fused;
  /* Of an adjoint task: another one, with workspace fields of its own, for
   * launches where the arguments that are bits of its `passive` have no
   * derivative. Null: there is none. */
  const struct chirt_task *variant;
  int64_t passive;
  /* Runs in the place of this one in forward mode: does the same, and to the
   * tangents of floats what this one does to the floats. Takes what this one
   * takes, then for each field of floats among that, in that order, the field
   * of its tangents (of f32 where it holds f16). Null: none was made. */
  const struct chirt_task *tangent;
} chirt_task;

/*=== Programs =============================================================*/

/* A kernel, with what it may launch. */
typedef struct chirt_kernel {
  const char *name;
  const chirt_task *const *tasks; /* null if there are none */
  int32_t num_tasks;
} chirt_kernel;

typedef struct chirt_param {
  const char *name; /* as written, with underscores */
  int32_t dtype;
  int32_t components;       /* 1, or n of a vec */
  void *const *storage;     /* one address a component (const char* for str) */
  const char *doc;          /* "" if none */
  const char *default_text; /* as written */
  int32_t has_range;
  double low, high;
  const char *const *choices; /* null-ended list of texts, or null */
  const char *fixed_text;     /* value compiled in, or null */
  void (*set_default)(void);  /* stores the default; runs in order */
} chirt_param;

typedef struct chirt_test {
  const char *name;
  void (*body)(void);
} chirt_test;

/* A compiled program exports one as `chi_program`. */
typedef struct chirt_program {
  int32_t abi_version;
  const char *file;
  const char *doc;
  const chirt_param *params;
  int32_t num_params;
  void (*script)(void);
  const chirt_test *tests;
  int32_t num_tests;
  const chirt_kernel *const *kernels; /* that host code calls */
  int32_t num_kernels;
} chirt_program;

struct chirt_test_result; /* see host.h */
typedef struct chirt_options {
  int32_t threads; /* 0: all cores */
  uint64_t seed;
  int32_t profile;
  int32_t quiet_progress;
  const char *device;      /* where tasks run: null or "cpu", "mirror", … */
  int32_t device_number;   /* which one of these */
  int32_t run_tests;       /* run tests, not the script */
  const char *test_filter; /* substring of names, or null */
  int32_t time;            /* report when the first kernel starts, … */
  double start_time;       /* chirt_time_now() of the process's start, or 0 */
  const char *test_suffix; /* printed behind the names of tests, or null */
  /* Called after each test, or null. */
  void (*on_test)(void *context, const struct chirt_test_result *result);
  void *test_context;
} chirt_options;

/*=== Libraries ============================================================*/

/* The top-level fields of a library's program. */
typedef struct chirt_named_field {
  const char *name;
  chirt_field *const *variable; /* of the variable; null before the script */
} chirt_named_field;
typedef struct chirt_field_table {
  const chirt_named_field *fields;
  int64_t count;
} chirt_field_table;

/* A field as other languages see an array: the axes of the field, then those of
 * a vec or mat. Strides are in bytes. */
typedef struct chirt_array {
  void *data;
  const char *type; /* of the scalar: "f32" */
  int32_t rank;     /* all axes */
  int32_t field_rank;
  int64_t shape[CHIRT_MAX_RANK + 2], strides[CHIRT_MAX_RANK + 2];
} chirt_array;

/*=== Functions ============================================================*/

#define CHIRT_NEVER __attribute__((noreturn)) void
#define CHIRT_FUNCTION(Result, Name, Parameters, Uses, Facts)                  \
  Result Name Parameters;
#define CHIRT_VARIABLE(Type, Name) extern Type Name;
#include "chirt/api.def"

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif /* CHIRT_CHIRT_H */

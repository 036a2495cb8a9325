/*===- chirt.h - The run time of Chi programs: C ABI ------------------------===
 * Everything a compiled program, the driver or an embedding host may call.
 * C types only; no LLVM, no compiler. All strings are UTF-8 and end in NUL.
 * Compiled code relies on the layout of the structs below: a change of any of
 * them changes CHIRT_ABI_VERSION.
 *===----------------------------------------------------------------------===*/
#ifndef CHIRT_CHIRT_H
#define CHIRT_CHIRT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define CHIRT_ABI_VERSION 1
#define CHIRT_MAX_RANK 8

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
  CHIRT_F32,
  CHIRT_F64,
  CHIRT_STR
};

/*=== Fields ===============================================================*/

/* Element scalars of AoS fields lie together, row-major in a matrix; an SoA
 * field has one block of `elements` scalars for each component. The linear
 * number of an element follows `order` (outermost first). bool is a byte. */
typedef struct chirt_field {
  void *data;                      /* 64-byte aligned; null if no elements */
  int64_t extents[CHIRT_MAX_RANK]; /* of the logical axes, 1 beyond rank */
  int64_t elements;                /* product of the extents */
  int32_t refcount;
  int32_t dtype; /* of the scalar */
  int32_t rank;
  int32_t rows, columns; /* vec: n, 1; mat: rows, columns; scalar: 1, 1 */
  int32_t element_rank;  /* 0 scalar, 1 vec, 2 mat */
  int32_t is_soa;
  int32_t order[CHIRT_MAX_RANK];
  int64_t bytes;
  void (*release)(struct chirt_field *); /* frees foreign memory, or null */
  void *owner;                           /* of foreign memory */
} chirt_field;

/* Makes a zeroed field with one reference. `desc` is "f32", "f32:2" (vec),
 * "f32:2x2" (mat), then ";soa" and ";order=1,0" where they are not the
 * default. A negative extent or lack of memory raises at `site` (may be null).
 */
struct chirt_site;
chirt_field *chirt_field_new(const struct chirt_site *site, const char *desc,
                             int64_t rank, int64_t e0, int64_t e1, int64_t e2,
                             int64_t e3, int64_t e4, int64_t e5, int64_t e6,
                             int64_t e7);
void chirt_field_retain(chirt_field *field);  /* null is fine */
void chirt_field_release(chirt_field *field); /* null is fine; last one frees */
/* Values as raw scalars of the element, row-major, in `value`. */
void chirt_field_fill(chirt_field *field, const void *value);
/* Same element type and extents, else raises (shape mismatch) at `site`. */
void chirt_field_copy(const struct chirt_site *site, chirt_field *to,
                      const chirt_field *from);
/* Reductions over all elements, by component; `result` takes the element's
 * scalars: sums of floats as f64, of integers as i64/u64; min, max in the
 * scalar's own type. Of an empty field min and max raise. Fixed order: blocks
 * of 1024 elements, 16 interleaved sums, joined pairwise. */
void chirt_field_sum(const chirt_field *field, void *result);
/* The same of integers, without wrapping. */
void chirt_field_sum_wide(const chirt_field *field, double *result);
void chirt_field_min(const struct chirt_site *site, const chirt_field *field,
                     void *result);
void chirt_field_max(const struct chirt_site *site, const chirt_field *field,
                     void *result);
/* Logical indices of the largest element, the lowest one first. */
void chirt_field_argmax(const struct chirt_site *site, const chirt_field *field,
                        int64_t *indices);
double chirt_field_dot(const struct chirt_site *site, const chirt_field *a,
                       const chirt_field *b);
/* .npy (any field), .png (rank 2: grey from scalar, RGB(A) from vec3/vec4;
 * 0..1 floats clamped, integers of 8 and 16 bits as they are). axes_xy: first
 * index right, second up. Writes to a temporary file, then renames. */
void chirt_save(const struct chirt_site *site, const char *path,
                const chirt_field *field, int32_t axes_xy);
/* A new field of the file's extents; `desc` and rank must agree with it.
 * chirt_load_cast converts the numbers of an .npy to the type of `desc`. */
chirt_field *chirt_load(const struct chirt_site *site, const char *path,
                        const char *desc, int64_t rank);
chirt_field *chirt_load_cast(const struct chirt_site *site, const char *path,
                             const char *desc, int64_t rank);

/*=== Errors ===============================================================*/

enum chirt_site_kind {
  CHIRT_SITE_BOUNDS,
  CHIRT_SITE_DIVIDE,
  CHIRT_SITE_ASSERT,
  CHIRT_SITE_OVERFLOW,
  CHIRT_SITE_POWER,
  CHIRT_SITE_SHAPE,
  CHIRT_SITE_NAN,
  CHIRT_SITE_CALL
};

/* A place in the source that can fail, emitted by the compiler. */
typedef struct chirt_site {
  const char *file;
  int32_t line, column, end_column; /* from 1; end_column is past the range */
  int32_t kind;                     /* chirt_site_kind */
  const char *what;           /* field name, asserted text, … ; never null */
  int32_t axis;               /* of a bounds check */
  int32_t num_values;         /* raw values passed to chirt_fail */
  const uint8_t *value_types; /* chirt_dtype each */
  const char *kernel;         /* null in host code */
  int32_t num_axes;           /* of the iteration index; 0 in host code */
  const char *axes;           /* "i, j" */
} chirt_site;

/* Records a failed check of a running task: the first of a launch wins. The
 * message of an assert is what chirt_fmt_* gathered before on this thread. The
 * caller then leaves its chunk. Values are 8 bytes each: integers sign- or
 * zero-extended, floats as f64. */
void chirt_fail(const chirt_site *site, const int64_t *values,
                const int64_t *iteration);
/* The same in host code: prints and does not return. */
void chirt_raise(const chirt_site *site, const int64_t *values)
    __attribute__((noreturn));
/* The launch that is checked or watched next counts turns of one axis: the
 * loop variable is begin + turn * step. Forgotten when a failure is raised, and
 * when races are no longer watched. */
void chirt_loop_values(int64_t begin, int64_t step);
/* Raises the recorded failure, if any: called after launches. */
void chirt_check_launch(void);
/* Non-zero while a failure is recorded, of any thread: compiled code may test
 * it before it asks chirt_check_launch. */
extern int32_t chirt_failed;
/* Runs `body(context)`; returns 0, or the exit status (1 user, 2 world) if it
 * raised or called exit; the message is printed to stderr. Guards nest; a
 * guard is of the thread that calls it, as are failures, those of its launches
 * too. */
int32_t chirt_guard(void (*body)(void *), void *context);

/*=== Text =================================================================*/

/* Pieces are gathered in a buffer of the thread, then printed as one or taken
 * as a str. `values`: rows*columns raw scalars (bool, f16 in their memory
 * form). spec: Python's format mini-language, "" for the default; floats then
 * print as the shortest text that reads back in their precision. */
void chirt_fmt_text(const char *text, int64_t length);
void chirt_fmt_value(int32_t dtype, int32_t rank, int32_t rows, int32_t columns,
                     const void *values, const char *spec);
void chirt_fmt_str(const char *text, const char *spec);
void chirt_fmt_field(const chirt_field *field); /* print(x): a summary of all */
void chirt_fmt_print(void);       /* to stdout, as one piece; clears */
const char *chirt_fmt_take(void); /* interned str; clears */
int32_t chirt_str_equal(const char *a, const char *b);
int32_t chirt_str_compare(const char *a, const char *b); /* <0, 0, >0 */

/*=== Launching ============================================================*/

/* Iterations [begin, end) of a flattened domain, as worker `worker`. */
typedef void (*chirt_chunk)(void *args, int64_t begin, int64_t end,
                            int32_t worker);

/* Runs n iterations on the pool: worker k takes the k-th part, cut at
 * multiples of `align`; all on the caller if n * cost is below the grain. In a
 * long launch parts are run in pieces (cut at multiples of `align` too), and a
 * worker that is done takes over pieces of others, unless private copies are in
 * use: `worker` says who runs a piece.
 * `cost` is the compiler's estimate of one iteration in units of 1/16 ns.
 * Does not raise: call chirt_check_launch. */
void chirt_parallel(chirt_chunk chunk, void *args, int64_t n, int64_t align,
                    int64_t cost);
int32_t chirt_num_workers(void);
/* How many parts chirt_parallel would use for these arguments: 1 if inline. */
int32_t chirt_num_parts(int64_t n, int64_t align, int64_t cost);

/* Memory of a launch: stack-like, from the calling thread's arena; 64-byte
 * aligned, not cleared. */
void *chirt_scratch_push(int64_t bytes);
void chirt_scratch_pop(void *memory);

/* Private copies for scattered accumulation. Worker 0 adds to the field
 * itself; returns the base of the copies of workers 1.. (worker w's copy is at
 * result + (w-1) * bytes rounded up to 64), cleared to the kind's neutral
 * element, or null if atomics are the better choice (elements*workers >
 * 4*accumulations, or no memory). Never null if parts is 1: then there are
 * no copies, nor is there need of atomics. `kind`: chi::ir::AccumKind. */
void *chirt_private_begin(int64_t elements, int32_t dtype, int32_t kind,
                          int64_t accumulations, int32_t parts);
/* Merges the copies into `data` in worker order and frees them. */
void chirt_private_end(void *copies, void *data, int64_t elements,
                       int32_t dtype, int32_t kind, int32_t parts);

/* Joins `count` block results pairwise in place ((0,1),(2,3),…, again) and
 * returns nothing; partial[0] holds the result. */
void chirt_tree_join(void *partial, int64_t count, int32_t dtype, int32_t kind);

/* Copies `bytes` from a buffer to memory past the caches (whole lines; its ends
 * by plain stores). Other threads see it after chirt_stream_end only. */
void chirt_stream(void *to, const void *from, int64_t bytes);
/* Transposes a tile of elements of `size` bytes (1, 2, 4, 8): element (r, c),
 * at from + (r * pitch + c) * size, goes to to + c * stride + r * size. Past
 * the caches if `past` is set and all lines are written whole. */
void chirt_stream_tile(void *to, int64_t stride, const void *from, int64_t size,
                       int64_t pitch, int64_t rows, int64_t columns,
                       int32_t past);
/* Stores past the caches are not ordered by what publishes the end of a launch:
 * a chunk that made some calls this last. */
void chirt_stream_end(void);

/* --profile: begin/end of a task's launch on the calling thread. */
extern int32_t chirt_profiling;
void chirt_profile_begin(const char *task);
void chirt_profile_end(void);

/* --check=races: accesses of the running task to a field's scalar, between
 * begin and end; `iteration` is the flattened one, of the domain whose axes
 * have the given `bounds`: the first index and the extent of each. Launches run
 * on the caller in between (chirt_watching_races is set). The first conflict
 * becomes the failure of the launch. `kind` of an update: CHIRT_RACE_UPDATE +
 * its AccumKind or AtomicKind. STORE_SAME: every iteration stores the same
 * value. */
enum chirt_race_kind {
  CHIRT_RACE_READ,
  CHIRT_RACE_STORE,
  CHIRT_RACE_STORE_SAME,
  CHIRT_RACE_UPDATE,
  CHIRT_RACE_ATOMIC_LOAD = CHIRT_RACE_UPDATE + 11
};
extern int32_t chirt_watching_races;
void chirt_race_begin(int32_t rank, const int64_t *bounds);
void chirt_race_access(const chirt_site *site, const void *address,
                       int64_t iteration, int32_t kind);
void chirt_race_end(void);

/*=== Random numbers (see chi.random) =======================================*/
extern uint64_t chirt_seed;
uint32_t chirt_next_ordinal(void); /* of a kernel call that draws */
uint64_t chirt_random_host(void);  /* the host's own stream: 64 bits */

/*=== Host services ========================================================*/
double chirt_time_now(void);
/* chirt_time_now() when the first chirt_parallel began, or 0 if none did. */
double chirt_first_launch(void);
void chirt_exit(int32_t status) __attribute__((noreturn));
/* progress(range): a bar on stderr if that is a terminal. */
void chirt_progress_begin(int64_t total);
void chirt_progress_step(void);
void chirt_progress_end(void);
/* report(): names separated by "\n"; values gathered by chirt_fmt_* with "\n"
 * between them. */
void chirt_report(const char *names);

/*=== Programs =============================================================*/

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
} chirt_program;

struct chirt_test_result; /* see host.h */
typedef struct chirt_options {
  int32_t threads; /* 0: all cores */
  uint64_t seed;
  int32_t profile;
  int32_t quiet_progress;
  int32_t run_tests;       /* run tests, not the script */
  const char *test_filter; /* substring of names, or null */
  int32_t time;            /* report when the first kernel starts, … */
  double start_time;       /* chirt_time_now() of the process's start, or 0 */
  const char *test_suffix; /* printed behind the names of tests, or null */
  /* Called after each test, or null. */
  void (*on_test)(void *context, const struct chirt_test_result *result);
  void *test_context;
} chirt_options;

/* Binds params from `argv` (only --name value, --name=value, --flag, --no-flag
 * of params), runs the script or the tests, and returns the exit status. */
int32_t chirt_run(const chirt_program *program, const chirt_options *options,
                  int32_t argc, const char *const *argv);
/* main of a built executable: also takes --threads, --seed, --profile, --help.
 */
int32_t chirt_main(const chirt_program *program, int32_t argc,
                   const char *const *argv);

/*=== Libraries ============================================================*/

/* `user` ("kernel blur") of a library uses a variable of its program: raises if
 * that has no value yet. `value` is a field or str; `has_run` is zero before
 * the program ran. */
void chirt_need_value(const char *user, const char *name, const void *value);
void chirt_need_run(const char *user, const char *name, int32_t has_run);

/* Calls a kernel or function of a library for C. `slots` are the addresses of
 * the C arguments, which `signature` describes, items ended by '|':
 *   "S"      a scalar
 *   "V3x4"   a pointer to 3 scalars of 4 bytes, of a vec, mat or tuple
 *   "F2f32"  a field of 2 axes and its description: pointers to its elements
 *            and to its extents
 *   ">V3x4"  a pointer to where that many results go, in order
 * Returns 0, or the status after printing an error. */
int32_t chirt_call(void (*entry)(void **arguments, void *results),
                   const char *signature, void *const *slots);

/* The top-level fields of a library's program. */
typedef struct chirt_named_field {
  const char *name;
  chirt_field *const *place; /* of the variable; null before the script */
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

/* Describes the field `name` as it is now; returns 0, or 1 after printing that
 * there is none or that the program has not run. */
int32_t chirt_library_field(const chirt_field_table *table, const char *name,
                            chirt_array *array);
/* The name of the field with that number, or null past the last. */
const char *chirt_library_field_name(const chirt_field_table *table,
                                     int64_t number);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif /* CHIRT_CHIRT_H */

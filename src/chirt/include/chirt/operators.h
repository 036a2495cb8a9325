/*===- operators.h - What the functions of a library for tvm-ffi call -------===
 * The entries of libraries for other languages. No program calls them, so
 * api.def does not list them.
 *===----------------------------------------------------------------------===*/
#ifndef CHIRT_OPERATORS_H
#define CHIRT_OPERATORS_H

#include "chirt/tvm_ffi.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* A function of a library, as tvm-ffi calls it.
 *
 * The signature has an item for each parameter, then for each result, all of
 * which end in `|`. A parameter is its name, a space and its type; a result is
 * `>` and its type; the types are
 *   S f32     a scalar
 *   V f32:3   a vec or mat
 *   T         a str
 *   F 2 f32   a field of two axes that the function only reads; its element and
 *             layout as chirt_field_new reads them
 *   W 2 f32   one that it may change
 * without the spaces. A scalar may be followed by its default: the bits of a
 * double, or of an integer, as hexadecimal digits, and its text:
 * "w F2f32|eps Sf32 3fb999999999999a 0.1|>F2f32|". */
typedef struct chirt_operator {
  const char *name; /* for messages: "conv" */
  /* arguments: the address of each scalar, of each handle; results: 8 bytes for
   * each scalar or handle. */
  void (*entry)(void **arguments, void *results);
  const char *signature;
  /* Of a chirt_operator_vjp, whose entry keeps a record of its call: runs the
   * adjoint of that. */
  void (*backward)(void **arguments, void *results);
} chirt_operator;

/* Calls the operator by the convention of tvm-ffi. Returns 0, or -1 after it
 * set the exception: TypeError or ValueError if the arguments are wrong,
 * RuntimeError with the program's message if the call failed. Nothing is
 * printed. Tensors are not copied if they lie without gaps as the parameter's
 * type says, otherwise they are copied before and, where the operator may
 * change them, back. */
int32_t chirt_operator_call(const chirt_operator *op, const chirt_any *args,
                            int32_t count, chirt_any *result);
/* The vector-Jacobian product of an operator that makes fields of floats: takes
 * all arguments of the operator, then the adjoint of each such result, of the
 * result's shape (float32 where the result is float16). Returns the adjoint of
 * each argument that is a field of floats, of its type and shape. Runs the
 * operator. */
int32_t chirt_operator_vjp(const chirt_operator *op, const chirt_any *args,
                           int32_t count, chirt_any *result);
/* The same for frameworks that allocate the results: takes the arguments that
 * are fields, then a tensor for each result, of its type and shape (a number
 * comes in one without axes), then the other arguments, each in the order of
 * the declaration. Returns None. */
int32_t chirt_operator_into(const chirt_operator *op, const chirt_any *args,
                            int32_t count, chirt_any *result);
/* Likewise: the arguments that are fields, the adjoint of each result that is a
 * field of floats, a tensor for the adjoint of each argument that is one, the
 * other arguments. */
int32_t chirt_operator_vjp_into(const chirt_operator *op, const chirt_any *args,
                                int32_t count, chirt_any *result);
/* The same for callers in C and C++, without the package of tvm-ffi. Scalars
 * may be CHIRT_ANY_WORD. `results` has room for 16 values, and receives one for
 * each result: a scalar as CHIRT_ANY_WORD; a field, vec or mat as
 * CHIRT_ANY_TENSOR, which is a DLManagedTensorVersioned; a str as
 * CHIRT_ANY_TEXT. After a failure the first one is the message. The caller
 * calls the deleters. */
int32_t chirt_operator_invoke(const chirt_operator *op, const chirt_any *args,
                              int32_t count, chirt_any *results);
int32_t chirt_operator_invoke_vjp(const chirt_operator *op,
                                  const chirt_any *args, int32_t count,
                                  chirt_any *results);
/* Operators that are instances of one function, for several types. */
typedef struct chirt_operators {
  const char *name; /* for messages: "conv" */
  const chirt_operator *const *members;
  int64_t count;
} chirt_operators;

/* The member whose types the arguments have; `are_fields_first`: they are in
 * the order of chirt_operator_into. If none has the types of the first
 * arguments, the exception is set, and the result is null. */
const chirt_operator *chirt_operator_choose(const chirt_operators *operators,
                                            const chirt_any *args,
                                            int32_t count,
                                            int32_t are_fields_first,
                                            chirt_any *result);
/* Whether failures of this thread are not printed, from now on. Returns what it
 * was before. */
int32_t chirt_silence_failures(int32_t is_silent);
/* Returns a text to tvm-ffi: documentation of an operator, or its type. */
int32_t chirt_operator_text(const char *text, chirt_any *result);
/* What the latest call of a library's function printed when it failed on this
 * thread; "" if it did not. Valid until the thread's next call. */
const char *chirt_last_failure(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif /* CHIRT_OPERATORS_H */

/*===- tvm_ffi.h - The C ABI of tvm-ffi -------------------------------------===
 * The declarations of tvm-ffi 0.1 that the run time uses
 * (https://github.com/apache/tvm-ffi, tvm/ffi/c_api.h, Apache-2.0), with names
 * of its own. A library that is built needs nothing of that package: the run
 * time looks for its functions when it needs them (operators/TvmFunctions.h).
 * test/Operators/abi.test compares the layouts with those of the package.
 *===----------------------------------------------------------------------===*/
#ifndef CHIRT_TVM_FFI_H
#define CHIRT_TVM_FFI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a chirt_any holds. Objects have numbers from CHIRT_ANY_OBJECT on. */
enum chirt_any_type {
  /* Not of tvm-ffi: the bits of a scalar of the parameter's or result's type
   * (chirt_operator_invoke). */
  CHIRT_ANY_WORD = -2,
  CHIRT_ANY_NONE = 0,
  CHIRT_ANY_INT = 1,
  CHIRT_ANY_BOOL = 2,
  CHIRT_ANY_FLOAT = 3,
  CHIRT_ANY_DLTENSOR = 7,    /* a DLTensor that the caller keeps */
  CHIRT_ANY_C_TEXT = 8,      /* a text that ends in NUL */
  CHIRT_ANY_SMALL_TEXT = 11, /* of at most 7 bytes, in the value itself */
  CHIRT_ANY_OBJECT = 64,
  CHIRT_ANY_TEXT = 65,
  CHIRT_ANY_TENSOR = 70,
  CHIRT_ANY_ARRAY = 71,
  CHIRT_ANY_LIST = 75,
  CHIRT_ANY_LONG_INT = 78 /* more than an int64_t holds */
};

typedef struct chirt_any {
  int32_t type;
  uint32_t text_size; /* of CHIRT_ANY_SMALL_TEXT, else 0 */
  union {
    int64_t integer; /* of CHIRT_ANY_BOOL too */
    double real;
    void *pointer;
    char text[8];
  } value;
} chirt_any;

/* The head of each object. Behind it lies, of a tensor, its DLTensor; of a
 * text, a chirt_any_text; of an array or list, a chirt_any_sequence. */
typedef struct chirt_any_object {
  uint64_t references;
  int32_t type;
  uint32_t padding;
  void (*deleter)(void *self, int flags);
} chirt_any_object;

typedef struct chirt_any_text {
  const char *data;
  size_t size;
} chirt_any_text;

typedef struct chirt_any_sequence {
  chirt_any *items;
  int64_t size, capacity;
  void (*deleter)(void *items);
} chirt_any_sequence;

struct DLManagedTensorVersioned;

/* Functions of the package, by their names without `TVMFFI`. Those with a
 * result return 0 on success; what they give are references of the caller. */
typedef struct chirt_tvm_functions {
  /* The exception that the caller raises after a function returned -1. */
  void (*ErrorSetRaisedFromCStr)(const char *kind, const char *message);
  int (*TensorFromDLPackVersioned)(struct DLManagedTensorVersioned *from,
                                   int32_t required_alignment,
                                   int32_t is_contiguity_required,
                                   void **tensor);
  int (*StringFromByteArray)(const chirt_any_text *from, chirt_any *text);
  int (*FunctionGetGlobal)(const chirt_any_text *name, void **function);
  int (*FunctionCall)(void *function, chirt_any *args, int32_t count,
                      chirt_any *result);
  int (*ObjectDecRef)(void *object);
} chirt_tvm_functions;

#ifdef __cplusplus
}
#endif
#endif /* CHIRT_TVM_FFI_H */

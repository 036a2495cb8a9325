/* The layouts, numbers and functions of chirt/tvm_ffi.h and of the package's
 * header. */
#include <dlpack/dlpack.h>
#include <tvm/ffi/c_api.h>

#include "chirt/tvm_ffi.h"

#define SAME(a, b) _Static_assert((long)(a) == (long)(b), #a " is " #b)
#define SAME_PLACE(a, member, b, other)                                        \
  SAME(offsetof(a, member), offsetof(b, other));                               \
  SAME(sizeof(((a *)0)->member), sizeof(((b *)0)->other))

SAME(CHIRT_ANY_NONE, kTVMFFINone);
SAME(CHIRT_ANY_INT, kTVMFFIInt);
SAME(CHIRT_ANY_BOOL, kTVMFFIBool);
SAME(CHIRT_ANY_FLOAT, kTVMFFIFloat);
SAME(CHIRT_ANY_DLTENSOR, kTVMFFIDLTensorPtr);
SAME(CHIRT_ANY_C_TEXT, kTVMFFIRawStr);
SAME(CHIRT_ANY_SMALL_TEXT, kTVMFFISmallStr);
SAME(CHIRT_ANY_OBJECT, kTVMFFIObject);
SAME(CHIRT_ANY_OBJECT, kTVMFFIStaticObjectBegin);
SAME(CHIRT_ANY_TEXT, kTVMFFIStr);
SAME(CHIRT_ANY_TENSOR, kTVMFFITensor);
SAME(CHIRT_ANY_ARRAY, kTVMFFIArray);
SAME(CHIRT_ANY_LIST, kTVMFFIList);

SAME(sizeof(chirt_any), sizeof(TVMFFIAny));
SAME(_Alignof(chirt_any), _Alignof(TVMFFIAny));
SAME_PLACE(chirt_any, type, TVMFFIAny, type_index);
SAME_PLACE(chirt_any, text_size, TVMFFIAny, small_str_len);
SAME_PLACE(chirt_any, text_size, TVMFFIAny, zero_padding);
SAME_PLACE(chirt_any, value.integer, TVMFFIAny, v_int64);
SAME_PLACE(chirt_any, value.real, TVMFFIAny, v_float64);
SAME_PLACE(chirt_any, value.pointer, TVMFFIAny, v_ptr);
SAME_PLACE(chirt_any, value.pointer, TVMFFIAny, v_c_str);
SAME_PLACE(chirt_any, value.pointer, TVMFFIAny, v_obj);
SAME_PLACE(chirt_any, value.text, TVMFFIAny, v_bytes);

SAME(sizeof(chirt_any_object), sizeof(TVMFFIObject));
SAME(_Alignof(chirt_any_object), _Alignof(TVMFFIObject));
SAME_PLACE(chirt_any_object, references, TVMFFIObject, combined_ref_count);
SAME_PLACE(chirt_any_object, type, TVMFFIObject, type_index);
SAME_PLACE(chirt_any_object, padding, TVMFFIObject, __padding);
SAME_PLACE(chirt_any_object, deleter, TVMFFIObject, deleter);

SAME(sizeof(chirt_any_text), sizeof(TVMFFIByteArray));
SAME_PLACE(chirt_any_text, data, TVMFFIByteArray, data);
SAME_PLACE(chirt_any_text, size, TVMFFIByteArray, size);

SAME(sizeof(chirt_any_sequence), sizeof(TVMFFISeqCell));
SAME_PLACE(chirt_any_sequence, items, TVMFFISeqCell, data);
SAME_PLACE(chirt_any_sequence, size, TVMFFISeqCell, size);
SAME_PLACE(chirt_any_sequence, capacity, TVMFFISeqCell, capacity);
SAME_PLACE(chirt_any_sequence, deleter, TVMFFISeqCell, data_deleter);

/* TYPE is a macro of the structs' names. */
#define SAME_FUNCTION(name, TYPE)                                              \
  _Static_assert(                                                              \
      __builtin_types_compatible_p(                                            \
          __typeof__(*((chirt_tvm_functions *)0)->name),                       \
          TYPE(chirt_any, chirt_any_text)),                                    \
      "own " #name);                                                           \
  _Static_assert(__builtin_types_compatible_p(__typeof__(TVMFFI##name),        \
                                              TYPE(TVMFFIAny, TVMFFIByteArray)), \
                 "the package's " #name)

#define RAISE(Any, Text) void(const char *, const char *)
SAME_FUNCTION(ErrorSetRaisedFromCStr, RAISE);
#define TO_TENSOR(Any, Text)                                                   \
  int(struct DLManagedTensorVersioned *, int32_t, int32_t, void **)
SAME_FUNCTION(TensorFromDLPackVersioned, TO_TENSOR);
#define TO_TEXT(Any, Text) int(const Text *, Any *)
SAME_FUNCTION(StringFromByteArray, TO_TEXT);
#define FIND(Any, Text) int(const Text *, void **)
SAME_FUNCTION(FunctionGetGlobal, FIND);
#define CALL(Any, Text) int(void *, Any *, int32_t, Any *)
SAME_FUNCTION(FunctionCall, CALL);
#define DROP(Any, Text) int(void *)
SAME_FUNCTION(ObjectDecRef, DROP);

// The layouts and numbers of NAME.hpp, of chirt/tvm_ffi.h and chirt/dlpack.h.
#include "libcpp_other.hpp"

#include "chirt/chirt.h"
#include "chirt/dlpack.h"
#include "chirt/operators.h"
#include <cstddef>

using namespace chi::detail;

#define SAME(a, b) static_assert(long(a) == long(b), #a " is " #b)
#define SAME_PLACE(A, a, B, b)                                                 \
  SAME(offsetof(A, a), offsetof(B, b));                                        \
  SAME(sizeof(std::declval<A>().a), sizeof(std::declval<B>().b))

SAME(sizeof(Any), sizeof(chirt_any));
SAME_PLACE(Any, type, chirt_any, type);
SAME_PLACE(Any, bits, chirt_any, value.integer);
SAME_PLACE(Any, pointer, chirt_any, value.pointer);

SAME(sizeof(Tensor), sizeof(DLTensor));
SAME_PLACE(Tensor, data, DLTensor, data);
SAME_PLACE(Tensor, deviceType, DLTensor, device.device_type);
SAME_PLACE(Tensor, deviceId, DLTensor, device.device_id);
SAME_PLACE(Tensor, rank, DLTensor, ndim);
SAME_PLACE(Tensor, code, DLTensor, dtype.code);
SAME_PLACE(Tensor, bits, DLTensor, dtype.bits);
SAME_PLACE(Tensor, lanes, DLTensor, dtype.lanes);
SAME_PLACE(Tensor, shape, DLTensor, shape);
SAME_PLACE(Tensor, strides, DLTensor, strides);
SAME_PLACE(Tensor, offset, DLTensor, byte_offset);
SAME(Tensor().deviceType, kDLCPU);

SAME(sizeof(Managed), sizeof(DLManagedTensorVersioned));
SAME_PLACE(Managed, deleter, DLManagedTensorVersioned, deleter);
SAME_PLACE(Managed, tensor, DLManagedTensorVersioned, dl_tensor);

SAME(sizeof(Text), sizeof(chirt_any_object) + sizeof(chirt_any_text));
SAME_PLACE(Text, references, chirt_any_object, references);
SAME_PLACE(Text, type, chirt_any_object, type);
SAME_PLACE(Text, deleter, chirt_any_object, deleter);
SAME(offsetof(Text, data), sizeof(chirt_any_object));
SAME(offsetof(Text, size),
     sizeof(chirt_any_object) + offsetof(chirt_any_text, size));

SAME(kWord, CHIRT_ANY_WORD);
SAME(kTensor, CHIRT_ANY_DLTENSOR);
SAME(kText, CHIRT_ANY_TEXT);
SAME(kManaged, CHIRT_ANY_TENSOR);
SAME(codeOf<bool>(), kDLBool);
SAME(codeOf<chi::Half>(), kDLFloat);
SAME(codeOf<const double>(), kDLFloat);
SAME(codeOf<std::uint8_t>(), kDLUInt);
SAME(codeOf<std::int64_t>(), kDLInt);

SAME(sizeof(chi_array), sizeof(chirt_array));
SAME_PLACE(chi_array, strides, chirt_array, strides);

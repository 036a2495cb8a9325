//===- TensorType.h - DLPack's types of scalars -----------------*- C++ -*-===//
#ifndef CHIRT_FIELD_TENSORTYPE_H
#define CHIRT_FIELD_TENSORTYPE_H

#include "chirt/dlpack.h"
#include "chirt/text/Element.h"

namespace chirt {

/// DLPack's type of a scalar.
inline DLDataType tensorTypeOf(int32_t dtype) {
  uint8_t code = dtype == CHIRT_BOOL     ? kDLBool
                 : dtype == CHIRT_BF16   ? kDLBfloat
                 : isFloatType(dtype)    ? kDLFloat
                 : isUnsignedType(dtype) ? kDLUInt
                                         : kDLInt;
  return {code, uint8_t(8 * scalarBytes(dtype)), 1};
}

/// Whether code, bits and lanes are equal.
inline bool isSameType(DLDataType a, DLDataType b) {
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

} // namespace chirt
#endif // CHIRT_FIELD_TENSORTYPE_H

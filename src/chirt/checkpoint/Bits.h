//===- Bits.h - Scalars as texts --------------------------------*- C++ -*-===//
#ifndef CHIRT_CHECKPOINT_BITS_H
#define CHIRT_CHECKPOINT_BITS_H

#include "chirt/chirt.h"
#include "chirt/text/Text.h"

namespace chirt {

/// Appends "f64 3ff8000000000000 1.5": the type, the bits and, for people, the
/// value of the scalar in the low bytes of `bits`.
void appendScalar(Text &out, int32_t dtype, int64_t bits);
/// Reads the bits of such a text; false if it is none of that type.
bool readScalar(std::string_view text, int32_t dtype, int64_t &bits);
/// Reads a decimal number; false if the text is none.
bool readNumber(std::string_view text, int64_t &number);
/// Appends the value of a param as its flag takes it: "0.1, 0.2".
void appendParam(Text &out, const chirt_param &param);

} // namespace chirt
#endif // CHIRT_CHECKPOINT_BITS_H

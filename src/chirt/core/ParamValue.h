//===- ParamValue.h - Values of params as text ------------------*- C++ -*-===//
#ifndef CHIRT_CORE_PARAMVALUE_H
#define CHIRT_CORE_PARAMVALUE_H

#include "chirt/chirt.h"
#include "chirt/core/Text.h"

namespace chirt {

/// One component of a value, in the form that its type needs.
struct ParamScalar {
  int64_t integer = 0; ///< i8 … u64 (as bits), bool
  double real = 0;     ///< any number, for ranges
  std::string_view text;
};

/// Reads a number, bool or text of type `dtype`; returns false if `text` is
/// none or does not fit. Numbers as in Chi: 1_000, 0xff, 1e-3.
bool parseScalar(std::string_view text, int32_t dtype, ParamScalar &scalar);
/// Stores it where a param of that type lives.
void storeScalar(const ParamScalar &scalar, int32_t dtype, void *storage);
/// Reads back what a param holds.
ParamScalar readScalar(int32_t dtype, const void *storage);

/// Cuts "0.1, 0" or "[0.1, 0]" into parts; returns how many there are, and
/// fills in at most `most`.
int splitComponents(std::string_view text, std::string_view *parts, int most);

/// "i32", "vec(2, f32)"
void appendParamType(Text &out, const chirt_param &param);
/// Letters that must be changed to make one of the other.
int editDistance(std::string_view a, std::string_view b);

} // namespace chirt
#endif // CHIRT_CORE_PARAMVALUE_H

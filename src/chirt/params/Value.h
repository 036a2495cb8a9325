//===- Value.h - Values of params as text -----------------------*- C++ -*-===//
// Read in one way by the run time, which binds the params of what is compiled,
// and by the compiler, which fixes some of them.
//===----------------------------------------------------------------------===//
#ifndef CHIRT_PARAMS_VALUE_H
#define CHIRT_PARAMS_VALUE_H

#include "chirt/chirt.h"
#include "chirt/text/Text.h"

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

/// Cuts "0.1, 0" or "[0.1, 0]" into parts; returns how many there are, and
/// fills in at most `most`.
int splitComponents(std::string_view text, std::string_view *parts, int most);

/// Why a text is no value of a param.
struct ValueProblem {
  enum Kind { None, WrongCount, OtherType, TooLarge } kind = None;
  int32_t given = 0; ///< components
  explicit operator bool() const { return kind != None; }
};
/// Reads a value of `components` scalars into as many `scalars`.
ValueProblem parseValue(std::string_view text, int32_t dtype,
                        int32_t components, ParamScalar *scalars);
/// "is no i32"
void appendProblem(Text &out, ValueProblem problem, int32_t dtype,
                   int32_t components);

} // namespace chirt
#endif // CHIRT_PARAMS_VALUE_H

//===- Domain.h - Which values a param may have -----------------*- C++ -*-===//
// Shared by the run time and the compiler, so that a value that one refuses the
// other refuses too, in the same words.
//===----------------------------------------------------------------------===//
#ifndef CHIRT_PARAMS_DOMAIN_H
#define CHIRT_PARAMS_DOMAIN_H

#include "chirt/params/Value.h"

namespace chirt {

/// "[1, 10]"; without a range (`low` is empty) the choices, "{dam, drop}";
/// without these nothing. `choices`: null-ended, or null.
void appendDomain(Text &out, std::string_view low, std::string_view high,
                  const char *const *choices);

/// Whether a number lies in [low, high], where a bound may round to the
/// precision of `dtype`.
bool isWithin(int32_t dtype, double value, double low, double high);

/// Whether two scalars of type `dtype` are one value in its precision.
bool isSameScalar(int32_t dtype, const ParamScalar &a, const ParamScalar &b);

} // namespace chirt
#endif // CHIRT_PARAMS_DOMAIN_H

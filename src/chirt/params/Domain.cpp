//===- Domain.cpp - Which values a param may have -------------------------===//
#include "chirt/params/Domain.h"

#include "chirt/text/Element.h"

namespace chirt {

void appendDomain(Text &out, std::string_view low, std::string_view high,
                  const char *const *choices) {
  if (!low.empty()) {
    out << '[' << low << ", " << high << ']';
    return;
  }
  if (!choices || !choices[0])
    return;
  out << '{';
  for (int k = 0; choices[k]; ++k)
    out << (k ? ", " : "") << choices[k];
  out << '}';
}

bool isWithin(int32_t dtype, double value, double low, double high) {
  if (dtype == CHIRT_F32)
    return float(value) >= float(low) && float(value) <= float(high);
  return value >= low && value <= high;
}

bool isSameScalar(int32_t dtype, const ParamScalar &a, const ParamScalar &b) {
  if (dtype == CHIRT_STR)
    return a.text == b.text;
  if (!isFloatType(dtype))
    return a.integer == b.integer;
  if (a.real != a.real || b.real != b.real)
    return a.real != a.real && b.real != b.real;
  return dtype == CHIRT_F64 ? a.real == b.real : float(a.real) == float(b.real);
}

} // namespace chirt

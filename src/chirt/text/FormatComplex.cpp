//===- FormatComplex.cpp - Complex numbers as Python writes them ----------===//
// After format_complex_internal of CPython (Python/formatter_unicode.c).
#include "chirt/text/Padding.h"

#include <cmath>

namespace chirt {

/// One part: without a type as repr writes it, but without ".0".
static void formatPart(Text &out, double value, int32_t dtype,
                       const FormatSpec &given, char sign) {
  FormatSpec spec = given;
  spec.isComplex = false;
  spec.width = 0;
  spec.align = 0;
  spec.sign = sign;
  bool isPlain = !spec.type && spec.precision < 0;
  if (!spec.type && !isPlain)
    spec.type = 'g';
  Text text;
  formatFloat(text, value, dtype, spec);
  std::string_view shown = text;
  if (isPlain && shown.ends_with(".0"))
    shown.remove_suffix(2);
  out << shown;
}

void formatComplex(Text &out, double real, double imaginary, int32_t dtype,
                   const FormatSpec &spec) {
  bool isPlain = !spec.type;
  bool isImaginary = isPlain && real == 0 && !std::signbit(real);
  bool hasBrackets = isPlain && !isImaginary;
  Text text;
  if (hasBrackets)
    text << '(';
  if (!isImaginary)
    formatPart(text, real, dtype, spec, spec.sign);
  formatPart(text, imaginary, dtype, spec, isImaginary ? spec.sign : '+');
  text << 'j';
  if (hasBrackets)
    text << ')';
  padTo(out, text, spec, '>');
}

} // namespace chirt

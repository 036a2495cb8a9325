//===- FormatFloat.cpp - Floats as Python writes them ---------------------===//
// The choice between fixed and scientific notation is that of CPython's
// format_float_short (Python/pystrtod.c).
#include "chirt/text/Element.h"
#include "chirt/text/Padding.h"

#include <charconv>
#include <cmath>

namespace chirt {

namespace {
/// Room for the longest fixed text: 309 digits, point, 1000 digits.
constexpr size_t maxText = 1400;

/// Decimal digits d1 d2 … with value 0.d1d2… * 10^point.
struct Decimal {
  char digits[maxText];
  int count = 0;
  int point = 0;
};

/// Reads "d.ddde±xx" as to_chars writes it.
void readScientific(const char *at, const char *end, Decimal &decimal) {
  for (; at < end && *at != 'e'; ++at)
    if (*at != '.')
      decimal.digits[decimal.count++] = *at;
  int exponent = 0;
  if (at < end) {
    bool isNegative = at[1] == '-';
    for (at += 2; at < end; ++at)
      exponent = exponent * 10 + (*at - '0');
    exponent = isNegative ? -exponent : exponent;
  }
  decimal.point = exponent + 1;
}

/// The fewest digits that read back as the same value of type `dtype`.
void shortestDigits(double value, int32_t dtype, Decimal &decimal) {
  char text[64];
  std::to_chars_result end{};
  if (dtype == CHIRT_F32) {
    end = std::to_chars(text, text + 64, float(value),
                        std::chars_format::scientific);
  } else if (dtype == CHIRT_F16 || dtype == CHIRT_BF16) {
    auto bitsOf = [&](float number) {
      return dtype == CHIRT_F16 ? floatToHalf(number).bits
                                : floatToBrain(number).bits;
    };
    uint16_t wanted = bitsOf(float(value));
    for (int precision = 0; precision < 6; ++precision) {
      end = std::to_chars(text, text + 63, value, std::chars_format::scientific,
                          precision);
      *end.ptr = '\0';
      if (bitsOf(strtof(text, nullptr)) == wanted)
        break;
    }
  } else {
    end = std::to_chars(text, text + 64, value, std::chars_format::scientific);
  }
  readScientific(text, end.ptr, decimal);
}

void roundedDigits(double value, int count, Decimal &decimal) {
  char text[maxText];
  auto end = std::to_chars(text, text + maxText, value,
                           std::chars_format::scientific, count - 1);
  readScientific(text, end.ptr, decimal);
}

/// Cuts zeros at the end of the digits.
void stripZeros(Decimal &decimal) {
  while (decimal.count > 1 && decimal.digits[decimal.count - 1] == '0')
    --decimal.count;
}

void appendExponent(Text &out, int exponent, char letter) {
  out << letter << (exponent < 0 ? '-' : '+');
  exponent = exponent < 0 ? -exponent : exponent;
  if (exponent < 10)
    out << '0';
  out << exponent;
}

/// The parts of a float's text, before it is padded.
struct FloatText {
  Text integer, rest;
};

void layOutScientific(FloatText &text, const Decimal &decimal, char letter,
                      bool keepsPoint) {
  text.integer << decimal.digits[0];
  if (decimal.count > 1 || keepsPoint)
    text.rest << '.';
  text.rest << std::string_view(decimal.digits + 1, size_t(decimal.count - 1));
  appendExponent(text.rest, decimal.point - 1, letter);
}

void layOutFixed(FloatText &text, const Decimal &decimal, bool addsZero,
                 bool keepsPoint) {
  for (int k = 0; k < decimal.point; ++k)
    text.integer << (k < decimal.count ? decimal.digits[k] : '0');
  if (decimal.point <= 0)
    text.integer << '0';
  if (decimal.count > decimal.point) {
    text.rest << '.';
    for (int k = decimal.point; k < decimal.count; ++k)
      text.rest << (k < 0 ? '0' : decimal.digits[k]);
  } else if (addsZero) {
    text.rest << ".0";
  } else if (keepsPoint) {
    text.rest << '.';
  }
}

/// No type: as repr if there is no precision, else as g with a fraction.
void layOutDefault(FloatText &text, double value, int32_t dtype,
                   const FormatSpec &spec) {
  Decimal decimal;
  int most = 16;
  if (spec.precision < 0) {
    shortestDigits(value, dtype, decimal);
  } else {
    int precision = spec.precision ? spec.precision : 1;
    roundedDigits(value, precision, decimal);
    if (!spec.isAlternate)
      stripZeros(decimal);
    most = precision - 1;
  }
  if (decimal.point <= -4 || decimal.point > most)
    layOutScientific(text, decimal, 'e', spec.isAlternate);
  else
    layOutFixed(text, decimal, true, spec.isAlternate);
}

void layOutGeneral(FloatText &text, double value, const FormatSpec &spec) {
  Decimal decimal;
  int precision = spec.precision < 0 ? 6 : spec.precision ? spec.precision : 1;
  roundedDigits(value, precision, decimal);
  if (!spec.isAlternate)
    stripZeros(decimal);
  if (decimal.point <= -4 || decimal.point > precision)
    layOutScientific(text, decimal, spec.type == 'G' ? 'E' : 'e',
                     spec.isAlternate);
  else
    layOutFixed(text, decimal, false, spec.isAlternate);
}

void layOutWithPrecision(FloatText &text, double value,
                         const FormatSpec &spec) {
  bool isScientific = spec.type == 'e' || spec.type == 'E';
  int precision = spec.precision < 0 ? 6 : spec.precision;
  char buffer[maxText];
  auto end = std::to_chars(buffer, buffer + maxText, value,
                           isScientific ? std::chars_format::scientific
                                        : std::chars_format::fixed,
                           precision);
  std::string_view all(buffer, size_t(end.ptr - buffer));
  size_t digits = 0;
  while (digits < all.size() && all[digits] >= '0' && all[digits] <= '9')
    ++digits;
  text.integer << slice(all, 0, digits);
  if (spec.isAlternate && precision == 0)
    text.rest << '.';
  for (char c : slice(all, digits))
    text.rest << (spec.type == 'E' && c == 'e' ? 'E' : c);
  if (spec.type == '%')
    text.rest << '%';
}
} // namespace

void formatFloat(Text &out, double value, int32_t dtype,
                 const FormatSpec &spec) {
  FloatText text;
  NumberParts parts;
  bool isUpper = spec.type == 'E' || spec.type == 'F' || spec.type == 'G';
  parts.isNegative = std::signbit(value) && !std::isnan(value);
  double magnitude = std::fabs(value);
  if (spec.type == '%')
    magnitude *= 100.0;
  if (!std::isfinite(magnitude)) {
    parts.isDigits = false;
    text.integer << (std::isnan(value) ? (isUpper ? "NAN" : "nan")
                                       : (isUpper ? "INF" : "inf"));
    if (spec.type == '%')
      text.rest << '%';
  } else if (!spec.type || (spec.type == 's')) {
    layOutDefault(text, magnitude, dtype, spec);
  } else if (strchr("gGn", spec.type)) {
    layOutGeneral(text, magnitude, spec);
  } else if (strchr("eEfF%", spec.type)) {
    layOutWithPrecision(text, magnitude, spec);
  } else {
    layOutDefault(text, magnitude, dtype, FormatSpec());
  }
  parts.digits = text.integer;
  parts.rest = text.rest;
  padNumber(out, parts, spec);
}

} // namespace chirt

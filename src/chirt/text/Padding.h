//===- Padding.h - Fill, alignment and groups of formatted text -*- C++ -*-===//
#ifndef CHIRT_TEXT_PADDING_H
#define CHIRT_TEXT_PADDING_H

#include "chirt/text/Format.h"

namespace chirt {

/// A number cut where padding and separators may go.
struct NumberParts {
  bool isNegative = false;
  bool isDigits = true;    ///< else `digits` is "inf" or "nan"
  int group = 3;           ///< digits between separators
  std::string_view prefix; ///< "0x"
  std::string_view digits; ///< before the point
  std::string_view rest;   ///< point, fraction, exponent, percent sign
};

/// Puts the parts together, with separators and padding as `spec` says.
void padNumber(Text &out, const NumberParts &parts, const FormatSpec &spec);
/// Pads a text; `ownAlign` if the spec has none.
void padTo(Text &out, std::string_view text, const FormatSpec &spec,
           char ownAlign);
/// Code points of a UTF-8 text.
size_t countCodePoints(std::string_view text);
/// Appends `fill` as often as `count` says.
void fillWith(Text &out, const char *fill, size_t count);

} // namespace chirt
#endif // CHIRT_TEXT_PADDING_H

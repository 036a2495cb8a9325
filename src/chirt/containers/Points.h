//===- Points.h - Code points of strs ---------------------------*- C++ -*-===//
#ifndef CHIRT_CONTAINERS_POINTS_H
#define CHIRT_CONTAINERS_POINTS_H

#include "chirt/text/Text.h"

namespace chirt {

/// The text of a str; null has none.
inline std::string_view viewOf(const char *text) {
  return text ? std::string_view(text) : std::string_view();
}
/// The bytes of the code point that begins a text which is not empty. A byte
/// that is no UTF-8 is one.
size_t pointSize(std::string_view text);
/// The code point that begins a text which is not empty.
uint32_t pointOf(std::string_view text);
/// Where code point number `index` begins; the size of the text if it has
/// fewer.
size_t offsetOf(std::string_view text, int64_t index);
/// How many code points a text has.
int64_t numPoints(std::string_view text);
/// Whether it is white space, a decimal digit, or a letter.
bool isSpacePoint(uint32_t point);
bool isDigitPoint(uint32_t point);
bool isLetterPoint(uint32_t point);
/// The letter in upper or lower case; others are as they are.
uint32_t upperPoint(uint32_t point);
uint32_t lowerPoint(uint32_t point);
/// A str of one code point. Those of ASCII are no new ones.
const char *makePointStr(std::string_view point);

} // namespace chirt
#endif // CHIRT_CONTAINERS_POINTS_H

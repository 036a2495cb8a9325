//===- CodePoints.h - Code points of texts ----------------------*- C++ -*-===//
#ifndef CHIRT_TEXT_CODEPOINTS_H
#define CHIRT_TEXT_CODEPOINTS_H

#include "chirt/text/Text.h"

namespace chirt {

/// The code point at the beginning of a text that is not empty, and its bytes;
/// 0 bytes if it is no UTF-8.
size_t decodeUtf8(std::string_view text, uint32_t &point);
/// Appends the code points of a text. A byte that is no UTF-8 becomes the
/// surrogate 0xdc00 + byte, as in Python ("surrogateescape").
void appendCodePoints(Array<uint32_t> &points, std::string_view text);
/// Appends a code point as UTF-8.
void appendPoint(Text &out, uint32_t point);
/// Appends code points of 4 bytes each, up to the first zero, as UTF-8. False
/// if one of them is no character.
bool appendUtf8(Text &out, const Array<char> &points, bool isBigEndian);

} // namespace chirt
#endif // CHIRT_TEXT_CODEPOINTS_H

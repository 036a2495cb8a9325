//===- CodePoints.h - Texts as NumPy stores them ----------------*- C++ -*-===//
#ifndef CHIRT_IO_CODEPOINTS_H
#define CHIRT_IO_CODEPOINTS_H

#include "chirt/text/Text.h"

namespace chirt {

/// Appends the code points of a text. A byte that is no UTF-8 becomes the
/// surrogate 0xdc00 + byte, as in Python ("surrogateescape").
void appendCodePoints(Array<uint32_t> &points, std::string_view text);
/// Appends code points of 4 bytes each, up to the first zero, as UTF-8. False
/// if one of them is no character.
bool appendUtf8(Text &out, const Array<char> &points, bool isBigEndian);

} // namespace chirt
#endif // CHIRT_IO_CODEPOINTS_H

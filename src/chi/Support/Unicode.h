//===- Unicode.h - Code points in UTF-8 text --------------------*- C++ -*-===//
#ifndef CHI_SUPPORT_UNICODE_H
#define CHI_SUPPORT_UNICODE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace chi {

/// A code point of a text and the number of bytes that it takes.
struct CodePoint {
  uint32_t value = 0;
  unsigned size = 1;
};

/// The code point at the start of `text`, which must not be empty. Returns
/// nothing if the bytes there are not well-formed UTF-8.
std::optional<CodePoint> decodeUtf8(llvm::StringRef text);

/// The offset of the first byte that is not well-formed UTF-8, or nothing.
std::optional<size_t> findInvalidUtf8(llvm::StringRef text);

/// Appends a code point as UTF-8. Surrogates and values past U+10FFFF are not
/// code points: returns false and appends nothing.
bool appendUtf8(std::string &text, uint32_t codePoint);

/// How many code points a text has: the bytes that do not continue one.
unsigned countCodePoints(llvm::StringRef text);

/// How many cells of a terminal a code point takes: 0, 1 or 2.
unsigned displayWidth(uint32_t codePoint);

/// Whether a code point past ASCII may stand in a name: letters of the living
/// scripts. Combining marks may not come first.
bool isNameCodePoint(uint32_t codePoint, bool isFirst);

} // namespace chi
#endif // CHI_SUPPORT_UNICODE_H

//===- Json.h - Values as JSON ----------------------------------*- C++ -*-===//
#ifndef CHIRT_TEXT_JSON_H
#define CHIRT_TEXT_JSON_H

#include "chirt/text/Text.h"

namespace chirt {

/// A text in quotes. A byte that is no UTF-8 becomes U+FFFD.
void appendJsonText(Text &out, std::string_view text);
/// A scalar, vec or mat (`rank` 0 to 2) of raw scalars: `0.5`, `true`,
/// `[1, 2]`. Floats are the shortest text that reads back in their type; those
/// that are not finite are the texts "nan", "inf" and "-inf".
void appendJsonValue(Text &out, int32_t dtype, int32_t rank, int32_t rows,
                     int32_t columns, const void *memory);

} // namespace chirt
#endif // CHIRT_TEXT_JSON_H

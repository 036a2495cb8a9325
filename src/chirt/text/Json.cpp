//===- Json.cpp -----------------------------------------------------------===//
#include "chirt/text/Json.h"

#include "chirt/text/CodePoints.h"
#include "chirt/text/Element.h"
#include "chirt/text/Format.h"

namespace chirt {

void appendJsonText(Text &out, std::string_view text) {
  out << '"';
  while (!text.empty()) {
    uint32_t point = 0;
    size_t size = decodeUtf8(text, point);
    char first = text[0];
    if (size == 0)
      out << "\xef\xbf\xbd";
    else if (first == '"' || first == '\\')
      out << '\\' << first;
    else if (first == '\n')
      out << "\\n";
    else if (point < 0x20 || point == 0x7f)
      out.appendf("\\u%04x", point);
    else
      out << slice(text, 0, size);
    text.remove_prefix(size == 0 ? 1 : size);
  }
  out << '"';
}

static void appendScalar(Text &out, int32_t dtype, const char *memory) {
  if (dtype == CHIRT_BOOL) {
    out << (*memory ? "true" : "false");
    return;
  }
  double value = isFloatType(dtype) ? scalarAsDouble(dtype, memory) : 0;
  bool isFinite = value - value == 0;
  if (!isFinite)
    out << '"';
  formatScalar(out, dtype, memory, FormatSpec());
  if (!isFinite)
    out << '"';
}

void appendJsonValue(Text &out, int32_t dtype, int32_t rank, int32_t rows,
                     int32_t columns, const void *memory) {
  const char *at = static_cast<const char *>(memory);
  if (rank == 0)
    return appendScalar(out, dtype, at);
  int32_t count = rank == 2 ? columns : rows;
  out << (rank == 2 ? "[[" : "[");
  for (int32_t k = 0; k < rows * columns; ++k, at += scalarBytes(dtype)) {
    if (k > 0)
      out << (k % count == 0 ? "], [" : ", ");
    appendScalar(out, dtype, at);
  }
  out << (rank == 2 ? "]]" : "]");
}

} // namespace chirt

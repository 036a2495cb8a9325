//===- Bits.cpp - Scalars as texts ----------------------------------------===//
#include "chirt/checkpoint/Bits.h"

#include "chirt/text/Element.h"
#include "chirt/text/Format.h"

namespace chirt {

void appendScalar(Text &out, int32_t dtype, int64_t bits) {
  out << dtypeName(dtype);
  out.appendf(" %0*llx ", 2 * scalarBytes(dtype),
              static_cast<unsigned long long>(bits));
  formatScalar(out, dtype, &bits, FormatSpec());
}

/// The word at the front of a text, which is taken off.
static std::string_view takeWord(std::string_view &text) {
  size_t end = text.find(' ');
  std::string_view word = slice(text, 0, end);
  text = end == text.npos ? std::string_view() : slice(text, end + 1);
  return word;
}

bool readScalar(std::string_view text, int32_t dtype, int64_t &bits) {
  if (takeWord(text) != dtypeName(dtype))
    return false;
  std::string_view digits = takeWord(text);
  uint64_t value = 0;
  for (char c : digits) {
    bool isDigit = c >= '0' && c <= '9';
    if (!isDigit && (c < 'a' || c > 'f'))
      return false;
    value = value << 4 | uint64_t(isDigit ? c - '0' : c - 'a' + 10);
  }
  bits = int64_t(value);
  return digits.size() == size_t(2 * scalarBytes(dtype));
}

bool readNumber(std::string_view text, int64_t &number) {
  bool isNegative = text.starts_with('-');
  std::string_view digits = isNegative ? slice(text, 1) : text;
  if (digits.empty() || digits.size() > 18)
    return false;
  number = 0;
  for (char c : digits) {
    if (c < '0' || c > '9')
      return false;
    number = number * 10 + (c - '0');
  }
  number = isNegative ? -number : number;
  return true;
}

void appendParam(Text &out, const chirt_param &param) {
  for (int k = 0; k < param.components; ++k) {
    out << (k ? ", " : "");
    if (param.dtype != CHIRT_STR) {
      formatScalar(out, param.dtype, param.storage[k], FormatSpec());
      continue;
    }
    const char *text = *static_cast<const char *const *>(param.storage[k]);
    out << (text ? text : "");
  }
}

} // namespace chirt

//===- Format.cpp - Format texts, padding, integers, texts ----------------===//
// After "Format Specification Mini-Language" of the Python library reference.
#include "chirt/text/Format.h"

#include "chirt/text/Element.h"
#include "chirt/text/Padding.h"

namespace chirt {

namespace {
int bytesOfCodePoint(char lead) {
  unsigned char c = static_cast<unsigned char>(lead);
  return c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

bool isAlign(char c) { return c == '<' || c == '>' || c == '=' || c == '^'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Reads digits; returns false if the number is above 1000.
bool readNumber(const char *&at, int &number) {
  number = 0;
  for (; isDigit(*at); ++at) {
    number = number * 10 + (*at - '0');
    if (number > 1000)
      return false;
  }
  return true;
}

/// Reads [[fill]align].
void readAlign(const char *&at, FormatSpec &spec) {
  if (!*at)
    return;
  int bytes = bytesOfCodePoint(*at);
  if (strnlen(at, size_t(bytes)) == size_t(bytes) && isAlign(at[bytes])) {
    memcpy(spec.fill, at, size_t(bytes));
    spec.fill[bytes] = '\0';
    spec.align = at[bytes];
    at += bytes + 1;
  } else if (isAlign(*at)) {
    spec.align = *at++;
  }
}
} // namespace

bool parseFormatSpec(const char *text, FormatSpec &spec) {
  const char *at = text;
  readAlign(at, spec);
  bool hasFill = at - text > 1;
  if (*at == '+' || *at == '-' || *at == ' ')
    spec.sign = *at++;
  if (*at == '#')
    spec.isAlternate = true, ++at;
  if (*at == '0') {
    // Beside an align without a fill it is the fill.
    if (!hasFill)
      memcpy(spec.fill, "0", 2);
    if (!spec.align)
      spec.align = '=';
    ++at;
  }
  if (!readNumber(at, spec.width))
    return false;
  if (*at == ',' || *at == '_')
    spec.grouping = *at++;
  if (*at == '.') {
    ++at;
    if (!isDigit(*at) || !readNumber(at, spec.precision))
      return false;
  }
  if (*at && strchr("bcdeEfFgGnosxX%", *at))
    spec.type = *at++;
  if (*at == 'j')
    spec.isComplex = true, ++at;
  return *at == '\0';
}

size_t countCodePoints(std::string_view text) {
  size_t count = 0;
  for (char c : text)
    count += (c & 0xc0) != 0x80;
  return count;
}

void fillWith(Text &out, const char *fill, size_t count) {
  for (; count; --count)
    out << std::string_view(fill);
}

void padTo(Text &out, std::string_view text, const FormatSpec &spec,
           char ownAlign) {
  size_t length = countCodePoints(text), width = size_t(spec.width);
  size_t missing = width > length ? width - length : 0;
  // Beside a sign only, which texts do not have.
  char align = spec.align && spec.align != '=' ? spec.align : ownAlign;
  size_t before = align == '<' ? 0 : align == '^' ? missing / 2 : missing;
  fillWith(out, spec.fill, before);
  out << text;
  fillWith(out, spec.fill, missing - before);
}

namespace {
/// Writes digits with a separator between groups, with as many zeros before
/// them as make at least `width` characters.
void groupDigits(Text &out, std::string_view digits, char separator, int group,
                 size_t width) {
  size_t count = digits.size(), size = size_t(group);
  while (count + (count - 1) / size < width)
    ++count;
  for (size_t left = count; left > 0; --left) {
    out << (left > digits.size() ? '0' : digits[digits.size() - left]);
    if (left > 1 && (left - 1) % size == 0)
      out << separator;
  }
}
} // namespace

void padNumber(Text &out, const NumberParts &parts, const FormatSpec &spec) {
  Text number;
  if (parts.isNegative)
    number << '-';
  else if (spec.sign != '-')
    number << spec.sign;
  number << parts.prefix;
  size_t ahead = number.size(), width = size_t(spec.width);
  bool padsInside = spec.align == '=';
  bool padsZeros = padsInside && spec.fill[0] == '0';
  size_t taken = ahead + parts.rest.size();
  if (spec.grouping && parts.isDigits) {
    size_t least = padsZeros && width > taken ? width - taken : 0;
    groupDigits(number, parts.digits, spec.grouping, parts.group, least);
  } else {
    taken += parts.digits.size();
    if (padsZeros && width > taken)
      number.fill('0', width - taken);
    number << parts.digits;
  }
  number << parts.rest;
  if (padsInside && number.size() < width) {
    size_t missing = width - number.size();
    out << slice(number, 0, ahead);
    fillWith(out, spec.fill, missing);
    out << slice(number, ahead);
    return;
  }
  padTo(out, number, spec, '>');
}

namespace {
/// The digits of a number in base 2, 8, 10 or 16, into the end of `buffer`.
std::string_view digitsOf(uint64_t value, unsigned base, bool isUpper,
                          char (&buffer)[64]) {
  const char *symbols = isUpper ? "0123456789ABCDEF" : "0123456789abcdef";
  char *at = buffer + 64;
  do
    *--at = symbols[value % base];
  while (value /= base);
  return {at, size_t(buffer + 64 - at)};
}

void appendCodePoint(Text &out, uint64_t code) {
  if (code < 0x80)
    out << char(code);
  else if (code < 0x800)
    out << char(0xc0 | code >> 6) << char(0x80 | (code & 63));
  else if (code < 0x10000)
    out << char(0xe0 | code >> 12) << char(0x80 | (code >> 6 & 63))
        << char(0x80 | (code & 63));
  else
    out << char(0xf0 | (code >> 18 & 7)) << char(0x80 | (code >> 12 & 63))
        << char(0x80 | (code >> 6 & 63)) << char(0x80 | (code & 63));
}
} // namespace

void formatInteger(Text &out, bool isNegative, uint64_t magnitude,
                   const FormatSpec &spec) {
  if (spec.type && strchr("eEfFgG%", spec.type)) {
    double value = double(magnitude);
    return formatFloat(out, isNegative ? -value : value, CHIRT_F64, spec);
  }
  if (spec.type == 'c' && !isNegative) {
    Text symbol;
    appendCodePoint(symbol, magnitude);
    return padTo(out, symbol, spec, '<');
  }
  NumberParts parts;
  parts.isNegative = isNegative;
  unsigned base = 10;
  switch (spec.type) {
  case 'b':
    base = 2, parts.prefix = "0b";
    break;
  case 'o':
    base = 8, parts.prefix = "0o";
    break;
  case 'x':
    base = 16, parts.prefix = "0x";
    break;
  case 'X':
    base = 16, parts.prefix = "0X";
    break;
  default:
    break;
  }
  if (!spec.isAlternate)
    parts.prefix = {};
  parts.group = base == 10 ? 3 : 4;
  char buffer[64];
  parts.digits = digitsOf(magnitude, base, spec.type == 'X', buffer);
  padNumber(out, parts, spec);
}

void formatBool(Text &out, bool value, const FormatSpec &spec) {
  bool isDefault = !spec.type && !spec.width && spec.sign == '-' &&
                   !spec.grouping && spec.precision < 0 && !spec.isAlternate;
  if (isDefault)
    out << (value ? "True" : "False");
  else if (spec.type == 's')
    padTo(out, value ? "True" : "False", spec, '<');
  else
    formatInteger(out, false, value, spec);
}

void formatText(Text &out, std::string_view text, const FormatSpec &spec) {
  if (spec.precision >= 0) {
    size_t end = 0;
    for (int left = spec.precision; left > 0 && end < text.size(); --left)
      end += size_t(bytesOfCodePoint(text[end]));
    text = slice(text, 0, end);
  }
  padTo(out, text, spec, '<');
}

void formatScalar(Text &out, int32_t dtype, const void *memory,
                  const FormatSpec &spec) {
  if (dtype == CHIRT_BOOL)
    return formatBool(out, *static_cast<const uint8_t *>(memory) != 0, spec);
  if (dtype == CHIRT_STR) {
    const char *text;
    memcpy(&text, memory, sizeof(text));
    return formatText(out, text ? text : "", spec);
  }
  if (isFloatType(dtype))
    return formatFloat(out, scalarAsDouble(dtype, memory), dtype, spec);
  withType(dtype, [&](auto value) {
    if constexpr (requires { value < 0; }) {
      memcpy(&value, memory, sizeof(value));
      bool isNegative = value < 0;
      uint64_t bits = uint64_t(value);
      formatInteger(out, isNegative, isNegative ? 0 - bits : bits, spec);
    }
  });
}

static void appendRow(Text &out, int32_t dtype, int32_t count,
                      const char *values, const FormatSpec &spec) {
  out << '[';
  for (int k = 0; k < count; ++k) {
    if (k)
      out << ", ";
    formatScalar(out, dtype, values + k * scalarBytes(dtype), spec);
  }
  out << ']';
}

void formatValue(Text &out, int32_t dtype, int32_t rank, int32_t rows,
                 int32_t columns, const void *memory, const FormatSpec &spec) {
  const char *values = static_cast<const char *>(memory);
  if (rank == 0)
    return formatScalar(out, dtype, values, spec);
  if (spec.isComplex)
    return formatComplex(out, scalarAsDouble(dtype, values),
                         scalarAsDouble(dtype, values + scalarBytes(dtype)),
                         dtype, spec);
  if (rank == 1)
    return appendRow(out, dtype, rows, values, spec);
  out << '[';
  for (int row = 0; row < rows; ++row) {
    if (row)
      out << ", ";
    appendRow(out, dtype, columns, values + row * columns * scalarBytes(dtype),
              spec);
  }
  out << ']';
}

} // namespace chirt

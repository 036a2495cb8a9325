//===- ParamValue.cpp -----------------------------------------------------===//
#include "chirt/core/ParamValue.h"

#include "chirt/core/Element.h"
#include "chirt/core/Format.h"
#include <cctype>
#include <cerrno>

namespace chirt {

namespace {
std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

/// Drops underscores that stand between digits. Returns false for others.
bool dropUnderscores(std::string_view text, char (&out)[128]) {
  size_t n = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    bool isInside = i > 0 && i + 1 < text.size() && isalnum(text[i - 1]) &&
                    isalnum(text[i + 1]);
    if (text[i] == '_' && isInside)
      continue;
    if (text[i] == '_' || n + 1 >= sizeof(out))
      return false;
    out[n++] = text[i];
  }
  out[n] = '\0';
  return n > 0;
}

int baseOf(const char *&at) {
  if (at[0] != '0' || !at[1])
    return 10;
  int base = at[1] == 'x' || at[1] == 'X'   ? 16
             : at[1] == 'o' || at[1] == 'O' ? 8
             : at[1] == 'b' || at[1] == 'B' ? 2
                                            : 10;
  at += base == 10 ? 0 : 2;
  return base;
}

bool parseInteger(const char *at, int32_t dtype, ParamScalar &scalar) {
  bool isNegative = *at == '-';
  at += *at == '-' || *at == '+';
  int base = baseOf(at);
  if (!isalnum(*at))
    return false;
  char *end = nullptr;
  errno = 0;
  uint64_t magnitude = strtoull(at, &end, base);
  if (errno || *end)
    return false;
  int bits = scalarBytes(dtype) * 8;
  bool isUnsigned = isUnsignedType(dtype);
  uint64_t most = isUnsigned ? ~uint64_t(0) >> (64 - bits)
                             : (uint64_t(1) << (bits - 1)) - !isNegative;
  if (magnitude > most || (isUnsigned && isNegative && magnitude))
    return false;
  scalar.integer = int64_t(isNegative ? 0 - magnitude : magnitude);
  scalar.real = isNegative ? -double(magnitude) : double(magnitude);
  return true;
}

bool parseReal(const char *at, ParamScalar &scalar) {
  char *end = nullptr;
  scalar.real = strtod(at, &end);
  return end != at && *end == '\0' && *at != ' ';
}

bool parseBool(std::string_view text, ParamScalar &scalar) {
  bool isTrue = text == "true" || text == "True" || text == "1";
  if (!isTrue && text != "false" && text != "False" && text != "0")
    return false;
  scalar.integer = isTrue;
  scalar.real = isTrue;
  return true;
}
} // namespace

bool parseScalar(std::string_view text, int32_t dtype, ParamScalar &scalar) {
  scalar.text = text;
  if (dtype == CHIRT_STR)
    return true;
  text = trim(text);
  if (dtype == CHIRT_BOOL)
    return parseBool(text, scalar);
  char digits[128];
  if (!dropUnderscores(text, digits))
    return false;
  return isFloatType(dtype) ? parseReal(digits, scalar)
                            : parseInteger(digits, dtype, scalar);
}

void storeScalar(const ParamScalar &scalar, int32_t dtype, void *storage) {
  if (dtype == CHIRT_STR) {
    const char *text = intern(scalar.text);
    memcpy(storage, &text, sizeof(text));
    return;
  }
  withType(dtype, [&](auto value) {
    using T = decltype(value);
    if constexpr (std::is_same_v<T, Half>)
      value = floatToHalf(float(scalar.real));
    else if constexpr (std::is_floating_point_v<T>)
      value = T(scalar.real);
    else
      value = T(scalar.integer);
    memcpy(storage, &value, sizeof(value));
  });
}

ParamScalar readScalar(int32_t dtype, const void *storage) {
  ParamScalar scalar;
  if (dtype == CHIRT_STR) {
    const char *text;
    memcpy(&text, storage, sizeof(text));
    scalar.text = text ? text : "";
    return scalar;
  }
  scalar.real = scalarAsDouble(dtype, storage);
  withType(dtype, [&](auto value) {
    memcpy(&value, storage, sizeof(value));
    scalar.integer = int64_t(number(value));
  });
  return scalar;
}

int splitComponents(std::string_view text, std::string_view *parts, int most) {
  text = trim(text);
  bool isBracketed =
      text.size() >= 2 && ((text.front() == '[' && text.back() == ']') ||
                           (text.front() == '(' && text.back() == ')'));
  if (isBracketed)
    text = slice(text, 1, text.size() - 2);
  int count = 0;
  for (;;) {
    size_t comma = text.find(',');
    if (count < most)
      parts[count] = trim(slice(text, 0, comma));
    ++count;
    if (comma == text.npos)
      return count;
    text = slice(text, comma + 1);
  }
}

void appendParamType(Text &out, const chirt_param &param) {
  if (param.components == 1)
    out << dtypeName(param.dtype);
  else
    out << "vec(" << param.components << ", " << dtypeName(param.dtype) << ')';
}

int editDistance(std::string_view a, std::string_view b) {
  constexpr size_t most = 64;
  if (a.size() > most || b.size() > most)
    return int(most);
  int row[most + 1];
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = int(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = int(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      int changed = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      int other = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
      row[j] = changed < other ? changed : other;
    }
  }
  return row[b.size()];
}

} // namespace chirt

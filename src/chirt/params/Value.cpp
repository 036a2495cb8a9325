//===- Value.cpp - Values of params as text -------------------------------===//
#include "chirt/params/Value.h"

#include "chirt/text/Element.h"
#include <cctype>
#include <cerrno>
#include <cstdlib>

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

namespace {
/// A whole number, of any size.
bool isWhole(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+'))
    text.remove_prefix(1);
  for (char c : text)
    if ((c < '0' || c > '9') && c != '_')
      return false;
  return !text.empty();
}
} // namespace

ValueProblem parseValue(std::string_view text, int32_t dtype,
                        int32_t components, ParamScalar *scalars) {
  Array<std::string_view> parts;
  parts.resize(size_t(components));
  parts[0] = text;
  int given =
      components == 1 ? 1 : splitComponents(text, parts.data(), components);
  if (given != components)
    return {ValueProblem::WrongCount, given};
  for (int c = 0; c < components; ++c) {
    std::string_view part = parts[size_t(c)];
    if (parseScalar(part, dtype, scalars[c]))
      continue;
    bool isInteger = !isFloatType(dtype) && dtype != CHIRT_BOOL;
    return {isInteger && isWhole(trim(part)) ? ValueProblem::TooLarge
                                             : ValueProblem::OtherType,
            given};
  }
  return {};
}

void appendProblem(Text &out, ValueProblem problem, int32_t dtype,
                   int32_t components) {
  switch (problem.kind) {
  case ValueProblem::None:
    break;
  case ValueProblem::WrongCount:
    out << "has " << problem.given << " component"
        << (problem.given == 1 ? "" : "s") << ", not " << components;
    break;
  case ValueProblem::OtherType:
    out << "is no " << dtypeName(dtype);
    break;
  case ValueProblem::TooLarge:
    out << "does not fit in " << dtypeName(dtype);
    break;
  }
}

} // namespace chirt

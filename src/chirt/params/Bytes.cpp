//===- Bytes.cpp - Amounts of memory of command lines ---------------------===//
#include "chirt/params/Bytes.h"

#include "chirt/host.h"
#include "chirt/params/Value.h"

namespace chirt {

namespace {
struct Unit {
  std::string_view name; ///< in lower case
  double bytes;
};
constexpr Unit kUnits[] = {
    {"", 1},
    {"b", 1},
    {"k", 1e3},
    {"kb", 1e3},
    {"m", 1e6},
    {"mb", 1e6},
    {"g", 1e9},
    {"gb", 1e9},
    {"t", 1e12},
    {"tb", 1e12},
    {"kib", double(int64_t(1) << 10)},
    {"mib", double(int64_t(1) << 20)},
    {"gib", double(int64_t(1) << 30)},
    {"tib", double(int64_t(1) << 40)},
};

bool isOfNumber(char c) { return (c >= '0' && c <= '9') || c == '.'; }

bool isSameWord(std::string_view word, std::string_view lower) {
  if (word.size() != lower.size())
    return false;
  for (size_t k = 0; k < word.size(); ++k)
    if ((word[k] | 0x20) != lower[k])
      return false;
  return true;
}
} // namespace

int64_t readBytes(std::string_view text) {
  constexpr double kMost = 9e18;
  size_t end = 0;
  while (end < text.size() && isOfNumber(text[end]))
    ++end;
  ParamScalar number;
  if (end == 0 || !parseScalar(slice(text, 0, end), CHIRT_F64, number))
    return -1;
  size_t unit = end;
  while (unit < text.size() && text[unit] == ' ')
    ++unit;
  for (const Unit &each : kUnits)
    if (isSameWord(slice(text, unit), each.name)) {
      double bytes = number.real * each.bytes;
      return bytes < kMost ? int64_t(bytes) : -1;
    }
  return -1;
}

} // namespace chirt

int64_t chirt_read_bytes(const char *text) { return chirt::readBytes(text); }

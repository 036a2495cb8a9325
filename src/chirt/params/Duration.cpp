//===- Duration.cpp - Durations of command lines --------------------------===//
#include "chirt/params/Duration.h"

#include "chirt/host.h"
#include "chirt/params/Value.h"

namespace chirt {

namespace {
struct Unit {
  std::string_view name;
  double seconds;
};
constexpr Unit kUnits[] = {
    {"s", 1}, {"ms", 1e-3}, {"m", 60}, {"min", 60}, {"h", 3600}, {"d", 86400},
};

bool isOfNumber(char c) { return (c >= '0' && c <= '9') || c == '.'; }

/// The seconds of a unit's name; negative if there is none of it.
double secondsOf(std::string_view name) {
  for (const Unit &unit : kUnits)
    if (unit.name == name)
      return unit.seconds;
  return -1;
}

/// Takes a number and its unit off the front; negative if they are not there.
double takePart(std::string_view &text, bool isFirst) {
  size_t end = 0;
  while (end < text.size() && isOfNumber(text[end]))
    ++end;
  ParamScalar number;
  if (end == 0 || !parseScalar(slice(text, 0, end), CHIRT_F64, number))
    return -1;
  size_t unit = end;
  while (end < text.size() && !isOfNumber(text[end]))
    ++end;
  std::string_view name = slice(text, unit, end - unit);
  text = slice(text, end);
  if (name.empty()) // seconds, if it is all
    return isFirst ? number.real : -1;
  double seconds = secondsOf(name);
  return seconds < 0 ? -1 : number.real * seconds;
}
} // namespace

double readDuration(std::string_view text) {
  constexpr double kMost = 1e9;
  double sum = 0;
  bool isFirst = true;
  do {
    double part = takePart(text, isFirst);
    if (part < 0)
      return -1;
    sum += part;
    isFirst = false;
  } while (!text.empty());
  return sum <= kMost ? sum : -1;
}

} // namespace chirt

double chirt_read_duration(const char *text) {
  return chirt::readDuration(text);
}

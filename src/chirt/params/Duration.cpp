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
    {"", 1}, {"s", 1}, {"ms", 1e-3}, {"min", 60}, {"h", 3600}, {"d", 86400},
};
} // namespace

double readDuration(std::string_view text) {
  size_t end = 0;
  while (end < text.size() &&
         ((text[end] >= '0' && text[end] <= '9') || text[end] == '.'))
    ++end;
  ParamScalar number;
  if (end == 0 || !parseScalar(slice(text, 0, end), CHIRT_F64, number))
    return -1;
  for (const Unit &unit : kUnits)
    if (slice(text, end) == unit.name) {
      double seconds = number.real * unit.seconds;
      return seconds > 0 && seconds <= 10000 * 86400.0 ? seconds : -1;
    }
  return -1;
}

} // namespace chirt

double chirt_read_duration(const char *text) {
  return chirt::readDuration(text);
}

//===- Duration.cpp - "1h30min" -------------------------------------------===//
#include "chirt/host.h"
#include "chirt/text/Text.h"

using namespace chirt;

namespace {
struct Unit {
  std::string_view name;
  double seconds;
};
constexpr Unit units[] = {{"ms", 1e-3}, {"min", 60}, {"s", 1},
                          {"m", 60},    {"h", 3600}, {"d", 86400}};
} // namespace

/// Takes a number, and then a unit, off the front of `at`. Without a unit at
/// the end of the text it is of seconds. Negative: there is none.
static double readPart(const char *&at, bool isFirst) {
  if (*at < '0' || *at > '9')
    return -1;
  char *end = nullptr;
  double number = strtod(at, &end);
  at = end;
  if (*at == '\0')
    return isFirst ? number : -1;
  for (const Unit &unit : units)
    if (strncmp(at, unit.name.data(), unit.name.size()) == 0) {
      at += unit.name.size();
      return number * unit.seconds;
    }
  return -1;
}

double chirt_read_duration(const char *text) {
  double sum = 0;
  const char *at = text;
  do {
    double part = readPart(at, at == text);
    if (part < 0)
      return -1;
    sum += part;
  } while (*at);
  return sum > 1e9 ? -1 : sum;
}

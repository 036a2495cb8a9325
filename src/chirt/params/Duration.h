//===- Duration.h - Durations of command lines ------------------*- C++ -*-===//
#ifndef CHIRT_PARAMS_DURATION_H
#define CHIRT_PARAMS_DURATION_H

#include <string_view>

namespace chirt {

/// Reads a number of seconds, or a number and one of ms, s, min, h and d:
/// "90", "1.5h". At most 10000 days. Returns seconds; negative: `text` is none,
/// or the duration is not above zero.
double readDuration(std::string_view text);

} // namespace chirt
#endif // CHIRT_PARAMS_DURATION_H

//===- Duration.h - Durations of command lines ------------------*- C++ -*-===//
#ifndef CHIRT_PARAMS_DURATION_H
#define CHIRT_PARAMS_DURATION_H

#include <string_view>

namespace chirt {

/// Reads a number of seconds, or numbers and units (ms, s, m, min, h, d): "90",
/// "1.5h", "1h30min". Returns seconds, at most 1e9; negative: `text` is none.
double readDuration(std::string_view text);

} // namespace chirt
#endif // CHIRT_PARAMS_DURATION_H

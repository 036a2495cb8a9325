//===- accumulations.h - Neutral elements of accumulations ------*- C++ -*-===//
#ifndef CHIRT_ACCUMULATIONS_H
#define CHIRT_ACCUMULATIONS_H

#include "chirt/chirt.h"
#include <limits>

namespace chirt::accum {

/// The columns `neutral` and `sign` of accumulations.def.
enum class Neutral { Zero, One, Most, Least };
enum class Sign { Signed, Unsigned };

/// Such a number of `bits` bits, which are the lowest ones of the result.
constexpr uint64_t numberOf(Neutral neutral, Sign sign, unsigned bits) {
  uint64_t all = ~uint64_t(0) >> (64 - bits);
  switch (neutral) {
  case Neutral::Zero:
    return 0;
  case Neutral::One:
    return 1;
  case Neutral::Most:
    return sign == Sign::Signed ? all >> 1 : all;
  case Neutral::Least:
    break;
  }
  return sign == Sign::Signed ? all ^ (all >> 1) : 0;
}

/// The integer of `bits` bits that changes nothing; any chirt_accum_kind.
constexpr uint64_t neutralInteger(int32_t kind, unsigned bits) {
  switch (kind) {
#define CHIRT_INTEGER_ACCUM(name, ID, sign, expression, neutral, ...)          \
  case CHIRT_ACCUM_##ID:                                                       \
    return numberOf(Neutral::neutral, Sign::sign, bits);
#include "chirt/accumulations.def"
  default:
    return 0;
  }
}

/// The float that changes nothing; a kind of floats.
constexpr double neutralFloat(int32_t kind) {
  [[maybe_unused]] constexpr double NaN =
      std::numeric_limits<double>::quiet_NaN();
  switch (kind) {
#define CHIRT_FLOAT_ACCUM(name, ID, expression, neutral, ...)                  \
  case CHIRT_ACCUM_##ID:                                                       \
    return neutral;
#include "chirt/accumulations.def"
  default:
    return 0;
  }
}

} // namespace chirt::accum
#endif // CHIRT_ACCUMULATIONS_H

//===- Cast.cpp - Scalars of one type as another --------------------------===//
#include "chirt/text/Element.h"

#include <limits>
#include <type_traits>

namespace chirt {

/// A float from which a shorter type is rounded as from the double: rounded to
/// odd, so that the second rounding sees what the first dropped.
static float roundedToOdd(double value) {
  float rounded = float(value);
  uint32_t bits;
  memcpy(&bits, &rounded, 4);
  if (double(rounded) != value && value == value && (bits & 1) == 0 &&
      rounded != std::numeric_limits<float>::infinity() &&
      rounded != -std::numeric_limits<float>::infinity()) {
    bool isTooLarge =
        rounded > 0 ? double(rounded) > value : double(rounded) < value;
    if (rounded == 0) // too small for a float: the least one of its sign
      bits |= 1;
    else
      bits += isTooLarge ? uint32_t(-1) : 1;
    memcpy(&rounded, &bits, 4);
  }
  return rounded;
}

Half doubleToHalf(double value) { return floatToHalf(roundedToOdd(value)); }

Brain doubleToBrain(double value) { return floatToBrain(roundedToOdd(value)); }

namespace {
/// As `T(x)` in a program: floats are cut to integers and saturate, nan is 0;
/// integers wrap.
template <typename To, typename From> To castScalar(From from) {
  if constexpr (std::is_same_v<From, Half> || std::is_same_v<From, Brain>) {
    return castScalar<To>(number(from));
  } else if constexpr (std::is_same_v<To, Brain>) {
    return doubleToBrain(double(from));
  } else if constexpr (std::is_same_v<To, Half>) {
    return doubleToHalf(double(from));
  } else if constexpr (std::is_floating_point_v<From> &&
                       std::is_integral_v<To>) {
    using Limits = std::numeric_limits<To>;
    // Powers of two, exact in any float.
    constexpr From end = From(Limits::max() / 2 + 1) * 2;
    if (from != from)
      return 0;
    if (from >= end)
      return Limits::max();
    if (from <= From(Limits::min()))
      return Limits::min();
    return To(from);
  } else {
    return To(from);
  }
}

template <typename From> bool isNotZero(From from) { return number(from) != 0; }

template <typename From, typename To>
void castAll(const char *from, char *to, int64_t count, bool isToBool) {
  for (int64_t i = 0; i < count; ++i, from += sizeof(From), to += sizeof(To)) {
    From value;
    memcpy(&value, from, sizeof(value));
    To result;
    if constexpr (std::is_same_v<To, uint8_t>)
      result = isToBool ? isNotZero(value) : castScalar<To>(value);
    else
      result = castScalar<To>(value);
    memcpy(to, &result, sizeof(result));
  }
}
} // namespace

void castScalars(int32_t fromType, const void *from, int32_t toType, void *to,
                 int64_t count) {
  withType(fromType, [&](auto source) {
    withType(toType, [&](auto target) {
      castAll<decltype(source), decltype(target)>(
          static_cast<const char *>(from), static_cast<char *>(to), count,
          toType == CHIRT_BOOL);
    });
  });
}

} // namespace chirt

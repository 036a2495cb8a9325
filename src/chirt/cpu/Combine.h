//===- Combine.h - The kinds of accumulation --------------------*- C++ -*-===//
#ifndef CHIRT_CPU_COMBINE_H
#define CHIRT_CPU_COMBINE_H

#include "chirt/accumulations.h"
#include "chirt/text/Element.h"
#include <cmath>
#include <type_traits>

namespace chirt {

using AccumKind = chirt_accum_kind;

/// The less of two floats: a nan is passed over, and -0 is less than +0, as
/// everywhere in Chi.
template <typename T> T leastOf(T a, T b) {
  // Of two equal numbers only zeros differ, by the sign.
  T lower = a == b ? (std::signbit(a) ? a : b) : a < b ? a : b;
  return a != a ? b : b != b ? a : lower;
}
/// The greater of two floats; a nan is passed over, and -0 is less than +0.
template <typename T> T greatestOf(T a, T b) { return -leastOf(-a, -b); }

/// A way to combine two values of type T (accumulations.def): `apply`, and
/// `neutral`, which changes nothing. MIN and MAX of integers follow the sign of
/// T.
template <typename T, AccumKind kind> struct Combine;

#define CHIRT_INTEGER_ACCUM(name, ID, sign, expression, ...)                   \
  template <typename T>                                                        \
    requires std::is_integral_v<T>                                             \
  struct Combine<T, CHIRT_ACCUM_##ID> {                                        \
    static T neutral() {                                                       \
      return T(accum::neutralInteger(CHIRT_ACCUM_##ID, 8 * sizeof(T)));        \
    }                                                                          \
    static T apply(T a, T b) { return T(expression); }                         \
  };
#define CHIRT_FLOAT_ACCUM(name, ID, expression, ...)                           \
  template <typename T>                                                        \
    requires std::is_floating_point_v<T>                                       \
  struct Combine<T, CHIRT_ACCUM_##ID> {                                        \
    static T neutral() { return T(accum::neutralFloat(CHIRT_ACCUM_##ID)); }    \
    static T apply(T a, T b) { return T(expression); }                         \
  };
#include "chirt/accumulations.def"

/// f16 and bf16 are combined as floats, and rounded.
template <typename T, AccumKind kind>
  requires isShortFloat<T>
struct Combine<T, kind> {
  using Wide = Combine<float, kind>;
  static T neutral() { return shortFloat<T>(Wide::neutral()); }
  /// Combines them as floats and rounds the result.
  static T apply(T a, T b) {
    return shortFloat<T>(Wide::apply(number(a), number(b)));
  }
};

namespace detail {
template <typename T, typename F> void withFloatKind(int32_t kind, F &&f) {
  switch (kind) {
#define CHIRT_FLOAT_ACCUM(name, ID, ...)                                       \
  case CHIRT_ACCUM_##ID:                                                       \
    return f(Combine<T, CHIRT_ACCUM_##ID>());
#include "chirt/accumulations.def"
  default:
    return;
  }
}

/// Wrapping arithmetic and bits are done unsigned.
template <typename T, typename F> void withIntegerKind(int32_t kind, F &&f) {
  using Signed = T;
  using Unsigned = std::make_unsigned_t<T>;
  switch (kind) {
#define CHIRT_INTEGER_ACCUM(name, ID, sign, ...)                               \
  case CHIRT_ACCUM_##ID:                                                       \
    return f(Combine<sign, CHIRT_ACCUM_##ID>());
#include "chirt/accumulations.def"
  default:
    return;
  }
}
} // namespace detail

/// The value type of a Combine.
template <typename C> struct ValueOf;
template <typename T, AccumKind kind> struct ValueOf<Combine<T, kind>> {
  using Type = T;
};

/// Calls f with the Combine of a scalar type and kind; not if there is none.
template <typename F> void withCombine(int32_t dtype, int32_t kind, F &&f) {
  switch (scalarBytes(dtype)) {
  case 1:
    return detail::withIntegerKind<int8_t>(kind, f);
  case 2:
    if (dtype == CHIRT_F16)
      return detail::withFloatKind<Half>(kind, f);
    if (dtype == CHIRT_BF16)
      return detail::withFloatKind<Brain>(kind, f);
    return detail::withIntegerKind<int16_t>(kind, f);
  case 4:
    if (dtype == CHIRT_F32)
      return detail::withFloatKind<float>(kind, f);
    return detail::withIntegerKind<int32_t>(kind, f);
  case 8:
    if (dtype == CHIRT_F64)
      return detail::withFloatKind<double>(kind, f);
    return detail::withIntegerKind<int64_t>(kind, f);
  default:
    return;
  }
}

} // namespace chirt
#endif // CHIRT_CPU_COMBINE_H

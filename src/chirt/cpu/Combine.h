//===- Combine.h - The kinds of accumulation --------------------*- C++ -*-===//
#ifndef CHIRT_CPU_COMBINE_H
#define CHIRT_CPU_COMBINE_H

#include "chirt/text/Element.h"
#include <cmath>
#include <limits>
#include <type_traits>

namespace chirt {

using AccumKind = chirt_accum_kind;

/// A way to combine two values of type T; `neutral` changes nothing.
template <typename T, AccumKind kind> struct Combine {
  static constexpr bool isFloat = std::is_floating_point_v<T>;
  using Limits = std::numeric_limits<T>;

  /// The value that changes nothing.
  static T neutral() {
    if constexpr (kind == CHIRT_ACCUM_MUL)
      return T(1);
    else if constexpr (kind == CHIRT_ACCUM_MIN || kind == CHIRT_ACCUM_MINU)
      return isFloat ? Limits::quiet_NaN() : Limits::max();
    else if constexpr (kind == CHIRT_ACCUM_MAX || kind == CHIRT_ACCUM_MAXU)
      return isFloat ? Limits::quiet_NaN() : Limits::lowest();
    else if constexpr (kind == CHIRT_ACCUM_AND)
      return T(~T(0));
    else
      return isFloat ? T(-0.0) : T(0);
  }

  /// A nan is passed over, and -0 is less than +0, as everywhere in Chi.
  static T least(T a, T b) {
    if constexpr (isFloat) {
      // Of two equal numbers only zeros differ, by the sign.
      T lower = a == b ? (std::signbit(a) ? a : b) : a < b ? a : b;
      return a != a ? b : b != b ? a : lower;
    } else {
      return a < b ? a : b;
    }
  }
  /// The greater value; a nan is ignored, and -0 is less than +0.
  static T greatest(T a, T b) {
    if constexpr (isFloat)
      return -least(-a, -b);
    else
      return a > b ? a : b;
  }

  /// `a` combined with `b`.
  static T apply(T a, T b) {
    if constexpr (kind == CHIRT_ACCUM_ADD)
      return T(a + b);
    else if constexpr (kind == CHIRT_ACCUM_MUL)
      return T(a * b);
    else if constexpr (kind == CHIRT_ACCUM_MIN || kind == CHIRT_ACCUM_MINU)
      return least(a, b);
    else if constexpr (kind == CHIRT_ACCUM_MAX || kind == CHIRT_ACCUM_MAXU)
      return greatest(a, b);
    else if constexpr (kind == CHIRT_ACCUM_AND)
      return T(a & b);
    else if constexpr (kind == CHIRT_ACCUM_OR)
      return T(a | b);
    else
      return T(a ^ b);
  }
};

/// Halves are combined as floats, and rounded.
template <AccumKind kind> struct Combine<Half, kind> {
  using Wide = Combine<float, kind>;
  static Half neutral() { return floatToHalf(Wide::neutral()); }
  /// Combines them as floats and rounds the result to a half.
  static Half apply(Half a, Half b) {
    return floatToHalf(Wide::apply(halfToFloat(a), halfToFloat(b)));
  }
};

namespace detail {
template <typename T, typename F> void withNumberKind(int32_t kind, F &&f) {
  switch (kind) {
  case CHIRT_ACCUM_ADD:
    return f(Combine<T, CHIRT_ACCUM_ADD>());
  case CHIRT_ACCUM_MUL:
    return f(Combine<T, CHIRT_ACCUM_MUL>());
  case CHIRT_ACCUM_MIN:
  case CHIRT_ACCUM_MINU:
    return f(Combine<T, CHIRT_ACCUM_MIN>());
  case CHIRT_ACCUM_MAX:
  case CHIRT_ACCUM_MAXU:
    return f(Combine<T, CHIRT_ACCUM_MAX>());
  default:
    return;
  }
}

/// Wrapping arithmetic and bits are done unsigned.
template <typename S, typename F> void withIntegerKind(int32_t kind, F &&f) {
  using U = std::make_unsigned_t<S>;
  switch (kind) {
  case CHIRT_ACCUM_ADD:
    return f(Combine<U, CHIRT_ACCUM_ADD>());
  case CHIRT_ACCUM_MUL:
    return f(Combine<U, CHIRT_ACCUM_MUL>());
  case CHIRT_ACCUM_MIN:
    return f(Combine<S, CHIRT_ACCUM_MIN>());
  case CHIRT_ACCUM_MAX:
    return f(Combine<S, CHIRT_ACCUM_MAX>());
  case CHIRT_ACCUM_MINU:
    return f(Combine<U, CHIRT_ACCUM_MIN>());
  case CHIRT_ACCUM_MAXU:
    return f(Combine<U, CHIRT_ACCUM_MAX>());
  case CHIRT_ACCUM_AND:
    return f(Combine<U, CHIRT_ACCUM_AND>());
  case CHIRT_ACCUM_OR:
    return f(Combine<U, CHIRT_ACCUM_OR>());
  case CHIRT_ACCUM_XOR:
    return f(Combine<U, CHIRT_ACCUM_XOR>());
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
      return detail::withNumberKind<Half>(kind, f);
    return detail::withIntegerKind<int16_t>(kind, f);
  case 4:
    if (dtype == CHIRT_F32)
      return detail::withNumberKind<float>(kind, f);
    return detail::withIntegerKind<int32_t>(kind, f);
  case 8:
    if (dtype == CHIRT_F64)
      return detail::withNumberKind<double>(kind, f);
    return detail::withIntegerKind<int64_t>(kind, f);
  default:
    return;
  }
}

} // namespace chirt
#endif // CHIRT_CPU_COMBINE_H

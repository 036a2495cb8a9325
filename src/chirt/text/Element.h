//===- Element.h - The scalars of fields in memory --------------*- C++ -*-===//
#ifndef CHIRT_TEXT_ELEMENT_H
#define CHIRT_TEXT_ELEMENT_H

#include "chirt/chirt.h"
#include <cstring>
#include <string_view>
#include <type_traits>

namespace chirt {

/// A half in its memory form.
struct Half {
  uint16_t bits;
};

/// A bf16, the upper half of a float, in its memory form.
struct Brain {
  uint16_t bits;
};

/// Bytes of a scalar of type `dtype` in memory.
int scalarBytes(int32_t dtype);
/// "f32", …
const char *dtypeName(int32_t dtype);
/// The dtype of a name, or -1.
int32_t dtypeOfName(std::string_view name);

/// Exact.
float halfToFloat(Half half);
/// Rounds to nearest, ties to even.
Half floatToHalf(float value);
/// The same, rounded once.
Half doubleToHalf(double value);
/// Exact.
float brainToFloat(Brain brain);
/// Rounds to nearest, ties to even.
Brain floatToBrain(float value);
/// The same, rounded once.
Brain doubleToBrain(double value);
/// Is T a float of 16 bits, of which numbers are computed as floats?
template <typename T>
inline constexpr bool isShortFloat =
    std::is_same_v<T, Half> || std::is_same_v<T, Brain>;
/// `value` as the short float T.
template <typename T> T shortFloat(float value) {
  if constexpr (std::is_same_v<T, Half>)
    return floatToHalf(value);
  else
    return floatToBrain(value);
}
/// Casts `count` scalars as `T(x)` does in a program.
void castScalars(int32_t fromType, const void *from, int32_t toType, void *to,
                 int64_t count);

/// Whether a dtype is f16, bf16, f32 or f64.
inline bool isFloatType(int32_t t) { return t >= CHIRT_F16 && t <= CHIRT_F64; }
/// Whether a dtype is bool or an unsigned integer.
inline bool isUnsignedType(int32_t t) {
  return t == CHIRT_BOOL || (t >= CHIRT_U8 && t <= CHIRT_U64);
}

/// Calls `f` with a value of the C++ type of `dtype` (bool: uint8_t, f16:
/// Half, bf16: Brain). A str is not a type of memory: `f` is not called.
template <typename F> void withType(int32_t dtype, F &&f) {
  switch (dtype) {
  case CHIRT_BOOL:
  case CHIRT_U8:
    return f(uint8_t());
  case CHIRT_I8:
    return f(int8_t());
  case CHIRT_I16:
    return f(int16_t());
  case CHIRT_I32:
    return f(int32_t());
  case CHIRT_I64:
    return f(int64_t());
  case CHIRT_U16:
    return f(uint16_t());
  case CHIRT_U32:
    return f(uint32_t());
  case CHIRT_U64:
    return f(uint64_t());
  case CHIRT_F16:
    return f(Half());
  case CHIRT_BF16:
    return f(Brain());
  case CHIRT_F32:
    return f(float());
  case CHIRT_F64:
    return f(double());
  default:
    return;
  }
}

/// The value as a number to compute with: halves become floats.
template <typename T> T number(T value) { return value; }
inline float number(Half half) { return halfToFloat(half); }
inline float number(Brain brain) { return brainToFloat(brain); }

/// The scalar at `memory` as a double.
inline double scalarAsDouble(int32_t dtype, const void *memory) {
  double result = 0;
  withType(dtype, [&](auto type) {
    memcpy(&type, memory, sizeof(type));
    result = double(number(type));
  });
  return result;
}

} // namespace chirt
#endif // CHIRT_TEXT_ELEMENT_H

//===- Element.cpp --------------------------------------------------------===//
#include "chirt/text/Element.h"

namespace chirt {

namespace {
struct TypeFacts {
  const char *name;
  int bytes;
};
constexpr TypeFacts types[] = {{"bool", 1}, {"i8", 1},  {"i16", 2},  {"i32", 4},
                               {"i64", 8},  {"u8", 1},  {"u16", 2},  {"u32", 4},
                               {"u64", 8},  {"f16", 2}, {"bf16", 2}, {"f32", 4},
                               {"f64", 8},  {"str", 8}};
constexpr int numTypes = sizeof(types) / sizeof(types[0]);
} // namespace

int scalarBytes(int32_t dtype) {
  return dtype >= 0 && dtype < numTypes ? types[dtype].bytes : 0;
}

const char *dtypeName(int32_t dtype) {
  return dtype >= 0 && dtype < numTypes ? types[dtype].name : "?";
}

int32_t dtypeOfName(std::string_view name) {
  for (int t = 0; t < numTypes; ++t)
    if (name == types[t].name)
      return t;
  return -1;
}

float halfToFloat(Half half) {
  uint32_t sign = uint32_t(half.bits & 0x8000) << 16;
  uint32_t exponent = (half.bits >> 10) & 31, mantissa = half.bits & 0x3ff;
  uint32_t bits;
  if (exponent == 31) {
    bits = sign | 0x7f800000 | (mantissa << 13);
  } else if (exponent != 0) {
    bits = sign | ((exponent + 112) << 23) | (mantissa << 13);
  } else {
    float value = float(mantissa) * 0x1p-24f;
    memcpy(&bits, &value, 4);
    bits |= sign;
  }
  float result;
  memcpy(&result, &bits, 4);
  return result;
}

Half floatToHalf(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  uint16_t sign = uint16_t((bits >> 16) & 0x8000);
  bits &= 0x7fffffff;
  if (bits > 0x7f800000)
    return {uint16_t(sign | 0x7e00)};
  if (bits >= 0x477ff000) // rounds to 65536 or more
    return {uint16_t(sign | 0x7c00)};
  if (bits < 0x38800000) {
    // A denormal: adding 0.5 puts its last bit at the float's last bit.
    float magnitude;
    memcpy(&magnitude, &bits, 4);
    magnitude += 0.5f;
    memcpy(&bits, &magnitude, 4);
    return {uint16_t(sign | (bits - 0x3f000000))};
  }
  bits += 0xfff + ((bits >> 13) & 1);
  return {uint16_t(sign | ((bits - 0x38000000) >> 13))};
}

float brainToFloat(Brain brain) {
  uint32_t bits = uint32_t(brain.bits) << 16;
  float result;
  memcpy(&result, &bits, 4);
  return result;
}

Brain floatToBrain(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  if (value != value)
    return {uint16_t((bits >> 16) | 0x40)};
  bits += 0x7fff + ((bits >> 16) & 1);
  return {uint16_t(bits >> 16)};
}

} // namespace chirt

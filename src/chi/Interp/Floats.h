//===- Floats.h - The float types of programs in C++ ------------*- C++ -*-===//
#ifndef CHI_INTERP_FLOATS_H
#define CHI_INTERP_FLOATS_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include <type_traits>

namespace chi::interp {

/// A bf16: the upper half of a float.
class BFloat {
public:
  BFloat() = default;
  /// Rounds once, to nearest, ties to even.
  explicit BFloat(double value) {
    llvm::APFloat number(value);
    bool isInexact;
    number.convert(llvm::APFloat::BFloat(), llvm::APFloat::rmNearestTiesToEven,
                   &isInexact);
    bits = uint16_t(number.bitcastToAPInt().getZExtValue());
  }
  /// Exact.
  operator float() const { return llvm::bit_cast<float>(uint32_t(bits) << 16); }

private:
  uint16_t bits = 0;
};

/// The type in which numbers of T are computed.
template <typename T>
using Computed = std::conditional_t<sizeof(T) < 4, float, T>;

/// Stands for bf16 where instructions have the width of a float, in which bits
/// 0 to 6 are the bits of the type.
inline constexpr unsigned kBFloatWidth = 128 | 16;

/// The width of a scalar type in instructions; of an index 64.
inline unsigned widthOf(mlir::Type type) {
  if (type.isBF16())
    return kBFloatWidth;
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
}

/// Calls `f` with a zero of the type of floats of this width.
template <typename F> decltype(auto) withFloat(unsigned width, F &&f) {
  switch (width) {
  case 64:
    return f(double());
  case 32:
    return f(float());
  case 16:
    return f(_Float16());
  default:
    return f(BFloat());
  }
}

} // namespace chi::interp
#endif // CHI_INTERP_FLOATS_H

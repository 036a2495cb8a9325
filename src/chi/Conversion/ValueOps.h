//===- ValueOps.h - chi operations on scalars and locals --------*- C++ -*-===//
#ifndef CHI_CONVERSION_VALUEOPS_H
#define CHI_CONVERSION_VALUEOPS_H

#include "chi/Conversion/Emitter.h"

namespace chi::conv {

/// Replaces a chi operation that is the same in tasks and in host code:
/// integer division, powers, roots, overflow tests, locals of scalars. Returns
/// false, and does nothing, if `op` is none of these.
bool lowerValueOp(mlir::Operation *op, mlir::arith::FastMathFlags flags);

/// The flat memref that a local of scalars becomes.
mlir::MemRefType bufferType(ir::LocalType type);
/// That of a local that has been lowered.
mlir::Value bufferOf(Emitter &emit, mlir::Value slot);

/// For few iterations that look up constants: unrolled they need no look-up,
/// and what depends on the result is constant, too.
bool isShortLookup(ir::TaskOp task, int64_t iterations);
/// Makes an array that holds the same constants whenever it is read a constant
/// of the module (Tables.cpp). False, and nothing is done, if it is another
/// one.
bool lowerTable(Emitter &emit, ir::LocalOp local);
/// Is it the constant of such an array, which needs no initialisation?
bool isTable(mlir::Value buffer);

/// `a kind b` on scalars in registers.
mlir::Value combine(Emitter &emit, ir::AccumKind kind, mlir::Value a,
                    mlir::Value b, mlir::arith::FastMathFlags flags);
/// The value that `combine` leaves the other operand with.
mlir::Value neutral(Emitter &emit, ir::AccumKind kind, mlir::Type type);

/// The flags of `--float=fast`: NaN and infinity keep their meaning.
inline constexpr auto kFastFlags =
    mlir::arith::FastMathFlags::reassoc | mlir::arith::FastMathFlags::contract |
    mlir::arith::FastMathFlags::arcp | mlir::arith::FastMathFlags::afn |
    mlir::arith::FastMathFlags::nsz;

/// Is it f16 or bf16, or a vector of them? Their functions are computed in f32.
inline bool isShortFloat(mlir::Type type) {
  mlir::Type scalar = mlir::getElementTypeOrSelf(type);
  return scalar.isF16() || scalar.isBF16();
}

/// Those of the flags that an operation with a result of this type gets. A
/// reciprocal rounded to f16 or bf16 is too coarse for a division: the quotient
/// may differ in more than its last bit.
inline mlir::arith::FastMathFlags fastFlagsFor(mlir::Type type) {
  return isShortFloat(type) ? kFastFlags & ~mlir::arith::FastMathFlags::arcp
                            : kFastFlags;
}

} // namespace chi::conv
#endif // CHI_CONVERSION_VALUEOPS_H

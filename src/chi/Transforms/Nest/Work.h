//===- Work.h - Operations in units of work ---------------------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_NEST_WORK_H
#define CHI_TRANSFORMS_NEST_WORK_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace chi::nest {

/// The work of a quotient, a root or an elementary function, in simple
/// operations.
inline constexpr int64_t kDear = 8;
/// The least work of an addition to memory that other iterations share.
inline constexpr int64_t kShared = 16;

/// Is it a quotient, a root or an elementary function?
inline bool isDear(mlir::Operation *op) {
  return mlir::isa<mlir::arith::DivFOp, mlir::arith::RemFOp, ir::RootOp,
                   ir::HypotOp, ir::FFloorModOp>(op) ||
         (op->getName().getDialectNamespace() == "math" &&
          !mlir::isa<mlir::math::AbsFOp, mlir::math::FloorOp,
                     mlir::math::CeilOp, mlir::math::FmaOp>(op));
}

} // namespace chi::nest
#endif // CHI_TRANSFORMS_NEST_WORK_H

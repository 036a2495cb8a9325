//===- PlainWhile.h - While loops as differentiation takes them -*- C++ -*-===//
#ifndef CHI_AD_PLAN_PLAINWHILE_H
#define CHI_AD_PLAN_PLAINWHILE_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace chi::ad::plan {

/// Makes every `scf.while` in `op` plain: its first region forwards its own
/// arguments, in their order, so that it decides and has no derivative; other
/// values that it forwarded are computed again in the body and after the loop.
/// The loop also counts: its last carried value, an i64, is the number of
/// iterations so far.
void makeWhilePlain(mlir::Operation *op);

/// How many iterations a plain loop made.
mlir::Value iterationsOf(mlir::scf::WhileOp loop);

} // namespace chi::ad::plan
#endif // CHI_AD_PLAN_PLAINWHILE_H

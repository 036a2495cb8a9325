//===- FloatFlow.h - Where floats go inside a task --------------*- C++ -*-===//
#ifndef CHI_AD_ACTIVITY_FLOATFLOW_H
#define CHI_AD_ACTIVITY_FLOATFLOW_H

#include "chi/Dialect/Chi/ChiDialect.h"

namespace chi::ad::activity {

/// A task reads `from` and writes `to`, both fields in it.
struct FieldFlow {
  mlir::Value from, to;
  /// May floats get from the one to the other?
  bool byFloats;
};

/// All of a task. What a function does with a field is not looked at.
llvm::SmallVector<FieldFlow> findFlows(ir::TaskOp task);

} // namespace chi::ad::activity
#endif // CHI_AD_ACTIVITY_FLOATFLOW_H

//===- Floats.cpp - Values and accesses of floats -------------------------===//
#include "chi/AD/Rules/Floats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace chi;

bool chi::ad::rules::isFloat(Type type) { return isa<FloatType>(type); }

bool chi::ad::rules::accessesFloat(Operation *op) {
  auto access = dyn_cast<ir::FieldAccessOpInterface>(op);
  return access &&
         isFloat(cast<ir::FieldType>(access.getField().getType()).getScalar());
}

bool chi::ad::rules::writesFloats(ir::TaskOp task) {
  return task
      .walk([](ir::FieldAccessOpInterface access) {
        return accessesFloat(access) && access.isWrite()
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

Value chi::ad::rules::convertFloat(OpBuilder &b, Location loc, Value value,
                                   Type type) {
  auto from = cast<FloatType>(value.getType()), to = cast<FloatType>(type);
  if (from == to)
    return value;
  if (from.getWidth() < to.getWidth())
    return arith::ExtFOp::create(b, loc, to, value);
  return arith::TruncFOp::create(b, loc, to, value);
}

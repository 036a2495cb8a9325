//===- Floats.cpp - Values and accesses of floats -------------------------===//
#include "chi/AD/Rules/Floats.h"

#include "chi/Dialect/Chi/ChiDialect.h"

using namespace mlir;
using namespace chi;

bool chi::ad::rules::isFloat(Type type) { return isa<FloatType>(type); }

bool chi::ad::rules::accessesFloat(Operation *op) {
  auto access = dyn_cast<ir::FieldAccessOpInterface>(op);
  return access &&
         isFloat(cast<ir::FieldType>(access.getField().getType()).getScalar());
}

//===- ChiHostOps.cpp - Globals and the run time --------------------------===//

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace chi::ir;

/// Checks that `global` exists and holds `type`.
static LogicalResult verifyGlobalUse(Operation *op, FlatSymbolRefAttr global,
                                     Type type, SymbolTableCollection &tables) {
  auto symbol = tables.lookupNearestSymbolFrom<GlobalOp>(op, global);
  if (!symbol)
    return op->emitOpError("names no global: ") << global;
  if (symbol.getType() != type)
    return op->emitOpError("uses ") << global << " as " << type
                                    << ", but it holds " << symbol.getType();
  return success();
}

LogicalResult
GlobalLoadOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return verifyGlobalUse(*this, getGlobalAttr(), getResult().getType(),
                         symbolTable);
}

LogicalResult
GlobalStoreOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return verifyGlobalUse(*this, getGlobalAttr(), getValue().getType(),
                         symbolTable);
}

LogicalResult CastFieldOp::verify() {
  FieldType from = getField().getType(), to = getResult().getType();
  if (from.getRank() != to.getRank() || from.getElement() != to.getElement() ||
      from.getIsSoA() != to.getIsSoA() || from.getOrder() != to.getOrder())
    return emitOpError("changes more than extents: ")
           << from << " to " << to;
  return success();
}

OpFoldResult CastFieldOp::fold(FoldAdaptor adaptor) {
  if (getField().getType() == getType())
    return getField();
  // A chain of casts is one cast.
  if (auto inner = getField().getDefiningOp<CastFieldOp>()) {
    if (inner.getField().getType() == getType())
      return inner.getField();
    getFieldMutable().assign(inner.getField());
    return getResult();
  }
  return {};
}

//===- RuntimeCalls.cpp - chi.rt becomes a call ---------------------------===//

#include "chi/Conversion/HostToRuntime/HostLowering.h"
#include "chi/Conversion/ValueOps.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

/// A field or str goes as a pointer, an array as its memory, a bool as a byte.
static Value passed(Emitter &emit, Value value) {
  if (isa<ir::LocalType>(value.getType()))
    return emit.reinterpret(bufferOf(emit, value), emit.ptrType());
  if (isa<ir::HandleTypeInterface>(value.getType()))
    return emit.reinterpret(value, emit.ptrType());
  return toMemory(emit, value);
}

static Value returned(Emitter &emit, Value value, Type type) {
  if (isa<ir::HandleTypeInterface>(type))
    return emit.reinterpret(value, type);
  return fromMemory(emit, value, type);
}

LogicalResult chi::conv::lowerRuntimeCall(ir::RtOp op, SymbolTable &symbols) {
  OpBuilder builder(op);
  Emitter emit(builder, op, &symbols);
  if (op.getNumResults() > 1)
    return op.emitOpError("returns several values from ") << op.getFunction();
  SmallVector<Value> arguments;
  if (std::optional<StringRef> what = op.getSite()) {
    Site site;
    site.position = positionOf(op.getLoc());
    site.kind = CHIRT_SITE_CALL;
    site.what = *what;
    arguments.push_back(siteConstant(emit, site));
  }
  for (Value input : op.getInputs())
    arguments.push_back(passed(emit, input));
  Value result = callRuntime(emit, op.getFunction(), arguments);
  if (result)
    op.getResult(0).replaceAllUsesWith(
        returned(emit, result, op.getResult(0).getType()));
  op.erase();
  return success();
}

//===- CheckedArithmetic.cpp - chi.checked becomes a call -----------------===//

#include "chi/Conversion/HostToRuntime/HostLowering.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

/// A struct of the result and whether it overflowed.
static Value withOverflow(Emitter &emit, ir::OverflowKind kind, Value lhs,
                          Value rhs) {
  OpBuilder &b = emit.builder;
  auto both = LLVM::LLVMStructType::getLiteral(emit.context(),
                                               {lhs.getType(), b.getI1Type()});
  switch (kind) {
  case ir::OverflowKind::add:
    return LLVM::SAddWithOverflowOp::create(b, emit.loc, both, lhs, rhs);
  case ir::OverflowKind::sub:
    return LLVM::SSubWithOverflowOp::create(b, emit.loc, both, lhs, rhs);
  case ir::OverflowKind::mul:
    return LLVM::SMulWithOverflowOp::create(b, emit.loc, both, lhs, rhs);
  }
  llvm_unreachable("all kinds are listed");
}

/// `T name(T lhs, T rhs, const chirt_site *site)`.
static void fillFunction(Emitter &emit, LLVM::LLVMFuncOp function,
                         ir::OverflowKind kind) {
  OpBuilder &b = emit.builder;
  Block *entry = function.addEntryBlock(b);
  Block *cold = b.createBlock(&function.getBody(), function.getBody().end());
  Block *fits = b.createBlock(&function.getBody(), function.getBody().end());
  Value lhs = entry->getArgument(0), rhs = entry->getArgument(1);
  b.setInsertionPointToStart(entry);
  Value both = withOverflow(emit, kind, lhs, rhs);
  Value result = LLVM::ExtractValueOp::create(b, emit.loc, both, 0);
  Value overflows = LLVM::ExtractValueOp::create(b, emit.loc, both, 1);
  constexpr int32_t weights[] = {1, 1 << 20};
  cf::CondBranchOp::create(b, emit.loc, overflows, ValueRange(), ValueRange(),
                           b.getDenseI32ArrayAttr(weights), cold, fits);
  b.setInsertionPointToStart(cold);
  Type i64 = b.getI64Type();
  Value words = emit.stack(i64, 2);
  emit.store(emit.cast(lhs, i64), words);
  emit.store(emit.cast(rhs, i64), emit.at(words, i64, emit.i64(1)));
  callRuntime(emit, "chirt_raise", {entry->getArgument(2), words});
  LLVM::UnreachableOp::create(b, emit.loc);
  b.setInsertionPointToStart(fits);
  LLVM::ReturnOp::create(b, emit.loc, result);
}

static LLVM::LLVMFuncOp functionFor(Emitter &emit, ir::CheckedOp op) {
  Type type = op.getType();
  std::string name = ("chi.checked." + stringifyOverflowKind(op.getKind()) +
                      ".i" + Twine(type.getIntOrFloatBitWidth()))
                         .str();
  if (Operation *known = emit.symbols->lookup(name))
    return cast<LLVM::LLVMFuncOp>(known);
  OpBuilder builder(emit.context());
  builder.setInsertionPointToStart(op->getParentOfType<ModuleOp>().getBody());
  Emitter outside(builder, UnknownLoc::get(emit.context()));
  outside.symbols = emit.symbols;
  auto function = LLVM::LLVMFuncOp::create(
      builder, outside.loc, name,
      LLVM::LLVMFunctionType::get(type, {type, type, emit.ptrType()}),
      LLVM::Linkage::Internal);
  function.setPassthroughAttr(
      builder.getArrayAttr({builder.getStringAttr("nounwind")}));
  emit.symbols->insert(function);
  fillFunction(outside, function, op.getKind());
  return function;
}

void chi::conv::lowerChecked(Emitter &emit, ir::CheckedOp op) {
  Site site;
  site.position = positionOf(op.getLoc());
  site.kind = static_cast<int32_t>(ir::CheckKind::overflow);
  site.what = ir::spelling(op.getKind());
  site.valueTypes.assign(2, static_cast<uint8_t>(ir::dtypeOf(op.getType())));
  Value where = siteConstant(emit, site);
  auto call =
      LLVM::CallOp::create(emit.builder, emit.loc, functionFor(emit, op),
                           {op.getLhs(), op.getRhs(), where});
  op.replaceAllUsesWith(call.getResult());
  op.erase();
}

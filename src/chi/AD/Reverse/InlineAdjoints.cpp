//===- InlineAdjoints.cpp - Calls that were kept for derivatives go -------===//
#include "chi/AD/Reverse/InlineAdjoints.h"
#include "chi/AD/Reverse/Passes.h"
#include "chi/Dialect/Chi/DiscardableAttrs.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

namespace chi::ad::reverse {
#define GEN_PASS_DEF_INLINEADJOINTSPASS
#include "chi/AD/Reverse/Passes.h.inc"
} // namespace chi::ad::reverse

using namespace mlir;
using namespace chi;

/// `chi-inline` has left no call in the function but, perhaps, some that were
/// kept; they are next.
static void inlineCall(func::CallOp call, func::FuncOp callee) {
  IRMapping mapping;
  Block &body = callee.getBody().front();
  mapping.map(body.getArguments(), call.getOperands());
  OpBuilder builder(call);
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping)->walk([&](Operation *inner) {
      inner->setLoc(CallSiteLoc::get(inner->getLoc(), call.getLoc()));
    });
  for (auto [result, value] :
       llvm::zip(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  call.erase();
}

void chi::ad::reverse::inlineAdjointCalls(ir::TaskOp task) {
  auto module = task->getParentOfType<ModuleOp>();
  DenseSet<StringAttr> given;
  module.walk([&](func::CallOp call) {
    if (auto adjoint =
            call->getAttrOfType<FlatSymbolRefAttr>(ir::kCustomAdjointAttr))
      given.insert(adjoint.getAttr());
  });
  SmallVector<func::CallOp> calls;
  task.walk([&](func::CallOp call) {
    if (given.contains(call.getCalleeAttr().getAttr()))
      calls.push_back(call);
  });
  for (func::CallOp call : calls)
    inlineCall(call, module.lookupSymbol<func::FuncOp>(call.getCallee()));
}

namespace {
struct InlineAdjointsPass
    : ad::reverse::impl::InlineAdjointsPassBase<InlineAdjointsPass> {
  void runOnOperation() override;
};
} // namespace

void InlineAdjointsPass::runOnOperation() {
  SymbolTable symbols(getOperation());
  llvm::SmallSetVector<Operation *, 8> kept;
  SmallVector<func::CallOp> calls;
  auto gather = [&](Operation *root) {
    root->walk([&](func::CallOp call) { calls.push_back(call); });
  };
  getOperation().walk([&](func::CallOp call) {
    auto adjoint =
        call->getAttrOfType<FlatSymbolRefAttr>(ir::kCustomAdjointAttr);
    if (!adjoint)
      return;
    kept.insert(symbols.lookup(call.getCallee()));
    kept.insert(symbols.lookup(adjoint.getValue()));
  });
  if (kept.empty())
    return;
  for (Operation &op : *getOperation().getBody())
    if (isa<ir::TaskOp>(op) || op.hasAttr(ir::kControlAttr))
      for (gather(&op); !calls.empty(); gather(&op))
        for (func::CallOp call : std::exchange(calls, {}))
          inlineCall(call, symbols.lookup<func::FuncOp>(call.getCallee()));
  for (Operation *function : kept)
    if (cast<func::FuncOp>(function).isPrivate())
      symbols.erase(function);
}

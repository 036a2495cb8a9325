//===- Inline.cpp - Calls in kernels go -----------------------------------===//

#include "chi/Dialect/Chi/DiscardableAttrs.h"
#include "chi/Transforms/Outline/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

namespace chi::outline {
#define GEN_PASS_DEF_INLINEPASS
#include "chi/Transforms/Outline/Passes.h.inc"
} // namespace chi::outline

using namespace mlir;
using namespace chi::ir;
using namespace chi::outline;

/// A kernel that grows beyond this is refused: calls of calls can multiply.
static constexpr size_t kMaxOperations = 300000;

namespace {
class Inliner {
public:
  explicit Inliner(ModuleOp module) : symbols(module) {}

  /// Inlines all calls in `function`, first those in its callees. Those with an
  /// adjoint of their own stay.
  LogicalResult flatten(FunctionOpInterface function);

private:
  LogicalResult inlineCall(func::CallOp call, size_t &size);
  LogicalResult flattenKept(func::CallOp call);

  SymbolTable symbols;
  DenseMap<Operation *, size_t> sizes; // of flattened functions
  DenseSet<Operation *> active;
};
} // namespace

LogicalResult Inliner::flatten(FunctionOpInterface function) {
  if (sizes.contains(function))
    return success();
  if (!active.insert(function).second)
    return function->emitError("`")
           << function.getName()
           << "` calls itself, which is not allowed in kernels";
  SmallVector<func::CallOp> calls;
  size_t size = 0;
  function->walk([&](Operation *op) {
    ++size;
    if (auto call = dyn_cast<func::CallOp>(op))
      calls.push_back(call);
  });
  for (func::CallOp call : calls) {
    bool isKept = call->hasAttr(kCustomAdjointAttr);
    if (failed(isKept ? flattenKept(call) : inlineCall(call, size)))
      return failure();
  }
  active.erase(function);
  sizes[function] = size;
  return success();
}

/// A call that stays: the calls in its function are inlined, and those in the
/// adjoint of it.
LogicalResult Inliner::flattenKept(func::CallOp call) {
  auto adjoint = call->getAttrOfType<FlatSymbolRefAttr>(kCustomAdjointAttr);
  FunctionOpInterface callees[] = {
      symbols.lookup<func::FuncOp>(call.getCallee()),
      symbols.lookup<func::FuncOp>(adjoint.getValue())};
  for (FunctionOpInterface callee : callees)
    if (!callee || failed(flatten(callee)))
      return failure();
  return success();
}

/// Gives inlined operations their location: that in the callee, and that of the
/// `call`.
static void markInlined(Operation *op, Location call) {
  op->walk([&](Operation *inner) {
    inner->setLoc(CallSiteLoc::get(inner->getLoc(), call));
  });
}

LogicalResult Inliner::inlineCall(func::CallOp call, size_t &size) {
  auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
  if (!callee || !callee.getBody().hasOneBlock())
    return call.emitError("`") << call.getCallee() << "` cannot be inlined";
  if (failed(flatten(callee)))
    return failure();
  size += sizes.lookup(callee);
  if (size > kMaxOperations)
    return call.emitError("[E0411] this call makes a kernel too large: "
                          "functions are inlined into kernels, and this "
                          "function with all its callees has ")
           << sizes.lookup(callee) << " operations";

  IRMapping mapping;
  Block &body = callee.getBody().front();
  mapping.map(body.getArguments(), call.getOperands());
  OpBuilder builder(call);
  for (Operation &op : body.without_terminator())
    markInlined(builder.clone(op, mapping), call.getLoc());
  for (auto [result, value] :
       llvm::zip(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  call.erase();
  return success();
}

/// Erases private functions that nothing names, until none is left.
static void eraseUnusedFunctions(ModuleOp module) {
  DenseMap<StringAttr, unsigned> uses;
  auto countUses = [&](Operation *op, int change) {
    op->walk([&](func::CallOp call) {
      uses[call.getCalleeAttr().getAttr()] += change;
      if (auto adjoint =
              call->getAttrOfType<FlatSymbolRefAttr>(kCustomAdjointAttr))
        uses[adjoint.getAttr()] += change;
    });
  };
  countUses(module, 1);
  bool changed = true;
  while (changed) {
    changed = false;
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      if (!function.isPrivate() || uses.lookup(function.getSymNameAttr()))
        continue;
      countUses(function, -1);
      function.erase();
      changed = true;
    }
  }
}

namespace {
struct InlinePass : chi::outline::impl::InlinePassBase<InlinePass> {
  void runOnOperation() override {
    Inliner inliner(getOperation());
    for (KernelOp kernel : getOperation().getOps<KernelOp>())
      if (failed(inliner.flatten(kernel)))
        return signalPassFailure();
    eraseUnusedFunctions(getOperation());
  }
};
} // namespace

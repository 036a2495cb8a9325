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
  LogicalResult refuseCycle(FunctionOpInterface function);
  LogicalResult flattenKept(func::CallOp call);

  SymbolTable symbols;
  DenseMap<Operation *, size_t> sizes; // of flattened functions
  /// The functions that stand open, and the calls between them.
  SmallVector<Operation *> active;
  SmallVector<Location> path;
};
} // namespace

LogicalResult Inliner::flatten(FunctionOpInterface function) {
  if (sizes.contains(function))
    return success();
  if (llvm::is_contained(active, function.getOperation()))
    return refuseCycle(function);
  active.push_back(function);
  SmallVector<func::CallOp> calls;
  size_t size = 0;
  function->walk([&](Operation *op) {
    ++size;
    if (auto call = dyn_cast<func::CallOp>(op))
      calls.push_back(call);
  });
  for (func::CallOp call : calls) {
    bool isKept = call->hasAttr(kCustomAdjointAttr);
    path.push_back(call.getLoc());
    if (failed(isKept ? flattenKept(call) : inlineCall(call, size)))
      return failure();
    path.pop_back();
  }
  active.pop_back();
  sizes[function] = size;
  return success();
}

/// The name of a function in the program.
static StringRef nameOf(Operation *function) {
  StringRef name = cast<FunctionOpInterface>(function).getName();
  name.consume_back(".nograd");
  name.consume_back(".device");
  return name;
}

/// Names the calls on a cycle, from the call that enters it.
LogicalResult Inliner::refuseCycle(FunctionOpInterface function) {
  size_t first = llvm::find(active, function.getOperation()) - active.begin();
  auto error = emitError(path.back(), "[E0419] a kernel calls `")
               << nameOf(function)
               << "`, which calls itself: an array, or a field that is not "
                  "passed on as it is, cannot lie on the stack of such calls; "
                  "use a loop with an array as the stack";
  error.attachNote(function->getLoc())
      << "`" << nameOf(function) << "` is defined here";
  for (size_t k = first + 1; k < active.size(); ++k)
    error.attachNote(path[k - 1])
        << "it calls `" << nameOf(active[k]) << "` here";
  for (size_t k = first; k-- > 0;)
    error.attachNote(path[k])
        << "called here, by `" << nameOf(active[k]) << "`";
  return error;
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

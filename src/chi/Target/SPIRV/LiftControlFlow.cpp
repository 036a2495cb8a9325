//===- LiftControlFlow.cpp - From graphs to structured control flow -------===//

#include "chi/Target/SPIRV/Steps.h"
#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CFGToSCF.h"

using namespace mlir;
using namespace chi;

namespace {
/// A kernel has an end of its own for loops that do not end.
struct Lift : ControlFlowToSCFTransformation {
  FailureOr<Operation *> createUnreachableTerminator(Location loc,
                                                     OpBuilder &builder,
                                                     Region &region) override {
    if (isa<mlir::gpu::GPUFuncOp>(region.getParentOp()))
      return mlir::gpu::ReturnOp::create(builder, loc).getOperation();
    return ControlFlowToSCFTransformation::createUnreachableTerminator(
        loc, builder, region);
  }
};

/// A switch as a chain of `scf.if`, which SPIR-V's conversion has.
class SwitchToIf {
public:
  explicit SwitchToIf(scf::IndexSwitchOp op) : op(op), builder(op) {}

  void run() {
    op.replaceAllUsesWith(build(0));
    op.erase();
  }

private:
  SmallVector<Value> build(unsigned number) {
    if (number == op.getNumCases())
      return take(op.getDefaultRegion());
    Location loc = op.getLoc();
    Value wanted =
        arith::ConstantIndexOp::create(builder, loc, op.getCases()[number]);
    Value isThis = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         op.getArg(), wanted);
    auto branch = scf::IfOp::create(builder, loc, op.getResultTypes(), isThis,
                                    /*withElseRegion=*/true);
    fill(branch.getThenRegion(),
         [&] { return take(op.getCaseRegions()[number]); });
    fill(branch.getElseRegion(), [&] { return build(number + 1); });
    return llvm::to_vector_of<Value>(branch.getResults());
  }

  /// Moves the operations of a region to where the builder stands.
  SmallVector<Value> take(Region &region) {
    Block &block = region.front();
    auto yield = cast<scf::YieldOp>(block.getTerminator());
    SmallVector<Value> values(yield.getOperands());
    yield.erase();
    builder.getInsertionBlock()->getOperations().splice(
        builder.getInsertionPoint(), block.getOperations());
    return values;
  }

  void fill(Region &region, function_ref<SmallVector<Value>()> body) {
    OpBuilder::InsertionGuard guard(builder);
    Block &block = region.front();
    if (block.mightHaveTerminator())
      block.getTerminator()->erase();
    builder.setInsertionPointToEnd(&block);
    SmallVector<Value> values = body();
    builder.setInsertionPointToEnd(&block);
    scf::YieldOp::create(builder, op.getLoc(), values);
  }

  scf::IndexSwitchOp op;
  OpBuilder builder;
};
} // namespace

static LogicalResult lift(FunctionOpInterface function) {
  Lift transformation;
  DominanceInfo dominance(function);
  if (failed(transformCFGToSCF(function.getFunctionBody(), transformation,
                               dominance)))
    return function->emitOpError("has unstructured control flow");
  SmallVector<scf::IndexSwitchOp> switches;
  function.walk([&](scf::IndexSwitchOp op) { switches.push_back(op); });
  for (scf::IndexSwitchOp op : switches) // the inner ones come first
    SwitchToIf(op).run();
  return success();
}

LogicalResult
chi::target::spv::liftControlFlow(mlir::gpu::GPUModuleOp kernels) {
  for (Operation &op : *kernels.getBody())
    if (auto function = dyn_cast<FunctionOpInterface>(op))
      if (failed(lift(function)))
        return failure();
  return success();
}

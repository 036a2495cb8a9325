//===- ChiToLoops.cpp - Tasks become loops over flat memory ---------------===//

#include "chi/Conversion/ChiToLoops/TaskLowering.h"
#include "chi/Conversion/Runtime.h"

namespace chi::conv {
#define GEN_PASS_DEF_CHITOLOOPSPASS
#include "chi/Conversion/Passes.h.inc"
} // namespace chi::conv

using namespace mlir;
using namespace chi;
using namespace chi::conv;

namespace {
/// Makes the functions of one task and replaces its launches.
class TaskConversion {
public:
  TaskConversion(ir::TaskOp task, ArrayRef<ir::LaunchOp> launches, bool fast)
      : task(task), launches(launches), fast(fast && !task.getStrict()),
        builder(task), shape(shapeOf(task)) {}

  LogicalResult run() {
    if ((shape.schedule.firstFailure && failed(makeEarlier())) ||
        failed(makeBody(/*mayAlias=*/false)) ||
        (shape.needsMayAlias() && failed(makeBody(/*mayAlias=*/true))) ||
        (!shape.trees.empty() && failed(makeFinish())))
      return failure();
    for (ir::LaunchOp launch : launches)
      if (failed(lowerLaunch(launch, shape)))
        return failure();
    task.erase();
    return success();
  }

private:
  func::FuncOp makeFunction(StringRef suffix, ArrayRef<Type> types) {
    auto function = func::FuncOp::create(builder, task.getLoc(),
                                         functionName(shape, suffix),
                                         builder.getFunctionType(types, {}));
    function.setPrivate();
    function->setAttr(ir::kKernelAttr, task.getKernelAttr());
    function->setAttr(ir::kAxesAttr, builder.getStringAttr(axesText(task)));
    return function;
  }

  /// No field of one call overlaps another there; said so, LLVM need not
  /// test it at run time.
  void markApart(func::FuncOp function) {
    for (BlockArgument argument : function.getArguments())
      if (isa<MemRefType>(argument.getType()))
        function.setArgAttr(argument.getArgNumber(), "llvm.noalias",
                            builder.getUnitAttr());
  }

  LogicalResult makeBody(bool mayAlias) {
    func::FuncOp function =
        makeFunction(mayAlias ? ".may_alias" : ".body", shape.bodyTypes());
    function->setAttr(ir::kBodyAttr, builder.getUnitAttr());
    // Overlapping fields are rare: small code will do.
    if (mayAlias && shape.privatized.empty())
      function->setAttr(ir::kColdAttr, builder.getUnitAttr());
    TaskLowering lowering(shape, builder, mayAlias, fast);
    if (failed(lowering.emitBody(function)))
      return failure();
    if (!mayAlias && shape.schedule.noalias)
      markApart(function);
    if (shape.rank())
      emitChunk(shape, function, mayAlias);
    return success();
  }

  LogicalResult makeEarlier() {
    func::FuncOp function = makeFunction(".earlier", shape.bodyTypes());
    function->setAttr(ir::kColdAttr, builder.getUnitAttr());
    return TaskLowering(shape, builder, /*mayAlias=*/true, fast)
        .emitEarlier(function);
  }

  LogicalResult makeFinish() {
    SmallVector<Type> types = shape.capturedTypes();
    for (const TreeTarget &tree : shape.trees)
      types.push_back(flatType(tree.scalar));
    types.push_back(builder.getIndexType());
    func::FuncOp function = makeFunction(".finish", types);
    TaskLowering lowering(shape, builder, /*mayAlias=*/true, fast);
    return lowering.emitFinish(function);
  }

  ir::TaskOp task;
  ArrayRef<ir::LaunchOp> launches;
  bool fast;
  OpBuilder builder;
  TaskShape shape;
};

struct ChiToLoopsPass : chi::conv::impl::ChiToLoopsPassBase<ChiToLoopsPass> {
  using ChiToLoopsPassBase::ChiToLoopsPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registerLoweringDialects(registry);
  }

  /// A call of a kernel that draws in the source counts, whatever is left of
  /// its draws.
  void takeOrdinals() {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function->hasAttr(ir::kControlAttr) ||
          !function->hasAttr(ir::kDrawsAttr) || function.isExternal())
        continue;
      OpBuilder builder(function.getContext());
      Emitter emit(builder, function);
      (void)ordinalOf(emit, function);
    }
  }

  void runOnOperation() override {
    takeOrdinals();
    llvm::StringMap<SmallVector<ir::LaunchOp>> launches;
    getOperation().walk([&](ir::LaunchOp launch) {
      launches[launch.getTask()].push_back(launch);
    });
    for (auto task :
         llvm::make_early_inc_range(getOperation().getOps<ir::TaskOp>())) {
      std::string name = task.getSymName().str();
      if (failed(TaskConversion(task, launches[name], fast).run()))
        return signalPassFailure();
      launches.erase(name);
    }
    for (auto &unknown : launches)
      for (ir::LaunchOp launch : unknown.second) {
        launch.emitOpError("names no task");
        return signalPassFailure();
      }
  }
};
} // namespace

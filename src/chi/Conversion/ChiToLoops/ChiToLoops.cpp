//===- ChiToLoops.cpp - Tasks become loops over flat memory ---------------===//

#include "chi/Conversion/ChiToLoops/RecordedForms.h"
#include "chi/Conversion/ChiToLoops/TaskLowering.h"
#include "chi/Conversion/Runtime.h"
#include "chi/Dialect/Chi/AdjointTasks.h"
#include "llvm/ADT/SetVector.h"

namespace chi::conv {
#define GEN_PASS_DEF_CHITOLOOPSPASS
#include "chi/Conversion/Passes.h.inc"
} // namespace chi::conv

using namespace mlir;
using namespace chi;
using namespace chi::conv;

namespace {
/// The launches of one task.
struct Launches {
  SmallVector<ir::LaunchOp> direct, recorded;
  bool isAdjoint = false; ///< launches use descriptors
};

/// Makes the functions of one task and replaces its launches.
class TaskConversion {
public:
  TaskConversion(ir::TaskOp task, const Launches &launches, bool fast,
                 bool choices)
      : task(task), launches(launches), fast(fast && !task.getStrict()),
        builder(task), shape(shapeOf(task)) {
    shape.isStrict = !this->fast;
    if (choices && hasChoices(shape))
      shape.hash = hashOf(task);
  }

  LogicalResult run() {
    if ((shape.schedule.firstFailure && failed(makeEarlier())) ||
        failed(makeBody(/*mayAlias=*/false)) ||
        (shape.needsMayAlias() && failed(makeBody(/*mayAlias=*/true))) ||
        (!shape.reductions.empty() && failed(makeFinish())))
      return failure();
    if (!launches.recorded.empty() || launches.isAdjoint)
      addTaskEntry(shape);
    for (ir::LaunchOp launch : launches.direct)
      lowerLaunch(launch, shape, /*isEntry=*/false);
    for (ir::LaunchOp launch : launches.recorded)
      lowerRecordedLaunch(launch, shape);
    task.erase();
    return success();
  }

private:
  func::FuncOp makeFunction(StringRef suffix, ArrayRef<Type> types) {
    auto function = func::FuncOp::create(builder, task.getLoc(),
                                         functionName(shape, suffix),
                                         builder.getFunctionType(types, {}));
    function.setPrivate();
    setMessageNames(function, task);
    return function;
  }

  /// Fields of one call do not overlap there; this fact saves LLVM the test at
  /// run time.
  void markNoalias(func::FuncOp function) {
    for (BlockArgument argument : function.getArguments())
      if (isa<MemRefType>(argument.getType()))
        function.setArgAttr(argument.getArgNumber(), "llvm.noalias",
                            builder.getUnitAttr());
  }

  LogicalResult makeBody(bool mayAlias) {
    func::FuncOp function =
        makeFunction(mayAlias ? ".may_alias" : ".body", shape.bodyTypes());
    function->setAttr(ir::kBodyAttr, builder.getUnitAttr());
    // Overlapping fields are rare, and so is a lack of memory for copies: small
    // code will do.
    if (mayAlias && shape.hasCopies())
      function->setAttr(ir::kColdAttr, builder.getUnitAttr());
    TaskLowering lowering(shape, builder, mayAlias, fast);
    if (failed(lowering.emitBody(function)))
      return failure();
    if (!mayAlias && shape.schedule.noalias)
      markNoalias(function);
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
    for (const ReductionTarget &reduction : shape.reductions)
      types.push_back(flatType(reduction.scalar));
    types.push_back(builder.getIndexType());
    func::FuncOp function = makeFunction(".finish", types);
    TaskLowering lowering(shape, builder, /*mayAlias=*/true, fast);
    return lowering.emitFinish(function);
  }

  ir::TaskOp task;
  const Launches &launches;
  bool fast;
  OpBuilder builder;
  TaskShape shape;
};

struct ChiToLoopsPass : chi::conv::impl::ChiToLoopsPassBase<ChiToLoopsPass> {
  using ChiToLoopsPassBase::ChiToLoopsPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registerLoweringDialects(registry);
  }

  /// Sorts all launches by their tasks, and the tasks by their kernels.
  void findLaunches(ArrayRef<func::FuncOp> recorded) {
    DenseSet<Operation *> areRecorded(recorded.begin(), recorded.end());
    getOperation().walk([&](func::FuncOp function) {
      bool isRecorded = areRecorded.contains(function);
      function.walk([&](ir::LaunchOp launch) {
        Launches &of = launches[launch.getTask()];
        (isRecorded ? of.recorded : of.direct).push_back(launch);
        if (isRecorded)
          launched[function].insert(launch.getTaskAttr().getAttr());
      });
    });
  }

  /// Each kernel has a table, also one that launches nothing.
  void addKernelTables(ArrayRef<func::FuncOp> recorded) {
    DenseMap<StringAttr, func::FuncOp> forms;
    for (func::FuncOp form : recorded)
      forms[form.getSymNameAttr()] = form;
    SmallVector<func::FuncOp> controls;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(ir::kControlAttr) && !function.isExternal() &&
          !forms.contains(function.getSymNameAttr()))
        controls.push_back(function);
    for (func::FuncOp control : controls) {
      auto form = forms.lookup(
          StringAttr::get(&getContext(), control.getSymName() + ".rec"));
      addKernelTable(control, launched[form].getArrayRef());
    }
  }

  void runOnOperation() override {
    SmallVector<func::FuncOp> forms;
    if (recorded)
      forms = addRecordedForms(getOperation());
    else
      for (auto function : getOperation().getOps<func::FuncOp>())
        if (function->hasAttr(ir::kControlAttr))
          dropMarks(function);
    findLaunches(forms);
    // The run time launches them, by what describes the tasks that they are of.
    for (auto task : getOperation().getOps<ir::TaskOp>()) {
      if (ir::isShared(task))
        launches[task.getSymName()].isAdjoint = recorded;
      for (FlatSymbolRefAttr other :
           {ir::adjointOf(task), ir::prologueOf(task), ir::recorderOf(task),
            ir::fusedAdjointOf(task), ir::variantOf(task), ir::tangentOf(task)})
        if (other)
          launches[other.getValue()].isAdjoint = recorded;
    }
    for (auto task :
         llvm::make_early_inc_range(getOperation().getOps<ir::TaskOp>())) {
      std::string name = task.getSymName().str();
      if (task->hasAttr(ir::kExternAttr)) {
        declareDescriptor(task);
        task.erase();
        continue;
      }
      if (failed(TaskConversion(task, launches[name], fast, choices).run()))
        return signalPassFailure();
      launches.erase(name);
    }
    for (func::FuncOp form : forms)
      makeCellsFields(form);
    if (recorded)
      addKernelTables(forms);
  }

  llvm::StringMap<Launches> launches;
  DenseMap<func::FuncOp, llvm::SetVector<StringAttr>> launched;
};
} // namespace

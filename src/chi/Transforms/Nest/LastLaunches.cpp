//===- LastLaunches.cpp - What tapes record last --------------------------===//
#include "chi/Transforms/Nest/LastLaunches.h"

#include "chi/Dialect/Chi/AdjointTasks.h"
#include "chi/Dialect/Chi/RuntimeFunctions.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace chi;
using namespace chi::nest;

/// Can the launch before it run after it as well?
static bool looksAtNothing(Operation *op) {
  if (auto call = dyn_cast<ir::RtOp>(op))
    // The tape holds references to its fields.
    return ir::isRelease(call.getFunction());
  return isMemoryEffectFree(op) || isa<ir::GlobalLoadOp>(op);
}

/// The last operation before `op` in its block that has a relevant effect.
static Operation *before(Operation *op) {
  do {
    op = op->getPrevNode();
  } while (op && looksAtNothing(op));
  return op;
}

LastLaunches::LastLaunches(ModuleOp module) {
  SymbolTable symbols(module);
  module.walk([&](ir::RtOp end) {
    if (end.getFunction() != "chirt_tape_end")
      return;
    auto call = dyn_cast_or_null<func::CallOp>(before(end));
    auto kernel =
        call ? symbols.lookup<func::FuncOp>(call.getCallee()) : func::FuncOp();
    if (!kernel || kernel.isExternal() || !kernel->hasAttr(ir::kControlAttr))
      return;
    Operation *last = before(kernel.getBody().front().getTerminator());
    auto launch = dyn_cast_or_null<ir::LaunchOp>(last);
    auto task =
        launch ? symbols.lookup<ir::TaskOp>(launch.getTask()) : ir::TaskOp();
    if (task && kernel.getBody().hasOneBlock() && !task.getNumPrimal())
      all.push_back({launch, task, call});
  });
}

ir::TaskOp LastLaunches::primalOf(ir::TaskOp adjoint) const {
  for (LastLaunch each : all)
    if (ir::adjointOf(each.task) == ir::referenceTo(adjoint))
      return each.task;
  return nullptr;
}

void LastLaunches::wait(ir::TaskOp primal, ir::TaskOp both) {
  ir::changeAdjoint(primal, [&](ir::Adjoint &adjoint) {
    adjoint.fused = ir::referenceTo(both);
  });
  for (LastLaunch &each : all) {
    if (each.task != primal)
      continue;
    each.launch.setLast(true);
    OpBuilder b(each.call);
    ir::RtOp::create(b, each.call.getLoc(), TypeRange(),
                     b.getStringAttr("chirt_tape_last"), ValueRange(),
                     StringAttr());
  }
}

//===----------------------------------------------------------------------===//
// The task
//===----------------------------------------------------------------------===//

ir::TaskOp nest::joinPrimal(ir::TaskOp adjoint, ir::TaskOp primal) {
  auto typesOf = [](ValueRange values) { return values.getTypes(); };
  if (primal.getStrict() || ir::recorderOf(primal) ||
      typesOf(primal.getIndexVariables()) !=
          typesOf(adjoint.getIndexVariables()))
    return nullptr;
  OpBuilder b(adjoint.getContext());
  b.setInsertionPointAfter(adjoint);
  auto both = cast<ir::TaskOp>(b.clone(*adjoint));
  both.setSymName((adjoint.getSymName() + ".both").str());
  // No tape records it.
  both->removeAttr(ir::kBoxesAttr);
  ir::changeAdjoint(
      both, [](ir::Adjoint &attribute) { attribute.variant = nullptr; });
  IRMapping mapping;
  mapping.map(ValueRange(primal.getCaptured()),
              both.getCaptured().take_front(primal.getNumCaptured()));
  mapping.map(ValueRange(primal.getIndexVariables()),
              ValueRange(both.getIndexVariables()));
  b.setInsertionPoint(both.getBody().front().getTerminator());
  for (Operation &op : primal.getBody().front().without_terminator())
    b.clone(op, mapping);
  return both;
}

//===- Postconditions.cpp - What each pass leaves -------------------------===//
#include "chi/Pipeline/Postconditions.h"

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace chi;
using namespace chi::pipeline;

//===----------------------------------------------------------------------===//
// What may not be there: nothing, or what is wrong with the operation
//===----------------------------------------------------------------------===//

template <typename... Ops> static StringRef isNone(Operation *op) {
  return isa<Ops...>(op) ? "is left" : "";
}

/// Control code, host functions and tasks call; kernels do not.
static StringRef callsNothing(Operation *op) {
  bool isInKernel = op->getParentOfType<ir::KernelOp>() != nullptr;
  return isa<func::CallOp>(op) && isInKernel ? "is called in a kernel" : "";
}

static StringRef isNumbered(Operation *op) {
  auto draw = dyn_cast<ir::RandomOp>(op);
  bool isInKernel = draw && (op->getParentOfType<ir::KernelOp>() ||
                             op->getParentOfType<ir::TaskOp>());
  return isInKernel && !draw.getDraw() ? "has no number" : "";
}

/// Scalars that only a parallel loop writes become cells later.
static StringRef isNoScalarSlot(Operation *op) {
  auto local = dyn_cast<ir::LocalOp>(op);
  if (!local)
    return "";
  auto type = cast<ir::LocalType>(local.getSlot().getType());
  bool isNumber = isa<IntegerType, FloatType>(type.getScalar());
  bool isShared = llvm::any_of(local.getSlot().getUsers(), [](auto *user) {
    return user->template getParentOfType<ir::ParallelOp>() != nullptr;
  });
  return type.getShape().empty() && isNumber && !isShared ? "is no value" : "";
}

static StringRef isInside(Operation *op) {
  auto access = dyn_cast<ir::FieldAccessOpInterface>(op);
  return access && !access.getInbounds() ? "is neither checked nor inbounds"
                                         : "";
}

static StringRef isDecided(Operation *op) {
  auto accum = dyn_cast<ir::AccumOp>(op);
  return accum && !accum.getStrategy() ? "has no strategy" : "";
}

static StringRef hasCost(Operation *op) {
  auto task = dyn_cast<ir::TaskOp>(op);
  return task && !task.getCost() ? "has no cost" : "";
}

static StringRef hasEffects(Operation *op) {
  auto task = dyn_cast<ir::TaskOp>(op);
  return task && !task.getEffects() ? "has no effects" : "";
}

template <typename... Ops> static StringRef isOnlyChi(Operation *op) {
  bool isLeft = isa_and_nonnull<ir::ChiDialect>(op->getDialect());
  return isLeft && !isa<Ops...>(op) ? "is left of the chi dialect" : "";
}

static StringRef isLLVM(Operation *op) {
  return isa<ModuleOp>(op) || isa<LLVM::LLVMDialect>(op->getDialect())
             ? ""
             : "is left beside the LLVM dialect";
}

//===----------------------------------------------------------------------===//
// The promises, in the order of the pipeline
//===----------------------------------------------------------------------===//

namespace {
struct Postcondition {
  StringRef pass;
  StringRef (*fault)(Operation *); ///< "": it keeps the promise
};
} // namespace

static const Postcondition kPostconditions[] = {
    {"chi-structure", isNone<ir::IfOp, ir::ForOp, ir::WhileOp, ir::ConditionOp,
                             ir::BreakOp, ir::ContinueOp>},
    {"chi-inline", callsNothing},
    {"chi-number-random", isNumbered},
    {"chi-promote", isNoScalarSlot},
    {"chi-outline-tasks",
     isNone<ir::KernelOp, ir::ParallelOp, ir::CallOp, ir::ReturnOp>},
    {"chi-insert-checks", isInside},
    {"chi-choose-strategies", isDecided},
    {"chi-estimate-cost", hasCost},
    {"chi-task-effects", hasEffects},
    {"convert-chi-to-loops", isNone<ir::TaskOp, ir::LaunchOp>},
    {"convert-host-to-runtime",
     isOnlyChi<ir::CheckOp, ir::PrintOp, ir::ToIntOp>},
    {"chi-lower-checks", isOnlyChi<ir::ToIntOp>},
    {"convert-loops-to-cpu", isLLVM},
};

static const Postcondition *find(StringRef pass) {
  return llvm::find_if(kPostconditions,
                       [&](const auto &each) { return each.pass == pass; });
}

bool pipeline::hasPostcondition(StringRef pass) {
  return find(pass) != std::end(kPostconditions);
}

StringRef pipeline::lastPassOf(Stage stage) {
  switch (stage) {
  case Stage::Simplified:
  case Stage::Lanes:
    return "chi-task-effects";
  case Stage::Loops:
    return "convert-host-to-runtime";
  case Stage::LLVM:
    return "convert-loops-to-cpu";
  default:
    return "";
  }
}

LogicalResult pipeline::verifyPostconditions(ModuleOp module, StringRef pass) {
  const Postcondition *last = find(pass);
  if (last == std::end(kPostconditions))
    return success();
  LogicalResult result = success();
  for (const Postcondition &each : ArrayRef(kPostconditions, last + 1)) {
    WalkResult walked = module.walk([&](Operation *op) {
      StringRef fault = each.fault(op);
      if (fault.empty())
        return WalkResult::advance();
      op->emitOpError(fault) << " after `" << each.pass << "`";
      return WalkResult::interrupt();
    });
    if (walked.wasInterrupted())
      result = failure();
  }
  return result;
}

//===- Refusals.cpp - What no device can do yet ---------------------------===//

#include "chi/Conversion/ChiToGPU/Arena.h"
#include "chi/Conversion/Elementary.h"
#include "chi/Dialect/Chi/Schedule.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv::kernels;

/// Operations of `math` that every device has; the others are expanded before
/// or have no code.
static bool isOfHardware(Operation *op) {
  using namespace mlir::math;
  return isa<AbsFOp, AbsIOp, CeilOp, CopySignOp, FloorOp, FmaOp, RoundEvenOp,
             RsqrtOp, SqrtOp, TruncOp, CtPopOp, CountLeadingZerosOp,
             CountTrailingZerosOp, IsNaNOp, IsFiniteOp>(op);
}

static bool isScalar(Type type) {
  return isa<IntegerType, FloatType, IndexType>(type);
}

static bool isOfScratch(Operation *op) {
  return isa<ir::ScratchOp, ir::ReserveOp>(op);
}

/// Takes a function, and what it calls, nothing but numbers, and may nothing in
/// it fail? Recursion would need a stack that nobody can tell the size of.
static bool isPlain(func::FuncOp function,
                    SmallVectorImpl<Operation *> &callers);

static bool isPlainCall(func::CallOp call,
                        SmallVectorImpl<Operation *> &callers) {
  auto function = call->getParentOfType<ModuleOp>().lookupSymbol<func::FuncOp>(
      call.getCallee());
  if (call.getCallee().starts_with(conv::kNativePrefix))
    return true;
  return function && !function.isExternal() &&
         !llvm::is_contained(callers, function) && isPlain(function, callers);
}

static std::string reasonOf(Operation *op);

static bool isPlain(func::FuncOp function,
                    SmallVectorImpl<Operation *> &callers) {
  if (!llvm::all_of(function.getArgumentTypes(), isScalar))
    return false;
  callers.push_back(function);
  WalkResult walked = function.walk([&](Operation *op) {
    auto call = dyn_cast<func::CallOp>(op);
    bool isGood = call ? isPlainCall(call, callers)
                       : !isa<ir::CheckOp, ir::PrintOp,
                              ir::FieldAccessOpInterface, ir::RtOp>(op) &&
                             !isOfScratch(op) && reasonOf(op).empty();
    return isGood ? WalkResult::advance() : WalkResult::interrupt();
  });
  callers.pop_back();
  return !walked.wasInterrupted();
}

/// Why an operation has no code on a device; "" if it has.
static std::string reasonOf(Operation *op) {
  if (auto print = dyn_cast<ir::PrintOp>(op);
      print && !llvm::all_of(print.getValues().getTypes(), isScalar))
    return "on a device, printing anything but numbers";
  SmallVector<Operation *> callers;
  if (auto call = dyn_cast<func::CallOp>(op);
      call && !isPlainCall(call, callers))
    return ("on a device, the call of `" + call.getCallee() +
            "`, which stays a call and may fail or call itself,")
        .str();
  if (isa<ir::FFloorModOp, arith::RemFOp>(op))
    return "on a device, `%` of floats without Chi's elementary functions";
  if (isa_and_nonnull<math::MathDialect>(op->getDialect()) && !isOfHardware(op))
    return ("on a device, `" + op->getName().stripDialect() + "`").str();
  auto check = dyn_cast<ir::CheckOp>(op);
  if (check && !llvm::all_of(check.getValues().getTypes(), isScalar))
    return "on a device, a text in the message of an assertion";
  return "";
}

static bool isCapturedForDevice(Type type) {
  return isa<ir::FieldType>(type) || isScalar(type);
}

Refusal chi::conv::kernels::findRefusal(ir::TaskOp task) {
  Refusal found;
  if (!llvm::all_of(ValueRange(task.getCaptured()).getTypes(),
                    isCapturedForDevice))
    return {task, "on a device, a loop that uses a text"};
  task.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    found.text = reasonOf(op);
    if (found.text.empty())
      return WalkResult::advance();
    found.op = op;
    return WalkResult::interrupt();
  });
  return found;
}

//===- Postconditions.cpp - What each pass leaves -------------------------===//
#include "chi/Pipeline/Postconditions.h"

#include "chi/Dialect/Chi/AdjointTasks.h"
#include "chi/Dialect/Chi/ChiDialect.h"
#include "chi/Dialect/Chi/DiscardableAttrs.h"
#include "chi/Dialect/Chi/RuntimeFunctions.h"
#include "chi/IRGen/IRGen.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/SetVector.h"

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
  bool isKept = op->hasAttr(ir::kCustomAdjointAttr);
  return isa<func::CallOp>(op) && isInKernel && !isKept
             ? "is called in a kernel"
             : "";
}

static StringRef hasNoKeptCall(Operation *op) {
  return op->hasAttr(ir::kCustomAdjointAttr) ? "is left" : "";
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
  return type.getShape().empty() && isNumber && !isShared ? "is not a value"
                                                          : "";
}

static bool computesFloat(Operation *op) {
  if (!isPure(op) || op->hasTrait<OpTrait::ConstantLike>() ||
      op->hasTrait<OpTrait::IsTerminator>() ||
      isa<arith::CmpFOp, ir::GlobalLoadOp>(op))
    return false;
  auto isFloat = [](Type type) { return isa<FloatType>(type); };
  return llvm::any_of(op->getOperandTypes(), isFloat) ||
         llvm::any_of(op->getResultTypes(), isFloat);
}

/// Control functions compare floats, hand them on and return them; tasks
/// compute them. What launches none is a plain function.
static StringRef isOutlined(Operation *op) {
  bool isLaunching = false, isComputing = false;
  if (op->hasAttr(ir::kControlAttr))
    op->walk([&](Operation *inner) {
      isLaunching |= isa<ir::LaunchOp>(inner);
      isComputing |= inner != op && computesFloat(inner);
    });
  if (isLaunching && isComputing)
    return "computes a float outside of its tasks";
  return isNone<ir::KernelOp, ir::ParallelOp, ir::CallOp, ir::ReturnOp>(op);
}

/// A task that runs before an adjoint takes the adjoint's arguments, except for
/// the adjoints of fields.
static StringRef hasFittingPrologue(ir::TaskOp task) {
  FlatSymbolRefAttr name = ir::prologueOf(task);
  if (!name)
    return "";
  auto prologue = SymbolTable::lookupNearestSymbolFrom<ir::TaskOp>(task, name);
  if (!prologue)
    return "refers to an unknown prior task";
  auto types = ValueRange(prologue.getCaptured()).getTypes();
  bool fits =
      (prologue.getRank() == task.getRank() || ir::hasOwnAxes(prologue)) &&
      prologue.getNumPrimal() == task.getNumPrimal() &&
      types.size() <= task.getNumCaptured() &&
      types ==
          ValueRange(task.getCaptured().take_front(types.size())).getTypes();
  return fits ? "" : "runs after a task with other arguments";
}

/// Does it run over the domain of the primal, or go over some axes of it by
/// itself?
static bool hasRankOf(ir::TaskOp adjoint, ir::TaskOp primal) {
  return adjoint.getRank() == primal.getRank() ||
         (ir::hasOwnAxes(adjoint) && adjoint.getRank() < primal.getRank());
}

/// Does `task` take what `primal` does, and more?
static bool takesMore(ir::TaskOp task, ir::TaskOp primal) {
  unsigned count = primal.getNumCaptured();
  return task.getNumCaptured() >= count &&
         ValueRange(task.getCaptured().take_front(count)).getTypes() ==
             ValueRange(primal.getCaptured()).getTypes();
}

/// A task that runs instead of another one under a tape takes that one's
/// arguments, then the fields that it records to; the arguments of the tasks
/// for the adjoint begin with the latter.
static StringRef hasFittingRecorder(ir::TaskOp task, ir::TaskOp adjoint) {
  FlatSymbolRefAttr name = ir::recorderOf(task);
  if (!name)
    return "";
  auto recorder = SymbolTable::lookupNearestSymbolFrom<ir::TaskOp>(task, name);
  if (!recorder)
    return "refers to an unknown recorder";
  ArrayRef<int64_t> own = ir::workspaceOf(recorder),
                    all = ir::workspaceOf(adjoint);
  bool fits = recorder.getRank() == task.getRank() &&
              takesMore(recorder, task) && own.size() <= all.size() &&
              own == all.take_front(own.size());
  return fits ? "" : "has a recorder with other arguments";
}

/// The fused adjoint takes the arguments of the adjoint.
static StringRef hasFittingFusedAdjoint(ir::TaskOp task, ir::TaskOp adjoint) {
  FlatSymbolRefAttr name = ir::fusedAdjointOf(task);
  if (!name)
    return "";
  auto both = SymbolTable::lookupNearestSymbolFrom<ir::TaskOp>(task, name);
  if (!both)
    return "refers to an unknown fused adjoint";
  bool fits = hasRankOf(both, task) &&
              ValueRange(both.getCaptured()).getTypes() ==
                  ValueRange(adjoint.getCaptured()).getTypes() &&
              !ir::prologueOf(adjoint) && ir::workspaceOf(adjoint).empty() &&
              !ir::recorderOf(task);
  return fits ? "" : "has a fused adjoint that does not match";
}

/// The variants of an adjoint take the task's arguments, and the same adjoints.
static StringRef hasFittingVariants(ir::TaskOp task, ir::TaskOp adjoint) {
  size_t most = adjoint.getNumCaptured() - task.getNumCaptured() -
                ir::workspaceOf(adjoint).size() * sizeof(int64_t) /
                    sizeof(chirt_workspace_field);
  auto adjointsOf = [&](ir::TaskOp of) {
    return ValueRange(of.getCaptured().take_back(most)).getTypes();
  };
  while (FlatSymbolRefAttr name = ir::variantOf(adjoint)) {
    auto variant = SymbolTable::lookupNearestSymbolFrom<ir::TaskOp>(task, name);
    if (!variant)
      return "refers to an unknown variant of its adjoint";
    if (!hasRankOf(variant, task) || !takesMore(variant, task) ||
        variant.getNumPrimal() != task.getNumCaptured() ||
        adjointsOf(variant) != adjointsOf(adjoint) ||
        ir::passiveOf(variant).empty() || ir::recorderOf(task))
      return "has an adjoint with a variant that does not match";
    adjoint = variant;
  }
  return "";
}

/// An adjoint takes what its primal does, and more.
static StringRef hasFittingAdjoint(Operation *op) {
  auto task = dyn_cast<ir::TaskOp>(op);
  if (!task)
    return "";
  FlatSymbolRefAttr name = ir::adjointOf(task);
  if (StringRef fault = hasFittingPrologue(task); !name || !fault.empty())
    return fault;
  auto adjoint = SymbolTable::lookupNearestSymbolFrom<ir::TaskOp>(task, name);
  if (!adjoint)
    return "refers to an unknown adjoint";
  bool fits = hasRankOf(adjoint, task) &&
              adjoint.getNumPrimal() == task.getNumCaptured() &&
              takesMore(adjoint, task);
  if (!fits)
    return "has an adjoint with other arguments";
  for (auto *check :
       {hasFittingFusedAdjoint, hasFittingVariants, hasFittingRecorder})
    if (StringRef fault = check(task, adjoint); !fault.empty())
      return fault;
  return "";
}

//===----------------------------------------------------------------------===//
// Sides of choices
//===----------------------------------------------------------------------===//

/// Is it the place of a conditional expression?
static bool isChoice(Location loc) {
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return isChoice(call.getCallee());
  auto name = dyn_cast<NameLoc>(loc);
  return name && name.getName() == irgen::kChoiceName;
}

/// Is the range of `inner` a part of that of `outer`?
static bool isPartOf(Location inner, Location outer) {
  if (auto name = dyn_cast<NameLoc>(inner))
    return isPartOf(name.getChildLoc(), outer);
  if (auto name = dyn_cast<NameLoc>(outer))
    return isPartOf(inner, name.getChildLoc());
  auto innerCall = dyn_cast<CallSiteLoc>(inner);
  auto outerCall = dyn_cast<CallSiteLoc>(outer);
  if (innerCall && outerCall)
    return innerCall.getCaller() == outerCall.getCaller() &&
           isPartOf(innerCall.getCallee(), outerCall.getCallee());
  auto part = dyn_cast<FileLineColRange>(inner);
  auto whole = dyn_cast<FileLineColRange>(outer);
  auto startOf = [](FileLineColRange range) {
    return std::pair(range.getStartLine(), range.getStartColumn());
  };
  auto endOf = [](FileLineColRange range) {
    return std::pair(range.getEndLine(), range.getEndColumn());
  };
  return part && whole && part != whole &&
         part.getFilename() == whole.getFilename() &&
         startOf(whole) <= startOf(part) && endOf(part) <= endOf(whole);
}

/// The operations for `value` within the source range of a select; with
/// `isDerived` only those through which a derivative goes: integers have none.
static void collectParts(Value value, Operation *choice, bool isDerived,
                         llvm::SetVector<Operation *> &parts) {
  Operation *op = value.getDefiningOp();
  bool isSkipped =
      isDerived && getElementTypeOrSelf(value.getType()).isIntOrIndex();
  if (!op || isSkipped || !isPartOf(op->getLoc(), choice->getLoc()) ||
      !parts.insert(op))
    return;
  for (Value operand : op->getOperands())
    collectParts(operand, choice, isDerived, parts);
}

/// The operations for `value` in any case: also the values from outside that a
/// branch or loop with this result uses. They may have been inlined from
/// elsewhere.
static void collectAll(Value value, llvm::SetVector<Operation *> &all) {
  SmallVector<Value> open{value};
  while (!open.empty())
    if (Operation *op = open.pop_back_val().getDefiningOp();
        op && all.insert(op))
      op->walk([&](Operation *part) {
        for (Value operand : part->getOperands())
          if (!op->isAncestor(operand.getParentBlock()->getParentOp()))
            open.push_back(operand);
      });
}

/// Does it load a variable of the kernel, which is always there?
static bool loadsCell(Operation *op) {
  auto load = dyn_cast<ir::LoadOp>(op);
  return load && !load.getDynamic() &&
         llvm::all_of(load.getIndices(), [](Value index) {
           return matchPattern(index, m_Constant());
         });
}

/// Does it load the adjoint of an element? That is what the adjoint of `+=`
/// does. The first adjoint adds to the element whatever side is taken, so it is
/// there.
static bool loadsAdjoint(Operation *op) {
  auto load = dyn_cast<ir::LoadOp>(op);
  auto task = op->getParentOfType<ir::TaskOp>();
  std::optional<int64_t> numPrimal = task ? task.getNumPrimal() : std::nullopt;
  BlockArgument field =
      load && numPrimal ? ir::capturedField(load.getField()) : BlockArgument();
  return field && int64_t(field.getArgNumber()) >= *numPrimal;
}

/// Does it do more than compute?
static bool doesMore(Operation *op) {
  return isa<ir::FieldAccessOpInterface, CallOpInterface>(op) &&
         !loadsCell(op) && !loadsAdjoint(op);
}

/// Is a partial derivative of `op` bounded by no constant?
static bool isUnbounded(Operation *op) {
  if (isa<ir::RootOp, ir::FFloorModOp, ir::HypotOp, arith::DivFOp,
          arith::RemFOp>(op))
    return true;
  if (isa<arith::MulFOp>(op))
    return !matchPattern(op->getOperand(0), m_Constant()) &&
           !matchPattern(op->getOperand(1), m_Constant());
  return isa_and_nonnull<math::MathDialect>(op->getDialect()) &&
         !isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
              math::FloorOp, math::RoundOp, math::RoundEvenOp, math::TruncOp>(
             op);
}

/// A select computes both sides; operations that only serve a side that may not
/// be taken have bounded partial derivatives.
static StringRef choosesAmongBounded(Operation *op) {
  auto choice = dyn_cast<arith::SelectOp>(op);
  bool isInTask =
      op->getParentOfType<ir::TaskOp>() || op->getParentOfType<ir::KernelOp>();
  if (!choice || !isInTask || !isChoice(op->getLoc()))
    return "";
  llvm::SetVector<Operation *> asked, sides, derived;
  collectAll(choice.getCondition(), asked);
  for (Value side : {choice.getTrueValue(), choice.getFalseValue()}) {
    collectParts(side, op, /*isDerived=*/false, sides);
    collectParts(side, op, /*isDerived=*/true, derived);
  }
  auto isAny = [&](const auto &parts, bool (*isWrong)(Operation *)) {
    return llvm::any_of(parts, [&](Operation *part) {
      return !asked.contains(part) && isWrong(part);
    });
  };
  bool isFault = isAny(sides, doesMore) || isAny(derived, isUnbounded);
  return isFault ? "computes a side that may not be taken" : "";
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

static StringRef keepsAll(Operation *) { return ""; }

static StringRef hasEffects(Operation *op) {
  auto task = dyn_cast<ir::TaskOp>(op);
  return task && !task.getEffects() ? "has no effects" : "";
}

static StringRef hasFacts(Operation *op) {
  auto launch = dyn_cast<ir::LaunchOp>(op);
  auto task = launch ? SymbolTable::lookupNearestSymbolFrom<ir::TaskOp>(
                           launch, launch.getTaskAttr())
                     : nullptr;
  return task && !task.getFacts() ? "launches a task without facts" : "";
}

static StringRef isScheduled(Operation *op) {
  auto task = dyn_cast<ir::TaskOp>(op);
  return task && !task.getSchedule() ? "has no schedule" : "";
}

template <typename... Ops> static StringRef isOnlyChi(Operation *op) {
  bool isLeft = isa_and_nonnull<ir::ChiDialect>(op->getDialect());
  return isLeft && !isa<Ops...>(op)
             ? "is an unexpected operation of the chi dialect"
             : "";
}

/// Is it a run-time call of a task's loops: memory for packed loads, copies of
/// buffers past the caches, choices, and addresses for these?
static bool isOfNest(Operation *op) {
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return call.getCallee()->starts_with("chirt_scratch_") ||
           call.getCallee()->starts_with("chirt_stream") ||
           call.getCallee() == "chirt_choose";
  return isa<LLVM::GEPOp, LLVM::AddressOfOp>(op) &&
         llvm::all_of(op->getUsers(), isOfNest);
}

/// An iteration is the same for all targets.
static StringRef isPortable(Operation *op) {
  auto function = op->getParentOfType<func::FuncOp>();
  bool isOfTask = function && function->hasAttr(ir::kBodyAttr);
  return isOfTask && isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()) &&
                 !isOfNest(op)
             ? "is specific to one target, but in a task"
             : "";
}

static StringRef isLLVM(Operation *op) {
  return isa<ModuleOp>(op) || isa<LLVM::LLVMDialect>(op->getDialect())
             ? ""
             : "is not an operation of the LLVM dialect";
}

//===----------------------------------------------------------------------===//
// The promises, in the order of the pipeline
//===----------------------------------------------------------------------===//

namespace {
struct Postcondition {
  StringRef pass;
  StringRef (*fault)(Operation *); ///< "": it keeps the promise
  StringRef until = "";            ///< the pass that gives the promise up
};
} // namespace

static const Postcondition kPostconditions[] = {
    {"chi-structure", choosesAmongBounded, "chi-speculate-loads"},
    {"chi-structure", isNone<ir::IfOp, ir::ForOp, ir::WhileOp, ir::ConditionOp,
                             ir::BreakOp, ir::ContinueOp>},
    {"chi-inline", callsNothing},
    {"chi-number-random", isNumbered},
    {"chi-promote", isNoScalarSlot},
    {"chi-outline-tasks", isOutlined},
    {"chi-launch-facts", hasFacts},
    {"chi-insert-checks", isInside},
    {"chi-differentiate", hasFittingAdjoint},
    {"chi-inline-adjoints", hasNoKeptCall},
    {"chi-drop-stop-gradients", isNone<ir::StopGradientOp>},
    {"chi-choose-strategies", isDecided},
    {"chi-estimate-cost", hasCost},
    {"chi-task-effects", hasEffects},
    {"chi-speculate-loads", keepsAll},
    {"chi-schedule", isScheduled},
    {"convert-chi-to-loops", isPortable, "chi-lower-checks"},
    {"convert-chi-to-loops", isNone<ir::TaskOp, ir::LaunchOp>},
    {"convert-host-to-runtime",
     isOnlyChi<ir::CheckOp, ir::GetOp, ir::NoteKinkOp, ir::OverflowOp,
               ir::PrintOp, ir::RecordAccessOp, ir::ReserveOp, ir::ScratchOp,
               ir::SetOp, ir::ToIntOp>},
    {"chi-lower-checks", isOnlyChi<ir::GetOp, ir::OverflowOp, ir::ReserveOp,
                                   ir::ScratchOp, ir::SetOp, ir::ToIntOp>},
    {"convert-loops-to-cpu", isLLVM},
};

/// The last entry of a pass; the end of the list if it has none.
static const Postcondition *find(StringRef pass) {
  for (const Postcondition &each : llvm::reverse(kPostconditions))
    if (each.pass == pass)
      return &each;
  return std::end(kPostconditions);
}

bool pipeline::hasPostcondition(StringRef pass) {
  return find(pass) != std::end(kPostconditions);
}

StringRef pipeline::lastPassOf(Stage stage) {
  switch (stage) {
  case Stage::Simplified:
  case Stage::Grad:
    return "chi-insert-checks";
  case Stage::Optimised:
    return "chi-task-effects";
  case Stage::Lanes:
    return "chi-schedule";
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
    if (!each.until.empty() && find(each.until) <= last)
      continue;
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

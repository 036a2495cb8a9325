//===- InstrumentNan.cpp - --check=nan ------------------------------------===//
// IRGen marks an operation of the source by a check of its result; this pass
// gives each such check its condition, and checks accumulations, which have no
// result. Operations that a derivative adds to a task are checked one by one.
#include "chi/Analysis/Ranges.h"
#include "chi/Dialect/Chi/Accumulations.h"
#include "chi/Transforms/Checks/Passes.h"
#include "chi/Transforms/Outline/TaskBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/SetVector.h"

#include <limits>

namespace chi::checks {
#define GEN_PASS_DEF_INSTRUMENTNANPASS
#include "chi/Transforms/Checks/Passes.h.inc"
} // namespace chi::checks

using namespace mlir;
using namespace chi;
using namespace chi::analysis;
using namespace chi::checks;
using namespace chi::outline;

//===----------------------------------------------------------------------===//
// The rule
//===----------------------------------------------------------------------===//

static Value isFinite(OpBuilder &b, Location loc, Value x) {
  Value size = math::AbsFOp::create(b, loc, x);
  Value infinity = arith::ConstantOp::create(
      b, loc,
      b.getFloatAttr(x.getType(), std::numeric_limits<double>::infinity()));
  return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, size,
                               infinity);
}

static Value isNaN(OpBuilder &b, Location loc, Value x) {
  return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, x, x);
}

static Value constant(OpBuilder &b, Location loc, bool value) {
  return arith::ConstantOp::create(b, loc, b.getBoolAttr(value));
}

/// A NaN is news if no operand was one, an infinity if all were finite.
static Value isNoNews(OpBuilder &b, Location loc, ValueRange operands,
                      Value result) {
  Value areFinite, haveNaN;
  for (Value operand : operands) {
    if (!isa<FloatType>(operand.getType()))
      continue;
    Value finite = isFinite(b, loc, operand), nan = isNaN(b, loc, operand);
    areFinite =
        areFinite ? arith::AndIOp::create(b, loc, areFinite, finite) : finite;
    haveNaN = haveNaN ? arith::OrIOp::create(b, loc, haveNaN, nan) : nan;
  }
  Value isGood = isFinite(b, loc, result);
  if (!areFinite)
    return isGood;
  Value haveInfinity =
      arith::XOrIOp::create(b, loc, areFinite, constant(b, loc, true));
  Value isOld = arith::SelectOp::create(b, loc, isNaN(b, loc, result), haveNaN,
                                        haveInfinity);
  return arith::OrIOp::create(b, loc, isGood, isOld);
}

/// Checks `result` at the builder's place.
static void check(OpBuilder &b, Location loc, ValueRange operands, Value result,
                  StringRef what) {
  SmallVector<Value> values(operands);
  values.push_back(result);
  ir::CheckOp::create(
      b, loc, ir::CheckKindAttr::get(b.getContext(), ir::CheckKind::nan),
      isNoNews(b, loc, operands, result), values, b.getStringAttr(what),
      b.getI64IntegerAttr(0), /*parts=*/ArrayAttr(), /*site=*/IntegerAttr());
}

/// Gives a check from IRGen its condition, from the values that it reports.
static void giveRule(ir::CheckOp mark) {
  OpBuilder b(mark);
  ValueRange values = mark.getValues();
  Value ok = isNoNews(b, mark.getLoc(), values.drop_back(), values.back());
  mark.getOkMutable().assign(ok);
}

//===----------------------------------------------------------------------===//
// Accumulations
//===----------------------------------------------------------------------===//

namespace {
/// A sum or product of one scalar by all iterations of a task.
struct Shared {
  ir::AccumOp accum;
  ir::TaskOp task;
};
} // namespace

/// An update whose result may overflow: a sum or a product of floats.
static bool canOverflow(ir::AccumOp accum) {
  return ir::isRounded(accum.getKind(), accum.getValue().getType());
}

/// Makes an accumulation check its old value, too.
static void instrumentUpdate(ir::AccumOp accum, bool isShared) {
  OpBuilder b(accum);
  Location loc = accum.getLoc();
  Value old, made;
  auto combined = [&](OpBuilder &b, Value old) {
    return ir::combined(b, loc, accum.getKind(), old, accum.getValue(),
                        arith::FastMathFlags::none);
  };
  if (isShared) {
    std::tie(old, made) = ir::updateShared(b, accum, combined);
  } else {
    std::tie(old, made) = ir::updateOwn(b, accum, combined);
  }
  bool isSum = accum.getKind() == ir::AccumKind::add;
  check(b, loc, {old, accum.getValue()}, made, isSum ? "+" : "*");
  accum.erase();
}

/// Checks a scalar after each launch of the task whose iterations accumulate
/// into it: their order is part of the language, and an atomic operation would
/// change it.
static void instrumentSum(const Shared &shared, ArrayRef<ir::LaunchOp> launches,
                          unsigned number) {
  ir::AccumOp accum = shared.accum;
  ir::TaskOp task = shared.task;
  Location loc = accum.getLoc();
  auto field = cast<BlockArgument>(fieldBelowCasts(accum.getField()));
  auto name = accum.getFieldNameAttr();
  OpBuilder outside(task);
  outside.setInsertionPointAfter(task);
  std::string symbol = (task.getSymName() + ".nan" + llvm::Twine(number)).str();
  TaskBuilder looker(outside, loc, symbol);
  looker.op().setKernelAttr(task.getKernelAttr());
  looker.op().setStrict(task.getStrict());
  OpBuilder b = OpBuilder::atBlockEnd(&looker.body());
  Value looked = looker.body().addArgument(field.getType(), loc);
  Value sum = ir::LoadOp::create(b, loc, accum.getValue().getType(), looked,
                                 ValueRange(), Value(),
                                 accum.getComponentAttr(), b.getUnitAttr());
  check(b, loc, {}, sum, name ? name.getValue() : StringRef());
  ir::NextOp::create(b, loc);
  auto unknown = ir::KnownAttr::get(b.getContext(), INT64_MIN, INT64_MAX,
                                    /*isSum=*/false, 0, {});
  looker.op().setFactsAttr(
      ir::FactsAttr::get(b.getContext(), {}, {}, unknown, {}, {}));
  for (ir::LaunchOp launch : launches) {
    OpBuilder after(launch);
    after.setInsertionPointAfter(launch);
    ir::LaunchOp::create(after, loc, symbol,
                         launch.getInputs()[field.getArgNumber()], ValueRange(),
                         ValueRange());
  }
}

//===----------------------------------------------------------------------===//
// Operations that no source names
//===----------------------------------------------------------------------===//

/// As messages name an operation of floats that may make NaN or infinities of
/// numbers; "" for others.
static StringRef nameOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<arith::AddFOp>([](auto) { return "+"; })
      .Case<arith::SubFOp>([](auto) { return "-"; })
      .Case<arith::MulFOp>([](auto) { return "*"; })
      .Case<arith::DivFOp>([](auto) { return "/"; })
      .Case<math::PowFOp>([](auto) { return "**"; })
      .Case<ir::FFloorModOp>([](auto) { return "%"; })
      .Case<ir::RootOp>([](auto) { return "sqrt"; })
      .Case<arith::TruncFOp>([](auto) { return "float"; })
      .Default([](Operation *op) {
        bool isElementary =
            isa_and_nonnull<math::MathDialect>(op->getDialect()) &&
            !isa<math::AbsFOp, math::CopySignOp, math::FloorOp, math::CeilOp,
                 math::TruncOp, math::RoundOp, math::RoundEvenOp>(op);
        return isElementary ? op->getName().stripDialect() : StringRef();
      });
}

static bool isMarked(Value result) {
  return llvm::any_of(result.getUsers(), [&](Operation *user) {
    auto mark = dyn_cast<ir::CheckOp>(user);
    return mark && mark.getKind() == ir::CheckKind::nan &&
           mark.getValues().back() == result;
  });
}

/// Is a float used by selects only, perhaps through other operations? Rules of
/// derivatives select after the computation.
static bool isChosenLater(Value result) {
  return !result.use_empty() &&
         llvm::all_of(result.getUsers(), [](Operation *op) {
           if (isa<arith::SelectOp>(op))
             return true;
           return op->getNumResults() == 1 && !nameOf(op).empty() &&
                  isChosenLater(op->getResult(0));
         });
}

/// The floats that `value` was computed from, up to those that are checked
/// themselves.
static void addOrigins(Value value, SmallVectorImpl<Value> &origins) {
  Operation *op = value.getDefiningOp();
  bool isLookedAt = !op || nameOf(op).empty() || !isChosenLater(value);
  if (isLookedAt)
    return origins.push_back(value);
  for (Value operand : op->getOperands())
    addOrigins(operand, origins);
}

/// A derivative, where its rule has chosen it.
static void checkChosen(arith::SelectOp chosen) {
  OpBuilder b(chosen);
  b.setInsertionPointAfter(chosen);
  Location loc = chosen.getLoc();
  SmallVector<Value> origins;
  addOrigins(chosen.getTrueValue(), origins);
  addOrigins(chosen.getFalseValue(), origins);
  Value ok = isNoNews(b, loc, origins, chosen);
  ir::CheckOp::create(
      b, loc, ir::CheckKindAttr::get(b.getContext(), ir::CheckKind::nan), ok,
      chosen.getResult(), b.getStringAttr("the derivative of this"),
      b.getI64IntegerAttr(0), /*parts=*/ArrayAttr(), /*site=*/IntegerAttr());
}

/// An adjoint task has operations that no source names.
static void instrumentAdjoint(ir::TaskOp task) {
  SmallVector<Operation *> found;
  task.walk([&](Operation *op) {
    if (op->getNumResults() != 1 || !isa<FloatType>(op->getResult(0).getType()))
      return;
    auto chosen = dyn_cast<arith::SelectOp>(op);
    bool isEnd = chosen && !isChosenLater(chosen.getResult());
    if (isEnd || (!nameOf(op).empty() && !isMarked(op->getResult(0)) &&
                  !isChosenLater(op->getResult(0))))
      found.push_back(op);
  });
  for (Operation *op : found) {
    if (auto chosen = dyn_cast<arith::SelectOp>(op)) {
      checkChosen(chosen);
      continue;
    }
    OpBuilder b(op);
    b.setInsertionPointAfter(op);
    check(b, op->getLoc(), op->getOperands(), op->getResult(0), nameOf(op));
  }
}

static void instrumentOperations(ir::TaskOp task) {
  SmallVector<Operation *> found;
  task.walk([&](Operation *op) {
    if (op->getNumResults() == 1 &&
        isa<FloatType>(op->getResult(0).getType()) && !nameOf(op).empty() &&
        !isMarked(op->getResult(0)))
      found.push_back(op);
  });
  for (Operation *op : found) {
    OpBuilder b(op);
    b.setInsertionPointAfter(op);
    check(b, op->getLoc(), op->getOperands(), op->getResult(0), nameOf(op));
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct InstrumentNanPass
    : checks::impl::InstrumentNanPassBase<InstrumentNanPass> {
  using InstrumentNanPassBase::InstrumentNanPassBase;

  void runOnOperation() override {
    SmallVector<ir::CheckOp> marks;
    getOperation().walk([&](ir::CheckOp mark) {
      if (mark.getKind() == ir::CheckKind::nan && !mark.getValues().empty())
        marks.push_back(mark);
    });
    SmallVector<ir::TaskOp> tasks(getOperation().getOps<ir::TaskOp>());
    for (ir::TaskOp task : tasks) {
      if (allOperations)
        instrumentOperations(task);
      else if (task.getNumPrimal())
        instrumentAdjoint(task);
    }
    for (ir::CheckOp mark : marks)
      giveRule(mark);
    for (ir::TaskOp task : tasks)
      instrumentUpdates(task);
    for (auto function : getOperation().getOps<func::FuncOp>())
      function.walk([](ir::AccumOp accum) {
        if (canOverflow(accum))
          instrumentUpdate(accum, /*isShared=*/false);
      });
  }

  void instrumentUpdates(ir::TaskOp task) {
    SmallVector<ir::AccumOp> updates;
    task.walk([&](ir::AccumOp accum) {
      if (canOverflow(accum))
        updates.push_back(accum);
    });
    // One look for all that goes to one scalar.
    llvm::SetVector<std::pair<Value, int64_t>> scalars;
    for (ir::AccumOp accum : updates) {
      bool isScalar = accum.getIndices().empty() && !accum.getDynamic();
      if (task.getRank() == 0 || !isScalar) {
        instrumentUpdate(accum, task.getRank() != 0);
        continue;
      }
      Value field = fieldBelowCasts(accum.getField());
      if (scalars.insert({field, int64_t(accum.getComponent())}))
        instrumentSum({accum, task}, launchesOf(task), scalars.size() - 1);
    }
  }

  SmallVector<ir::LaunchOp> launchesOf(ir::TaskOp task) {
    SmallVector<ir::LaunchOp> launches;
    getOperation().walk([&](ir::LaunchOp launch) {
      if (launch.getTask() == task.getSymName())
        launches.push_back(launch);
    });
    return launches;
  }
};
} // namespace

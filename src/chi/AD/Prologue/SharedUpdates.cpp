//===- SharedUpdates.cpp - `*=`, `min` and `max` by many ------------------===//
#include "chi/AD/Prologue/SharedUpdates.h"

#include "chi/AD/Plan/Plan.h"
#include "chi/AD/Rules/Rules.h"
#include "chi/Analysis/Ranges.h"
#include "chi/Dialect/Chi/AdjointTasks.h"
#include "chi/Dialect/Chi/RuntimeFunctions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace chi;
using namespace chi::ad::prologue;
using namespace chi::ad::rules;
using namespace chi::ad::activity;
using namespace chi::ad::plan;

/// At most so many contributions of one iteration to a field are distinguished.
static constexpr int64_t kMaxInIteration = int64_t(1) << 20;

//===----------------------------------------------------------------------===//
// Finding the updates
//===----------------------------------------------------------------------===//

static unsigned fieldNumber(ir::FieldAccessOpInterface access) {
  return cast<BlockArgument>(analysis::fieldBelowCasts(access.getField()))
      .getArgNumber();
}

static SmallVector<SharedUpdate> findShared(ir::TaskOp task,
                                            const BitVector &passive) {
  SmallVector<SharedUpdate> all;
  task.walk([&](ir::AccumOp accum) {
    unsigned field = fieldNumber(accum);
    if (!isSharedUpdate(accum) || passive.test(field))
      return;
    auto *known = llvm::find_if(all, [&](const SharedUpdate &update) {
      return update.field == field && update.kind == accum.getKind();
    });
    if (known == all.end()) {
      all.push_back({field, accum.getKind(), {}});
      known = &all.back();
    }
    known->updates.push_back(accum);
  });
  return all;
}

SharedUpdates::SharedUpdates(ir::TaskOp task, Workspace &workspace,
                             const BitVector &passive)
    : task(task), workspace(workspace), all(findShared(task, passive)) {}

const SharedUpdate &SharedUpdates::of(ir::AccumOp accum) const {
  unsigned field = fieldNumber(accum);
  return *llvm::find_if(all, [&](const SharedUpdate &update) {
    return update.field == field && update.kind == accum.getKind();
  });
}

/// May `other` touch in this iteration what `accum` updates, so that the order
/// of the two is of weight?
static bool interferes(ir::FieldAccessOpInterface other, ir::AccumOp accum) {
  auto same = dyn_cast<ir::AccumOp>(other.getOperation());
  if (same && same.getKind() == accum.getKind())
    return false;
  return analysis::fieldBelowCasts(other.getField()) ==
             analysis::fieldBelowCasts(accum.getField()) &&
         (other.isWrite() || mayComeBefore(accum, other)) &&
         !areDisjoint(other, cast<ir::FieldAccessOpInterface>(*accum));
}

ir::AccumOp SharedUpdates::findObstacle() const {
  ir::AccumOp found;
  ir::TaskOp(task).walk([&](ir::FieldAccessOpInterface other) {
    for (const SharedUpdate &update : all)
      for (ir::AccumOp accum : update.updates)
        if (interferes(other, accum)) {
          found = accum;
          return WalkResult::interrupt();
        }
    return WalkResult::advance();
  });
  return found;
}

//===----------------------------------------------------------------------===//
// Fields for the prologue
//===----------------------------------------------------------------------===//

static ir::FieldType typeOf(ir::TaskOp task, unsigned field) {
  return cast<ir::FieldType>(task.getCaptured()[field].getType());
}

/// A field like the one that is updated, with `value` everywhere.
unsigned SharedUpdates::addFilled(const SharedUpdate &update, Attribute value) {
  APInt bits = isa<FloatAttr>(value)
                   ? cast<FloatAttr>(value).getValue().bitcastToAPInt()
                   : cast<IntegerAttr>(value).getValue();
  Type scalar = cast<TypedAttr>(value).getType();
  return workspace.add(withScalar(typeOf(task, update.field), scalar),
                       {CHIRT_WORKSPACE_FILL, update.field, ir::dtypeOf(scalar),
                        int64_t(bits.getZExtValue())});
}

void SharedUpdates::addArguments() {
  Builder b(task.getContext());
  for (SharedUpdate &update : all) {
    Type scalar = typeOf(task, update.field).getScalar();
    if (update.isProduct()) {
      Type wide = adjointType(scalar);
      update.total = addFilled(update, b.getFloatAttr(wide, 1));
      update.which = addFilled(update, b.getI64IntegerAttr(0));
      update.adjoint = workspace.add(
          withScalar(typeOf(task, update.field), wide),
          {CHIRT_WORKSPACE_ADJOINT, update.field, ir::dtypeOf(wide), 0});
      continue;
    }
    // Less than all, or more.
    auto end = APFloat::getInf(cast<FloatType>(scalar).getFloatSemantics(),
                               /*Negative=*/update.kind == ir::AccumKind::max);
    update.total = addFilled(update, b.getFloatAttr(scalar, end));
    update.which = addFilled(update, b.getI64IntegerAttr(INT64_MAX));
  }
}

//===----------------------------------------------------------------------===//
// Contributions
//===----------------------------------------------------------------------===//

namespace {
/// Numbers the contributions to one field: by iteration, and in one of them as
/// they come.
class Numbering {
public:
  Numbering(ir::TaskOp task, ArrayRef<ir::AccumOp> updates)
      : b(OpBuilder::atBlockBegin(&task.getBody().front())) {
    Location loc = task.getLoc();
    Type i64 = b.getI64Type();
    if (task.getRank() == 0)
      first = constant(loc, 0);
    else
      first =
          arith::MulIOp::create(b, loc, ir::IterationOp::create(b, loc, i64),
                                constant(loc, kMaxInIteration));
    if (llvm::any_of(updates, [](ir::AccumOp accum) {
          return loopAround(accum.getOperation());
        }))
      counter = ir::LocalOp::create(
          b, loc, ir::LocalType::get(b.getContext(), {1}, i64), "");
  }

  /// The number of the next contribution, which is `accum`.
  Value numberOf(ir::AccumOp accum) {
    b.setInsertionPoint(accum);
    Location loc = accum.getLoc();
    if (!counter)
      return arith::AddIOp::create(b, loc, first, constant(loc, count++));
    Value zero = constant(loc, 0);
    Value now = ir::GetOp::create(b, loc, b.getI64Type(), counter, zero);
    ir::SetOp::create(b, loc,
                      arith::AddIOp::create(b, loc, now, constant(loc, 1)),
                      counter, zero);
    now =
        arith::MinSIOp::create(b, loc, now, constant(loc, kMaxInIteration - 1));
    return arith::AddIOp::create(b, loc, first, now);
  }

private:
  Value constant(Location loc, int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  }

  OpBuilder b;
  Value first, counter;
  int64_t count = 0;
};

/// Where an update is in a task, and what it does.
struct UpdatedElement {
  explicit UpdatedElement(ir::AccumOp accum)
      : b(accum), loc(accum.getLoc()), element(accum), value(accum.getValue()) {
  }

  Value compare(arith::CmpFPredicate how, Value x, Value y) {
    return arith::CmpFOp::create(b, loc, how, x, y);
  }
  Value both(Value x, Value y) { return arith::AndIOp::create(b, loc, x, y); }
  /// Goes on where `condition` holds.
  scf::IfOp enter(Value condition, bool withElse = false) {
    auto branch = scf::IfOp::create(b, loc, condition, withElse);
    b.setInsertionPoint(branch.thenYield());
    return branch;
  }

  OpBuilder b;
  Location loc;
  Element element;
  Value value;
};
} // namespace

static SmallVector<ir::AccumOp> updatesIn(ir::TaskOp task,
                                          const SharedUpdate &update) {
  SmallVector<ir::AccumOp> found;
  task.walk([&](ir::AccumOp accum) {
    if (isSharedUpdate(accum) && accum.getKind() == update.kind &&
        fieldNumber(accum) == update.field)
      found.push_back(accum);
  });
  return found;
}

/// Operations that a task of the prologue does not need.
static SmallVector<Operation *> effectsOf(ir::TaskOp helper) {
  Activity activity(helper, {});
  Plan plan(helper, activity);
  SmallVector<Operation *> dropped;
  helper.walk([&](Operation *op) {
    if (plan.isDropped(op))
      dropped.push_back(op);
  });
  return dropped;
}

//===----------------------------------------------------------------------===//
// The tasks of the prologue
//===----------------------------------------------------------------------===//

ir::TaskOp SharedUpdates::makePrologueTask(StringRef name) {
  OpBuilder b(task);
  auto helper = cast<ir::TaskOp>(b.clone(*task));
  helper.setSymName(name);
  helper.removeEffectsAttr();
  ir::changeAdjoint(helper, [&](ir::Adjoint &adjoint) {
    adjoint.numPrimal = getNumPrimal();
    if (!prologue.empty())
      adjoint.prologue = ir::referenceTo(prologue.back());
  });
  prologue.push_back(helper);
  return helper;
}

/// Zeros are counted, the other factors multiplied.
static void addFactor(UpdatedElement at, Value total, Value zeros) {
  Type wide = cast<ir::FieldType>(total.getType()).getScalar();
  Value zero = arith::ConstantOp::create(at.b, at.loc,
                                         at.b.getZeroAttr(at.value.getType()));
  Value isFactor = at.compare(arith::CmpFPredicate::UNE, at.value, zero);
  scf::IfOp branch = at.enter(isFactor, /*withElse=*/true);
  Value factor = at.value;
  if (factor.getType() != wide)
    factor = arith::ExtFOp::create(at.b, at.loc, wide, factor);
  at.element.accumulate(at.b, ir::AccumKind::mul, factor, total);
  at.b.setInsertionPoint(branch.elseYield());
  Value one =
      arith::ConstantOp::create(at.b, at.loc, at.b.getI64IntegerAttr(1));
  at.element.accumulate(at.b, ir::AccumKind::add, one, zeros);
}

void SharedUpdates::findTotals(ir::TaskOp helper) const {
  SmallVector<Operation *> dropped = effectsOf(helper);
  auto captured = helper.getCaptured();
  for (const SharedUpdate &update : all)
    for (ir::AccumOp accum : updatesIn(helper, update)) {
      UpdatedElement at(accum);
      if (update.isProduct())
        addFactor(at, captured[update.total], captured[update.which]);
      else
        at.element.accumulate(at.b, update.kind, at.value,
                              captured[update.total]);
    }
  for (Operation *op : dropped)
    op->erase();
}

/// An element keeps its old value at a tie.
void SharedUpdates::findWinners(ir::TaskOp helper) const {
  SmallVector<Operation *> dropped = effectsOf(helper);
  auto captured = helper.getCaptured();
  for (const SharedUpdate &update : all) {
    if (update.isProduct())
      continue;
    SmallVector<ir::AccumOp> updates = updatesIn(helper, update);
    Numbering numbering(helper, updates);
    // If the old value is NaN, no contribution matters.
    auto beats = update.kind == ir::AccumKind::max ? arith::CmpFPredicate::UGT
                                                   : arith::CmpFPredicate::ULT;
    for (ir::AccumOp accum : updates) {
      Value number = numbering.numberOf(accum);
      UpdatedElement at(accum);
      Value total = at.element.load(at.b, captured[update.total]);
      Value old = at.element.load(at.b, captured[update.field]);
      at.enter(at.both(at.compare(arith::CmpFPredicate::OEQ, at.value, total),
                       at.compare(beats, total, old)));
      at.element.accumulate(at.b, ir::AccumKind::min, number,
                            captured[update.which]);
    }
  }
  for (Operation *op : dropped)
    op->erase();
}

//===----------------------------------------------------------------------===//
// The primal
//===----------------------------------------------------------------------===//

/// A contribution that becomes the element is stored.
void SharedUpdates::storeWinners() {
  auto captured = task.getCaptured();
  for (const SharedUpdate &update : all) {
    if (update.isProduct())
      continue;
    Numbering numbering(task, update.updates);
    for (ir::AccumOp accum : update.updates) {
      Value number = numbering.numberOf(accum);
      UpdatedElement at(accum);
      Value total = at.element.load(at.b, captured[update.total]);
      Value which = at.element.load(at.b, captured[update.which]);
      Value isFirst = arith::CmpIOp::create(
          at.b, at.loc, arith::CmpIPredicate::eq, which, number);
      at.enter(at.both(at.compare(arith::CmpFPredicate::OEQ, at.value, total),
                       isFirst));
      at.element.store(at.b, at.value, accum.getField());
      accum.erase();
    }
  }
}

void SharedUpdates::prepare(StringRef adjointName) {
  addArguments();
  task.setStrict(true);
  findTotals(makePrologueTask((adjointName + ".totals").str()));
  if (llvm::any_of(all, [](const SharedUpdate &u) { return !u.isProduct(); }))
    findWinners(makePrologueTask((adjointName + ".winners").str()));
  storeWinners();
}

void SharedUpdates::link(ir::TaskOp adjoint) const {
  ir::changeAdjoint(adjoint, [&](ir::Adjoint &attribute) {
    attribute.numPrimal = getNumPrimal();
    if (!workspace.getWords().empty())
      attribute.workspace =
          DenseI64ArrayAttr::get(adjoint.getContext(), workspace.getWords());
    if (!prologue.empty())
      attribute.prologue = ir::referenceTo(prologue.back());
  });
}

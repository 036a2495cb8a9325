//===- AtomicResults.cpp - Results that depend on the order ---------------===//
#include "chi/AD/Prologue/AtomicResults.h"
#include "chi/AD/Rules/Floats.h"

#include "chi/AD/Plan/Plan.h"
#include "chi/AD/Prologue/Element.h"
#include "chi/AD/Prologue/ResultOffsets.h"
#include "chi/Analysis/Ranges.h"
#include "chi/Dialect/Chi/Accumulations.h"
#include "chi/Dialect/Chi/AdjointTasks.h"
#include "chi/Dialect/Chi/RuntimeFunctions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace chi;
using namespace chi::ad::prologue;
using namespace chi::ad::rules;
using namespace chi::ad::activity;
using namespace chi::ad::plan;

/// So many places that may stay empty are better than a pass that counts.
static constexpr int64_t kFewOffsets = 16;
/// More of one iteration are counted in any case.
static constexpr int64_t kMostOffsets = int64_t(1) << 40;

static SmallVector<ir::AtomicOp> atomicsOf(ir::TaskOp task) {
  SmallVector<ir::AtomicOp> found;
  task.walk([&](ir::AtomicOp atomic) { found.push_back(atomic); });
  return found;
}

/// Does anything depend on the result?
static bool isUsed(ir::AtomicOp atomic) {
  return atomic.getKind() == ir::AtomicKind::cas || !atomic.use_empty();
}

AtomicResults::AtomicResults(ir::TaskOp primal, ir::TaskOp copy,
                             Workspace &workspace)
    : primal(primal), copy(copy), workspace(workspace),
      atomics(atomicsOf(copy)) {}

//===----------------------------------------------------------------------===//
// How many there are
//===----------------------------------------------------------------------===//

static bool isAtomic(Operation *op) { return isa<ir::AtomicOp>(op); }

/// Is it in the region where a loop decides whether it continues?
static bool isInCondition(Operation *op) {
  for (; !isa<ir::TaskOp>(op); op = op->getParentOp())
    if (auto loop = dyn_cast<scf::WhileOp>(op->getParentOp());
        loop && op->getBlock() == loop.getBeforeBody())
      return true;
  return false;
}

/// The most that one iteration can have, by constants.
static std::optional<int64_t> boundOf(Operation *atomic) {
  if (isInCondition(atomic))
    return std::nullopt;
  int64_t bound = 1;
  for (Operation *loop = loopAround(atomic); loop; loop = loopAround(loop)) {
    std::optional<TripCount> tripCount = TripCount::of(loop);
    if (!tripCount || tripCount->most > kMostOffsets / bound)
      return std::nullopt;
    bound *= tripCount->most;
  }
  return bound;
}

/// May places that the bound has stay empty?
static bool mayBeLess(Operation *op) {
  return op->getParentOfType<scf::IfOp>() ||
         op->getParentOfType<scf::WhileOp>();
}

LogicalResult AtomicResults::findOffsets(unsigned number) {
  ir::AtomicOp atomic = atomics[number];
  if (!isUsed(atomic))
    return success();
  KeptResult result{number};
  std::optional<int64_t> bound = boundOf(atomic);
  if (bound && (*bound <= kFewOffsets || !mayBeLess(atomic))) {
    result.perIteration = *bound;
  } else {
    Slice slice(copy);
    slice.addControlOf(atomic);
    if (slice.dependsOn(isAtomic) || isInCondition(atomic)) {
      if (!bound)
        return emitError(atomic.getLoc(), "[E1016] ")
               << "the number of executions of this atomic operation depends "
                  "on the result of an atomic operation: a tape cannot "
                  "allocate memory for its results";
      result.perIteration = *bound;
    }
  }
  kept.push_back(result);
  return success();
}

//===----------------------------------------------------------------------===//
// Where they are
//===----------------------------------------------------------------------===//

void AtomicResults::addFields(BitVector &passive) {
  MLIRContext *context = copy.getContext();
  Type i64 = IntegerType::get(context, 64);
  auto fieldOf = [&](Type scalar) {
    return ir::FieldType::get(context, {ShapedType::kDynamic}, scalar);
  };
  for (KeptResult &result : kept)
    if (result.isCounted()) {
      result.starts = workspace.add(
          fieldOf(i64), {CHIRT_WORKSPACE_STARTS, -1, ir::dtypeOf(i64), 0});
      ++numCounted;
    }
  for (KeptResult &result : kept) {
    Type scalar = atomics[result.number].getResult().getType();
    int64_t starts = result.isCounted()
                         ? result.starts - int64_t(workspace.getNumPrimal())
                         : -1;
    result.results = workspace.add(fieldOf(scalar),
                                   {CHIRT_WORKSPACE_RESULTS, starts,
                                    ir::dtypeOf(scalar), result.perIteration});
    auto field = cast<BlockArgument>(
        analysis::fieldBelowCasts(atomics[result.number].getField()));
    passive.resize(copy.getNumCaptured());
    passive[result.results] = passive[field.getArgNumber()];
  }
}

//===----------------------------------------------------------------------===//
// The tasks
//===----------------------------------------------------------------------===//

void AtomicResults::makeRecorder() {
  OpBuilder b(primal.getContext());
  b.setInsertionPointAfter(primal);
  auto recorder = cast<ir::TaskOp>(b.clone(*primal));
  recorder.setSymName((primal.getSymName() + ".records").str());
  for (Value field : copy.getCaptured().drop_front(workspace.getNumPrimal()))
    addCaptured(recorder, cast<ir::FieldType>(field.getType()));
  SmallVector<ir::AtomicOp> own = atomicsOf(recorder);
  ResultOffsets offsets(recorder, /*isRecorder=*/true);
  for (const KeptResult &result : kept) {
    ir::AtomicOp atomic = own[result.number];
    Value offset = offsets.of(atomic, result);
    b.setInsertionPointAfter(atomic);
    ir::StoreOp::create(b, atomic.getLoc(), atomic.getResult(),
                        recorder.getCaptured()[result.results], offset, Value(),
                        0, /*inbounds=*/true);
  }
  ir::changeAdjoint(recorder, [&](ir::Adjoint &adjoint) {
    adjoint.workspace = b.getDenseI64ArrayAttr(workspace.getWords());
  });
  recorder.setStrict(copy.getStrict());
  recorder.removeEffectsAttr();
  ir::changeAdjoint(primal, [&](ir::Adjoint &adjoint) {
    adjoint.recorder = ir::referenceTo(recorder);
  });
  tasks.push_back(recorder);
}

/// Adds checks that may guard the values that the counter uses: the other
/// checks depend on results.
void AtomicResults::addChecks(Slice &slice, ir::TaskOp counter) const {
  counter.walk([&](ir::CheckOp check) {
    Slice own(counter);
    own.add(check);
    bool depends = own.dependsOn([&](Operation *op) {
      auto load = dyn_cast<ir::LoadOp>(op);
      auto field =
          load ? dyn_cast<BlockArgument>(load.getField()) : BlockArgument();
      return field && field.getArgNumber() >= workspace.getNumPrimal();
    });
    if (!depends)
      slice.add(check);
  });
}

/// `counters`: locals of the copy, of each operation whose results are counted.
void AtomicResults::makeCounter(ArrayRef<Value> counters) {
  OpBuilder b(copy);
  IRMapping map;
  auto counter = cast<ir::TaskOp>(b.clone(*copy, map));
  counter.setSymName((primal.getSymName() + ".counts").str());
  counter.removeEffectsAttr();
  Slice slice(counter);
  b.setInsertionPoint(counter.getBody().front().getTerminator());
  Location loc = counter.getLoc();
  Value zero = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
  Value iteration = zero;
  if (counter.getRank() != 0)
    iteration = ir::IterationOp::create(b, loc, b.getI64Type());
  unsigned next = workspace.getNumPrimal();
  for (Value local : counters) {
    Value count =
        ir::GetOp::create(b, loc, b.getI64Type(), map.lookup(local), zero);
    slice.add(ir::StoreOp::create(b, loc, count, counter.getCaptured()[next++],
                                  iteration, Value(), 0, /*inbounds=*/true));
  }
  addChecks(slice, counter);
  slice.eraseOthers();
  // It runs before there is anywhere to put results.
  counter.getBody().front().eraseArguments(next,
                                           counter.getNumCaptured() - next);
  if (ir::FactsAttr facts = counter.getFactsAttr()) {
    SmallVector<int64_t> noalias(facts.getNoalias());
    llvm::erase_if(noalias, [&](int64_t k) { return k >= next; });
    counter.setFactsAttr(ir::FactsAttr::get(
        counter.getContext(), facts.getFrom(), facts.getTo(),
        facts.getInputs().take_front(next), noalias, facts.getCells()));
  }
  ir::changeAdjoint(tasks.front(), [&](ir::Adjoint &adjoint) {
    adjoint.prologue = ir::referenceTo(counter);
  });
  tasks.push_back(counter);
}

/// Repeats the effect on the field, from which the iteration may load again.
void AtomicResults::replace(ir::AtomicOp atomic, Value result) {
  OpBuilder b(atomic);
  Location loc = atomic.getLoc();
  Element element(atomic);
  Value field = atomic.getField(), value = atomic.getValue();
  bool isStored = atomic.getKind() == ir::AtomicKind::exchange ||
                  atomic.getKind() == ir::AtomicKind::cas;
  ir::StoreOp store;
  if (auto kind = ir::accumKindOf(atomic.getKind())) {
    if (atomic.getKind() == ir::AtomicKind::sub)
      value = ir::negated(b, loc, value);
    element.accumulate(b, *kind, value, field);
  } else if (isStored) {
    if (Value expected = atomic.getExpected()) {
      Value isSame = ir::areSame(b, loc, result, expected);
      b.setInsertionPoint(scf::IfOp::create(b, loc, isSame, false).thenYield());
    }
    store = element.store(b, value, field);
  }
  if (isFloat(value.getType()))
    ofFloats.push_back({loc, result, store});
  if (result)
    atomic.getResult().replaceAllUsesWith(result);
  atomic.erase();
}

/// Results in the locals that count.
SmallVector<Value> AtomicResults::replace() {
  SmallVector<Value> counters, results(atomics.size());
  ResultOffsets offsets(copy, /*isRecorder=*/false);
  for (const KeptResult &result : kept) {
    ir::AtomicOp atomic = atomics[result.number];
    Value offset = offsets.of(atomic, result);
    OpBuilder b(atomic);
    results[result.number] = ir::LoadOp::create(
        b, atomic.getLoc(), atomic.getResult().getType(),
        copy.getCaptured()[result.results], offset, Value(), 0,
        /*inbounds=*/true);
    if (Value counter = offsets.getCounter())
      counters.push_back(counter);
  }
  for (auto [atomic, result] : llvm::zip(atomics, results))
    replace(atomic, result);
  return counters;
}

LogicalResult AtomicResults::prepare(BitVector &passive) {
  for (unsigned number = 0; number < atomics.size(); ++number)
    if (failed(findOffsets(number)))
      return failure();
  addFields(passive);
  // The tasks that write results and those that read them must take the same
  // branches.
  bool hasDecisions = copy.walk([](Operation *op) {
                            return decides(op) ? WalkResult::interrupt()
                                               : WalkResult::advance();
                          })
                          .wasInterrupted();
  if (!kept.empty() && hasDecisions)
    copy.setStrict(true);
  if (!kept.empty())
    makeRecorder();
  SmallVector<Value> counters = replace();
  if (numCounted != 0)
    makeCounter(counters);
  return success();
}

LogicalResult AtomicResults::checkActivity(const Activity &activity) const {
  auto isActive = [&](Value value) {
    return value && activity.isActive(value);
  };
  for (OfFloats each : ofFloats) {
    if (each.store &&
        (isActive(each.store.getValue()) || isActive(each.result)))
      return emitError(each.loc, "[E1017] ")
             << "a value with a derivative goes through this atomic operation, "
                "whose effect depends on the order of the iterations";
    if (isActive(each.result))
      return emitError(each.loc, "[E1017] ")
             << "the result of this atomic operation has no derivative: it "
                "depends on the order of the iterations";
  }
  return success();
}

//===- AdjointBuilder.cpp - The adjoint of one task -----------------------===//
#include "chi/AD/Reverse/AdjointBuilder.h"
#include "chi/AD/Rules/Floats.h"

#include "chi/AD/Rules/Rules.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace chi;
using namespace chi::ad::reverse;
using namespace chi::ad::rules;
using namespace chi::ad::activity;
using namespace chi::ad::plan;
using namespace chi::ad::prologue;

AdjointBuilder::AdjointBuilder(ir::TaskOp primal, const SharedUpdates &updates,
                               const Activity &activity, const Plan &plan,
                               const Discards &discards)
    : primal(primal), updates(updates), activity(activity), plan(plan),
      discards(discards), b(primal.getContext()), loc(primal.getLoc()) {}

ir::TaskOp AdjointBuilder::build(StringRef name) {
  makeTask(name);
  makeTapes();
  Block &body = primal.getBody().front();
  forward(body);
  enter(body);
  reverse(body);
  ir::NextOp::create(b, loc);
  return task;
}

//===----------------------------------------------------------------------===//
// The task
//===----------------------------------------------------------------------===//

/// Adjoints are apart where the fields are.
ir::FactsAttr AdjointBuilder::factsOf(unsigned numAdded) {
  ir::FactsAttr facts = primal.getFactsAttr();
  if (!facts)
    return {};
  SmallVector<ir::KnownAttr> inputs(facts.getInputs());
  inputs.append(numAdded, ir::KnownAttr::none(primal.getContext()));
  SmallVector<int64_t> noalias(facts.getNoalias());
  unsigned next = primal.getNumCaptured();
  for (auto [number, value] : llvm::enumerate(primal.getCaptured())) {
    if (!adjointFields.contains(value))
      continue;
    if (llvm::is_contained(facts.getNoalias(), number) ||
        llvm::is_contained(facts.getCells(), number))
      noalias.push_back(next);
    ++next;
  }
  return ir::FactsAttr::get(primal.getContext(), facts.getFrom(), facts.getTo(),
                            inputs, noalias, facts.getCells());
}

void AdjointBuilder::addAdjointArguments() {
  Block &body = task.getBody().front();
  for (Value captured :
       primal.getCaptured().take_front(updates.getNumPrimal())) {
    auto field = dyn_cast<ir::FieldType>(captured.getType());
    if (field && isFloat(field.getScalar()))
      adjointFields[captured] = body.addArgument(
          withScalar(field, adjointType(field.getScalar())), captured.getLoc());
  }
}

void AdjointBuilder::makeTask(StringRef name) {
  b.setInsertionPointAfter(primal);
  task = cast<ir::TaskOp>(b.insert(primal->cloneWithoutRegions()));
  Block *body = b.createBlock(&task.getBody());
  task.setSymName(name);
  for (Value captured : primal.getCaptured())
    map.map(captured, body->addArgument(captured.getType(), captured.getLoc()));
  addAdjointArguments();
  for (Value index : primal.getIndexVariables())
    map.map(index, body->addArgument(index.getType(), index.getLoc()));
  unsigned numAdded =
      body->getNumArguments() - primal.getRank() - primal.getNumCaptured();
  task.removeEffectsAttr();
  updates.link(task);
  if (ir::FactsAttr facts = factsOf(numAdded))
    task.setFactsAttr(facts);
  b.setInsertionPointToEnd(body);
}

//===----------------------------------------------------------------------===//
// Tapes
//===----------------------------------------------------------------------===//

void AdjointBuilder::makeTapes() {
  primal.walk([&](Operation *loop) {
    if (plan.keptBy(loop).empty())
      return;
    Tape &tape = tapes[loop];
    for (Value value : plan.keptBy(loop)) {
      auto type = ir::LocalType::get(b.getContext(), {ShapedType::kDynamic},
                                     value.getType());
      tape.memory.push_back(ir::ScratchOp::create(b, loc, type));
    }
    if (loopAround(loop))
      tape.counter = ir::LocalOp::create(
          b, loc, ir::LocalType::get(b.getContext(), {1}, b.getI64Type()), "");
  });
}

Value AdjointBuilder::constant(Type type, int64_t value) {
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
}

Value AdjointBuilder::zero(Type type) {
  return arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
}

Value AdjointBuilder::toI64(Value value, bool isUnsigned) {
  Type i64 = b.getI64Type();
  if (value.getType() == i64)
    return value;
  if (isUnsigned)
    return arith::ExtUIOp::create(b, loc, i64, value);
  return arith::ExtSIOp::create(b, loc, i64, value);
}

static bool isOne(Value step) { return matchPattern(step, m_One()); }

/// The first value of the primal's loop, where its bounds are known.
Value AdjointBuilder::numIterations(scf::ForOp loop) {
  bool isUnsigned = loop.getUnsignedCmp();
  auto bound = [&](Value value) { return toI64(primalOf(value), isUnsigned); };
  Value count = arith::SubIOp::create(b, loc, bound(loop.getUpperBound()),
                                      bound(loop.getLowerBound()));
  if (!isOne(loop.getStep()))
    count = arith::CeilDivSIOp::create(b, loc, count, bound(loop.getStep()));
  return arith::MaxSIOp::create(b, loc, count, constant(b.getI64Type(), 0));
}

/// The number of the iteration in which the loop's variable is `variable`.
Value AdjointBuilder::iterationOf(scf::ForOp loop, Value variable) {
  bool isUnsigned = loop.getUnsignedCmp();
  Value offset =
      arith::SubIOp::create(b, loc, toI64(variable, isUnsigned),
                            toI64(primalOf(loop.getLowerBound()), isUnsigned));
  if (isOne(loop.getStep()))
    return offset;
  return arith::DivSIOp::create(b, loc, offset,
                                toI64(primalOf(loop.getStep()), isUnsigned));
}

Value AdjointBuilder::recordsSoFar(const Tape &tape) {
  return ir::GetOp::create(b, loc, b.getI64Type(), tape.counter,
                           constant(b.getI64Type(), 0));
}

void AdjointBuilder::setRecords(const Tape &tape, Value count) {
  ir::SetOp::create(b, loc, count, tape.counter, constant(b.getI64Type(), 0));
}

void AdjointBuilder::setOffset(Tape &tape, Value iteration) {
  tape.position =
      tape.base
          ? arith::AddIOp::create(b, loc, tape.base, iteration).getResult()
          : iteration;
}

std::optional<std::pair<Value, Value>> AdjointBuilder::recordOf(Value value) {
  if (!plan.isNeeded(value) || plan.sourceOf(value) != Source::Keep)
    return std::nullopt;
  Operation *loop = loopAround(value);
  const Tape &tape = tapes[loop];
  ArrayRef<Value> kept = plan.keptBy(loop);
  return std::pair(tape.memory[llvm::find(kept, value) - kept.begin()],
                   tape.position);
}

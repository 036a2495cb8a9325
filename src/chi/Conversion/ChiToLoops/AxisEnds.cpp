//===- AxisEnds.cpp - Where the axes of a recorded task begin -------------===//
#include "chi/Conversion/ChiToLoops/AxisEnds.h"

#include "chi/Analysis/Ranges.h"
#include "chi/Dialect/Chi/AdjointTasks.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

/// The number that a sum of captured values is, in i64.
static Value sumOf(Emitter &emit, ir::KnownAttr known, ArrayRef<Value> inputs) {
  Value sum = emit.i64(known.getConstant());
  for (const ir::LinearTerm &term : known.getTerms()) {
    Value value = inputs[term.argument];
    value = term.axis < 0
                ? emit.toI64(value)
                : ir::DimOp::create(emit.builder, emit.loc,
                                    emit.builder.getI64Type(), value, term.axis)
                      .getResult();
    sum = emit.add(sum, emit.mul(value, emit.i64(term.factor)));
  }
  return sum;
}

namespace {
/// Moves the ends of one axis inside of its bounds.
class Clipper {
public:
  Clipper(Emitter &emit, ArrayRef<Value> inputs) : emit(emit), inputs(inputs) {}

  void clip(AxisEnds &ends, ArrayRef<Attribute> from, ArrayRef<Attribute> to) {
    for (Attribute bound : from) {
      Value sum = sumOf(emit, cast<ir::KnownAttr>(bound), inputs);
      ends.from = ends.from ? emit.max(ends.from, sum) : sum;
    }
    for (Attribute bound : to) {
      Value sum = sumOf(emit, cast<ir::KnownAttr>(bound), inputs);
      ends.to = ends.to ? emit.min(ends.to, sum) : sum;
    }
  }

  /// An axis that is not empty fits into its type; this keeps an empty one
  /// empty.
  void clamp(AxisEnds &ends, Type type) {
    auto all = analysis::Interval::full(type.getIntOrFloatBitWidth());
    for (Value *end : {&ends.from, &ends.to})
      *end = emit.min(emit.max(*end, emit.i64(all.lo)), emit.i64(all.hi));
  }

private:
  Emitter &emit;
  ArrayRef<Value> inputs;
};
} // namespace

AxisEnds chi::conv::axisEnds(Emitter &emit, ir::TaskOp task, unsigned number,
                             ArrayRef<Value> inputs,
                             function_ref<AxisEnds(int64_t)> domain) {
  int64_t axis = ir::domainAxisOf(task, number);
  ArrayRef<Attribute> from = ir::axisBoundsOf(task, number, /*isEnd=*/false),
                      to = ir::axisBoundsOf(task, number, /*isEnd=*/true);
  bool isBounded = !from.empty() || !to.empty();
  if (axis == ir::kComputedAxis && !isBounded)
    return {sumOf(emit, task.getFactsAttr().getFrom()[number], inputs),
            sumOf(emit, task.getFactsAttr().getTo()[number], inputs)};
  AxisEnds ends = axis == ir::kComputedAxis ? AxisEnds() : domain(axis);
  if (isBounded) {
    Clipper clipper(emit, inputs);
    clipper.clip(ends, from, to);
    clipper.clamp(ends, task.getIndexVariables()[number].getType());
  }
  return ends;
}

//===- GuardedDivisions.cpp - Quotients whose check fails later -----------===//
// The check of a quotient in a kernel's own code is a task. On a device its
// failure is known after the wait for the launch: until then the host
// continues, and would divide by zero, which ends the process. So it divides by
// 1 there. The quotient is never seen, as the failure is reported first.
//===----------------------------------------------------------------------===//

#include "chi/Conversion/ChiToLoops/RecordedForms.h"
#include "chi/Conversion/Emitter.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

static void guard(Operation *quotient) {
  OpOperand &divisor = quotient->getOpOperand(1);
  Value value = divisor.get();
  if (std::optional<int64_t> known = constantOf(value); known && *known != 0)
    return;
  OpBuilder builder(quotient);
  Emitter emit(builder, quotient);
  Value isZero = emit.compare(arith::CmpIPredicate::eq, value,
                              emit.constant(value.getType(), 0));
  divisor.set(emit.select(isZero, emit.constant(value.getType(), 1), value));
}

void chi::conv::guardDivisions(func::FuncOp recorded) {
  recorded.walk([](Operation *op) {
    if (isa<ir::FloorDivOp, ir::FloorModOp>(op))
      guard(op);
  });
}

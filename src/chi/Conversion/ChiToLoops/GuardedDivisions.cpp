//===- GuardedDivisions.cpp - Quotients whose check is told later ---------===//
// The check of a quotient in a kernel's own code is a task. On a device it has
// failed when the launch was waited for, which comes later: until then the host
// goes on, and would divide by zero, which ends the process. So it divides by 1
// there. What it computes is never seen, as the failure is told before.
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

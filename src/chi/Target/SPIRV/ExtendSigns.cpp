//===- ExtendSigns.cpp - From 32 to 64 bits, for a driver -----------------===//
// Note [Comparisons of extended numbers]
// Mesa 22.3 compares a number that was extended from 32 to 64 bits with a
// constant by what is left of the constant in 32 bits, where the constant lies
// between the ends of these: and takes 2147483648 for their lower end. So
// `i64(n) < 0` is false, for n = -1 too. Which comparisons are those it finds
// out late, behind variables and unrolled loops. So no number is extended:
// it is put together of its lower half and its sign, which are the same two
// registers.
//===----------------------------------------------------------------------===//

#include "chi/Target/SPIRV/Steps.h"

using namespace mlir;

static void extendSign(spirv::SConvertOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value number = op.getOperand();
  Type half = number.getType();
  Value last = spirv::ConstantOp::create(b, loc, half, b.getI32IntegerAttr(31));
  Value sign =
      spirv::ShiftRightArithmeticOp::create(b, loc, half, number, last);
  Value halves = spirv::CompositeConstructOp::create(
      b, loc, VectorType::get(2, half), ValueRange{number, sign});
  Value wide = spirv::BitcastOp::create(b, loc, op.getType(), halves);
  op.replaceAllUsesWith(wide);
  op.erase();
}

void chi::target::spv::extendSigns(ModuleOp module) {
  module.walk([](spirv::SConvertOp op) {
    if (op.getOperand().getType().isInteger(32) && op.getType().isInteger(64))
      extendSign(op);
  });
}

//===- ExpandWide.cpp - What has no halves, of what has -------------------===//
// MLIR cannot split some operations on 64 bits into halves, or their halves
// give another result. They are replaced by operations whose halves are exact.
// In kernels of 32-bit numbers they occur in the rare sides of elementary
// functions, which reduce arguments of any size.

#include "chi/Conversion/Emitter.h"
#include "chi/Target/SPIRV/Steps.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;
using arith::CmpIPredicate;

namespace {
/// Writes the replacement of one operation in front of it.
class WideExpansion {
public:
  WideExpansion(OpBuilder &b, Operation *op)
      : b(b), emit(b, op), i32(b.getI32Type()) {
    b.setInsertionPoint(op);
  }

  std::pair<Value, Value> product(Value x, Value y);
  Value leadingZeros(Value x);
  Value toFloat(Value x);
  Value shifted(Operation *shift);
  Value widened(Value x);

private:
  Value up(Value narrow) {
    return arith::ExtUIOp::create(b, emit.loc, b.getI64Type(), narrow);
  }
  Value shift32(bool isLeft, Value x, Value by) {
    return isLeft ? arith::ShLIOp::create(b, emit.loc, x, by).getResult()
                  : arith::ShRUIOp::create(b, emit.loc, x, by).getResult();
  }
  Value joined(Value low, Value high) {
    Value upper = arith::ShLIOp::create(b, emit.loc, up(high), emit.i64(32));
    return arith::OrIOp::create(b, emit.loc, upper, up(low));
  }
  Value low(Value x) { return arith::TruncIOp::create(b, emit.loc, i32, x); }
  Value right(Value x, Value by) {
    return arith::ShRUIOp::create(b, emit.loc, x, by);
  }
  Value high(Value x) { return low(right(x, emit.i64(32))); }
  /// The full product of two 32-bit numbers.
  Value wideProduct(Value x, Value y) { return emit.mul(up(x), up(y)); }

  OpBuilder &b;
  Emitter emit;
  Type i32;
};
} // namespace

/// Low and high half of a product, of the four products of the factors' halves.
/// No sum of them is larger than 64 bits hold.
std::pair<Value, Value> WideExpansion::product(Value x, Value y) {
  Value xLow = low(x), xHigh = high(x), yLow = low(y), yHigh = high(y);
  Value first = wideProduct(xLow, yLow);
  Value middle = emit.add(wideProduct(xHigh, yLow), up(high(first)));
  Value other = emit.add(wideProduct(xLow, yHigh), up(low(middle)));
  Value last = emit.add(emit.add(wideProduct(xHigh, yHigh), up(high(middle))),
                        up(high(other)));
  return {emit.mul(x, y), last};
}

Value WideExpansion::leadingZeros(Value x) {
  Value upper = high(x);
  Value isSmall = emit.compare(CmpIPredicate::eq, upper, emit.constant(i32, 0));
  Value part = emit.select(isSmall, low(x), upper);
  Value zeros = math::CountLeadingZerosOp::create(b, emit.loc, part);
  Value before =
      emit.select(isSmall, emit.constant(i32, 32), emit.constant(i32, 0));
  return up(emit.add(zeros, before));
}

/// The upper 32 significant bits, the last of which is sticky: they round as
/// all bits do. Then the power of two, which is exact.
Value WideExpansion::toFloat(Value x) {
  Value isSmall = emit.compare(CmpIPredicate::ult, x, emit.i64(1ll << 32));
  Value shift = emit.select(
      isSmall, emit.i64(0),
      arith::SubIOp::create(b, emit.loc, emit.i64(32), leadingZeros(x)));
  Operation *down = arith::ShRUIOp::create(b, emit.loc, x, shift);
  Value part = shifted(down);
  down->erase();
  Operation *lifted = arith::ShLIOp::create(b, emit.loc, part, shift);
  Value back = shifted(lifted);
  lifted->erase();
  Value isExact = emit.compare(CmpIPredicate::eq, back, x);
  Value below =
      emit.select(isExact, emit.constant(i32, 0), emit.constant(i32, 1));
  Value bits = arith::OrIOp::create(b, emit.loc, low(part), below);
  Value number = arith::UIToFPOp::create(b, emit.loc, b.getF32Type(), bits);
  constexpr int32_t kBias = 127, kShift = 23;
  Value exponent = emit.add(low(shift), emit.constant(i32, kBias));
  Value power = arith::BitcastOp::create(
      b, emit.loc, b.getF32Type(),
      arith::ShLIOp::create(b, emit.loc, exponent, emit.constant(i32, kShift)));
  return arith::MulFOp::create(b, emit.loc, number, power);
}

/// By any number of bits. MLIR's halves shift 32 bits by 32 where nothing is to
/// be shifted, which means nothing; here they go from one half to the other in
/// two steps.
Value WideExpansion::shifted(Operation *shift) {
  bool isLeft = isa<arith::ShLIOp>(shift),
       isSigned = isa<arith::ShRSIOp>(shift);
  Value x = shift->getOperand(0), number = low(shift->getOperand(1));
  // Bits leave `from` on the side of `to`.
  Value from = isLeft ? low(x) : high(x), to = isLeft ? high(x) : low(x);
  Value last = emit.constant(i32, 31);
  Value by = arith::AndIOp::create(b, emit.loc, number, last);
  Value isFar = emit.compare(CmpIPredicate::ugt, number, last);
  Value crossed =
      shift32(!isLeft, shift32(!isLeft, from, emit.constant(i32, 1)),
              emit.sub(last, by));
  Value rest = isSigned
                   ? arith::ShRSIOp::create(b, emit.loc, from, by).getResult()
                   : shift32(isLeft, from, by);
  Value filled =
      isSigned ? arith::ShRSIOp::create(b, emit.loc, from, last).getResult()
               : emit.constant(i32, 0);
  Value moved =
      arith::OrIOp::create(b, emit.loc, shift32(isLeft, to, by), crossed);
  from = emit.select(isFar, filled, rest);
  to = emit.select(isFar, rest, moved);
  return isLeft ? joined(from, to) : joined(to, from);
}

/// The bits that an f32 has as an f64, as it is printed and as messages have
/// it: also without f64, and of numbers below the least normal one, which a
/// device may take for 0.
Value WideExpansion::widened(Value x) {
  auto number = [&](int64_t value) { return emit.constant(i32, value); };
  auto left = [&](Value value, Value by) { return shift32(true, value, by); };
  auto masked = [&](Value value, int64_t mask) -> Value {
    return arith::AndIOp::create(b, emit.loc, value, number(mask));
  };
  // Exponents of f64 are larger by 1023 - 127, and lie 3 bits lower.
  constexpr int64_t kNormal = 896 << 20, kNoNumber = 1792 << 20;
  Value bits = arith::BitcastOp::create(b, emit.loc, i32, x);
  Value sign = masked(bits, int32_t(0x80000000)),
        size = masked(bits, 0x7fffffff);
  Value isNumber = emit.compare(CmpIPredicate::ult, size, number(0x7f800000));
  Value isNormal = emit.compare(CmpIPredicate::uge, size, number(0x800000));
  Value isZero = emit.compare(CmpIPredicate::eq, size, number(0));
  // A number below: its first bit becomes the one that is not written.
  Value zeros = math::CountLeadingZerosOp::create(b, emit.loc, size);
  zeros = emit.select(isNormal, number(8), zeros);
  zeros = emit.select(isZero, number(8), zeros);
  Value digits = masked(left(size, emit.sub(zeros, number(8))), 0x7fffff);
  Value below = left(emit.sub(number(905), zeros), number(20));
  Value exponent = emit.select(isNumber, number(kNormal), number(kNoNumber));
  Value upper =
      emit.select(isNormal, emit.add(shift32(false, size, number(3)), exponent),
                  emit.add(below, shift32(false, digits, number(3))));
  upper = emit.select(isZero, number(0), upper);
  upper = arith::OrIOp::create(b, emit.loc, upper, sign);
  return joined(left(digits, number(29)), upper);
}

/// The f32 of which an i64 has the bits as an f64; null if it has others.
static Value narrowFloat(Operation *op) {
  auto cast = dyn_cast<arith::BitcastOp>(op);
  auto wide = cast ? cast.getIn().getDefiningOp<arith::ExtFOp>() : nullptr;
  return wide && wide.getType().isF64() && wide.getIn().getType().isF32()
             ? wide.getIn()
             : Value();
}

static bool isLong(Value value) { return value.getType().isInteger(64); }

bool chi::target::spv::isWide(Operation *op) {
  if (isa<arith::MulUIExtendedOp, math::CountLeadingZerosOp, ub::PoisonOp>(op))
    return isLong(op->getResult(0));
  if (isa<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(op))
    return isLong(op->getResult(0)) && !constantOf(op->getOperand(1));
  if (narrowFloat(op))
    return true;
  return isa<arith::UIToFPOp>(op) && isLong(op->getOperand(0)) &&
         op->getResult(0).getType().isF32();
}

void chi::target::spv::expandWide(mlir::gpu::GPUModuleOp kernels) {
  SmallVector<Operation *> work;
  kernels.walk([&](Operation *op) {
    if (isWide(op))
      work.push_back(op);
  });
  OpBuilder b(kernels.getContext());
  for (Operation *op : work) {
    WideExpansion here(b, op);
    if (auto product = dyn_cast<arith::MulUIExtendedOp>(op)) {
      auto [low, high] = here.product(product.getLhs(), product.getRhs());
      op->replaceAllUsesWith(ValueRange{low, high});
    } else if (isa<ub::PoisonOp>(op)) {
      op->replaceAllUsesWith(
          ValueRange{arith::ConstantIntOp::create(b, op->getLoc(), 0, 64)});
    } else if (Value narrow = narrowFloat(op)) {
      Operation *wide = op->getOperand(0).getDefiningOp();
      op->replaceAllUsesWith(ValueRange{here.widened(narrow)});
      op->dropAllReferences();
      if (wide->use_empty())
        wide->erase();
    } else {
      Value x = op->getOperand(0);
      op->replaceAllUsesWith(
          ValueRange{isa<arith::UIToFPOp>(op)             ? here.toFloat(x)
                     : isa<math::CountLeadingZerosOp>(op) ? here.leadingZeros(x)
                                                          : here.shifted(op)});
    }
    op->erase();
  }
}

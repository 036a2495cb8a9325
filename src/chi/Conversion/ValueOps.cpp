//===- ValueOps.cpp - chi operations on scalars and locals ----------------===//

#include "chi/Conversion/ValueOps.h"
#include "chi/Conversion/Layout.h"
#include "chi/Dialect/Chi/Accumulations.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;
using arith::CmpIPredicate;

//===----------------------------------------------------------------------===//
// Combining
//===----------------------------------------------------------------------===//

Value chi::conv::combine(Emitter &emit, ir::AccumKind kind, Value a, Value b,
                         arith::FastMathFlags flags) {
  return ir::combined(emit.builder, emit.loc, kind, a, b, flags);
}

Value chi::conv::neutral(Emitter &emit, ir::AccumKind kind, Type type) {
  return arith::ConstantOp::create(emit.builder, emit.loc,
                                   ir::neutralElement(kind, type));
}

//===----------------------------------------------------------------------===//
// Integer division and powers
//===----------------------------------------------------------------------===//

/// log2 of a positive power of two, else nothing.
static std::optional<unsigned> shiftOf(Value divisor) {
  std::optional<int64_t> value = constantOf(divisor);
  if (!value || *value <= 0 || !llvm::isPowerOf2_64(*value))
    return std::nullopt;
  return llvm::Log2_64(*value);
}

static Value floorDivide(Emitter &emit, ir::FloorDivOp op) {
  Value a = op.getLhs(), b = op.getRhs();
  Type type = a.getType();
  if (op.getIsUnsigned())
    return arith::DivUIOp::create(emit.builder, emit.loc, a, b);
  if (std::optional<unsigned> shift = shiftOf(b))
    return arith::ShRSIOp::create(emit.builder, emit.loc, a,
                                  emit.constant(type, *shift));
  // -2^31 // -1 wraps; the hardware would trap.
  Value minusOne = emit.constant(type, -1), one = emit.constant(type, 1);
  Value zero = emit.constant(type, 0);
  if (std::optional<int64_t> known = constantOf(b); known && *known != -1)
    minusOne = nullptr;
  Value isMinusOne, divisor = b;
  if (minusOne) {
    isMinusOne = emit.compare(CmpIPredicate::eq, b, minusOne);
    divisor = emit.select(isMinusOne, one, b);
  }
  Value quotient = arith::DivSIOp::create(emit.builder, emit.loc, a, divisor);
  Value rest = emit.sub(a, emit.mul(quotient, divisor));
  Value inexact = emit.compare(CmpIPredicate::ne, rest, zero);
  Value signs = arith::XOrIOp::create(emit.builder, emit.loc, rest, divisor);
  Value differ = emit.compare(CmpIPredicate::slt, signs, zero);
  Value down = arith::AndIOp::create(emit.builder, emit.loc, inexact, differ);
  Value lower = emit.sub(quotient, one);
  Value result = emit.select(down, lower, quotient);
  if (minusOne)
    result = emit.select(isMinusOne, emit.sub(zero, a), result);
  return result;
}

static Value floorModulo(Emitter &emit, ir::FloorModOp op) {
  Value a = op.getLhs(), b = op.getRhs();
  Type type = a.getType();
  if (op.getIsUnsigned())
    return arith::RemUIOp::create(emit.builder, emit.loc, a, b);
  if (std::optional<unsigned> shift = shiftOf(b))
    return arith::AndIOp::create(
        emit.builder, emit.loc, a,
        emit.constant(type, (int64_t(1) << *shift) - 1));
  Value zero = emit.constant(type, 0), divisor = b;
  std::optional<int64_t> known = constantOf(b);
  if (!known) {
    // x % -1 is 0, as x % 1 is; the hardware would trap on -2^31 % -1.
    Value isMinusOne =
        emit.compare(CmpIPredicate::eq, b, emit.constant(type, -1));
    divisor = emit.select(isMinusOne, emit.constant(type, 1), b);
  } else if (*known == -1) {
    return zero;
  }
  Value rest = arith::RemSIOp::create(emit.builder, emit.loc, a, divisor);
  Value inexact = emit.compare(CmpIPredicate::ne, rest, zero);
  Value signs = arith::XOrIOp::create(emit.builder, emit.loc, rest, divisor);
  Value differ = emit.compare(CmpIPredicate::slt, signs, zero);
  Value shift = arith::AndIOp::create(emit.builder, emit.loc, inexact, differ);
  return emit.select(shift, emit.add(rest, divisor), rest);
}

/// Square and multiply; a small constant exponent is written out.
static Value integerPower(Emitter &emit, ir::IPowOp op) {
  Value base = op.getLhs(), exponent = op.getRhs();
  Type type = base.getType();
  Value one = emit.constant(type, 1);
  if (std::optional<int64_t> known = constantOf(exponent);
      known && *known >= 0 && *known <= 64) {
    Value result, square = base;
    for (uint64_t rest = *known; rest; rest >>= 1) {
      if (rest & 1)
        result = result ? emit.mul(result, square) : square;
      if (rest > 1)
        square = emit.mul(square, square);
    }
    return result ? result : one;
  }
  OpBuilder &b = emit.builder;
  auto loop = scf::WhileOp::create(b, emit.loc, TypeRange{type, type, type},
                                   ValueRange{one, base, exponent});
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Location> locations(3, emit.loc);
  SmallVector<Type> types(3, type);
  Block *before = b.createBlock(&loop.getBefore(), {}, types, locations);
  Value goesOn = emit.compare(CmpIPredicate::ne, before->getArgument(2),
                              emit.constant(type, 0));
  scf::ConditionOp::create(b, emit.loc, goesOn, before->getArguments());
  Block *after = b.createBlock(&loop.getAfter(), {}, types, locations);
  Value result = after->getArgument(0), square = after->getArgument(1),
        rest = after->getArgument(2), unit = emit.constant(type, 1);
  Value bit = arith::AndIOp::create(b, emit.loc, rest, unit);
  Value odd = emit.compare(CmpIPredicate::ne, bit, emit.constant(type, 0));
  Value next = emit.select(odd, emit.mul(result, square), result);
  Value half = arith::ShRUIOp::create(b, emit.loc, rest, unit);
  scf::YieldOp::create(b, emit.loc,
                       ValueRange{next, emit.mul(square, square), half});
  return loop.getResult(0);
}

/// Replaces the library's function: C's fmod, whose remainder has the sign of
/// the dividend, plus the divisor if the signs differ.
static Value floatModulo(Emitter &emit, ir::FFloorModOp op) {
  OpBuilder &b = emit.builder;
  Value y = op.getRhs();
  Value rest = arith::RemFOp::create(b, emit.loc, op.getLhs(), y);
  auto constant = [&](double value) -> Value {
    TypedAttr attr = b.getFloatAttr(getElementTypeOrSelf(y.getType()), value);
    if (auto lanes = dyn_cast<VectorType>(y.getType()))
      attr = DenseElementsAttr::get(lanes, Attribute(attr));
    return arith::ConstantOp::create(b, emit.loc, attr);
  };
  Value one = constant(1), zero = constant(0);
  // Negative if the signs differ.
  Value side = math::CopySignOp::create(b, emit.loc, one, y);
  Value turned = arith::MulFOp::create(b, emit.loc, rest, side);
  Value differ = arith::CmpFOp::create(b, emit.loc, arith::CmpFPredicate::OLT,
                                       turned, zero);
  Value sum = arith::AddFOp::create(b, emit.loc, rest, y);
  return math::CopySignOp::create(b, emit.loc, emit.select(differ, sum, rest),
                                  y);
}

/// Replaces the library's function: scaled by the larger side, so that squares
/// neither overflow nor vanish.
static Value hypotenuse(Emitter &emit, ir::HypotOp op) {
  OpBuilder &b = emit.builder;
  Type type = op.getType();
  auto constant = [&](const APFloat &value) -> Value {
    TypedAttr attr = FloatAttr::get(getElementTypeOrSelf(type), value);
    if (auto lanes = dyn_cast<VectorType>(type))
      attr = DenseElementsAttr::get(lanes, Attribute(attr));
    return arith::ConstantOp::create(b, emit.loc, attr);
  };
  auto compare = [&](arith::CmpFPredicate how, Value x, Value y) -> Value {
    return arith::CmpFOp::create(b, emit.loc, how, x, y);
  };
  const llvm::fltSemantics &format =
      cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics();
  Value zero = constant(APFloat::getZero(format)),
        one = constant(APFloat::getOne(format)),
        infinity = constant(APFloat::getInf(format));
  Value x = math::AbsFOp::create(b, emit.loc, op.getLhs());
  Value y = math::AbsFOp::create(b, emit.loc, op.getRhs());
  Value isLarger = compare(arith::CmpFPredicate::OGT, x, y);
  Value large = emit.select(isLarger, x, y);
  Value small = emit.select(isLarger, y, x);
  Value isZero = compare(arith::CmpFPredicate::OEQ, large, zero);
  Value q = arith::DivFOp::create(b, emit.loc, small,
                                  emit.select(isZero, one, large));
  Value root = math::SqrtOp::create(
      b, emit.loc, math::FmaOp::create(b, emit.loc, q, q, one));
  Value result = arith::MulFOp::create(b, emit.loc, large, root);
  Value isInfinite = arith::OrIOp::create(
      b, emit.loc, compare(arith::CmpFPredicate::OEQ, x, infinity),
      compare(arith::CmpFPredicate::OEQ, y, infinity));
  return emit.select(isInfinite, infinity, result);
}

//===----------------------------------------------------------------------===//
// Locals
//===----------------------------------------------------------------------===//

/// Row-major number of an entry of a local array.
static Value localOffset(Emitter &emit, ir::LocalType type,
                         ValueRange indices) {
  Value offset = emit.index(0);
  for (auto [index, extent] : llvm::zip(indices, type.getShape()))
    offset =
        emit.add(emit.mul(offset, emit.index(extent)), emit.toIndex(index));
  return offset;
}

MemRefType chi::conv::bufferType(ir::LocalType type) {
  return MemRefType::get({type.getNumElements()}, memoryType(type.getScalar()));
}

Value chi::conv::bufferOf(Emitter &emit, Value slot) {
  auto type = cast<ir::LocalType>(slot.getType());
  return emit.reinterpret(slot, bufferType(type));
}

static void lowerLocal(Emitter &emit, ir::LocalOp op) {
  if (lowerTable(emit, op))
    return;
  ir::LocalType type = op.getSlot().getType();
  Type scalar = memoryType(type.getScalar());
  Value buffer = emit.stackBuffer(scalar, type.getNumElements());
  if (!type.isScalar()) {
    Value zero = emit.constant(scalar, 0);
    emit.loop(emit.index(0), emit.index(type.getNumElements()), [&](Value i) {
      memref::StoreOp::create(emit.builder, emit.loc, zero, buffer, i);
    });
  }
  // Uses still see a chi.local; they look through this cast.
  op.replaceAllUsesWith(emit.reinterpret(buffer, type));
  op.erase();
}

static void lowerGet(Emitter &emit, ir::GetOp op) {
  auto type = cast<ir::LocalType>(op.getSlot().getType());
  Value offset = localOffset(emit, type, op.getIndices());
  Value value = memref::LoadOp::create(emit.builder, emit.loc,
                                       bufferOf(emit, op.getSlot()), offset);
  op.replaceAllUsesWith(fromMemory(emit, value, type.getScalar()));
  op.erase();
}

static void lowerSet(Emitter &emit, ir::SetOp op) {
  auto type = cast<ir::LocalType>(op.getSlot().getType());
  Value buffer = bufferOf(emit, op.getSlot());
  if (!isTable(buffer))
    memref::StoreOp::create(emit.builder, emit.loc,
                            toMemory(emit, op.getValue()), buffer,
                            localOffset(emit, type, op.getIndices()));
  op.erase();
}

/// Locals of fields and strs are memory of host functions.
static bool holdsScalars(Value slot) {
  Type type = cast<ir::LocalType>(slot.getType()).getScalar();
  return isa<IntegerType, FloatType>(type);
}

/// Memory that grows is each target's own.
static bool isOfScratch(Operation *op) {
  return isa<ir::ScratchOp, ir::ReserveOp>(op) ||
         (isa<ir::GetOp, ir::SetOp>(op) &&
          llvm::any_of(op->getOperandTypes(), [](Type type) {
            auto local = dyn_cast<ir::LocalType>(type);
            return local && local.isScratch();
          }));
}

static bool lowerLocals(Emitter &emit, Operation *op) {
  if (isOfScratch(op))
    return true;
  if (auto local = dyn_cast<ir::LocalOp>(op)) {
    if (!holdsScalars(local.getSlot()))
      return false;
    lowerLocal(emit, local);
    return true;
  }
  if (auto get = dyn_cast<ir::GetOp>(op)) {
    if (!holdsScalars(get.getSlot()))
      return false;
    lowerGet(emit, get);
    return true;
  }
  auto set = dyn_cast<ir::SetOp>(op);
  if (!set || !holdsScalars(set.getSlot()))
    return false;
  lowerSet(emit, set);
  return true;
}

bool chi::conv::lowerValueOp(Operation *op, arith::FastMathFlags flags) {
  OpBuilder builder(op);
  Emitter emit(builder, op);
  if (lowerLocals(emit, op) ||
      isa<ir::ToIntOp, ir::OverflowOp>(op)) // each target's own
    return true;
  Value result =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case([&](ir::FloorDivOp op) { return floorDivide(emit, op); })
          .Case([&](ir::FloorModOp op) { return floorModulo(emit, op); })
          .Case([&](ir::IPowOp op) { return integerPower(emit, op); })
          .Case([&](ir::FFloorModOp op) { return floatModulo(emit, op); })
          .Case([&](ir::HypotOp op) { return hypotenuse(emit, op); })
          .Case([&](ir::RootOp op) -> Value {
            return math::SqrtOp::create(builder, emit.loc, op.getOperand(),
                                        op.getFastmath() | flags);
          })
          .Default(Value());
  if (!result)
    return false;
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
  return true;
}

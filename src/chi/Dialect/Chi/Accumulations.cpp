//===- Accumulations.cpp - What accumulations do --------------------------===//
#include "chi/Dialect/Chi/Accumulations.h"

#include "chirt/accumulations.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace chi::ir;

// Both sides number the kinds, and sort them as the table does.
#define CHIRT_INTEGER_ACCUM(name, ID, ...)                                     \
  static_assert(int(AccumKind::name) == CHIRT_ACCUM_##ID);
#include "chirt/accumulations.def"

static bool isFloat(Type type) {
  return isa<FloatType>(getElementTypeOrSelf(type));
}

static Value combinedFloats(OpBuilder &b, Location loc, AccumKind kind, Value x,
                            Value y, arith::FastMathFlags flags) {
  switch (kind) {
#define CHIRT_FLOAT_ACCUM(name, ID, expression, neutral, operation, ...)       \
  case AccumKind::name:                                                        \
    return arith::operation##Op::create(b, loc, x, y, flags);
#include "chirt/accumulations.def"
  default:
    llvm_unreachable("a kind of integers");
  }
}

Value chi::ir::combined(OpBuilder &b, Location loc, AccumKind kind, Value x,
                        Value y, arith::FastMathFlags flags) {
  if (isFloat(x.getType()))
    return combinedFloats(b, loc, kind, x, y, flags);
  switch (kind) {
#define CHIRT_INTEGER_ACCUM(name, ID, sign, expression, neutral, operation,    \
                            ...)                                               \
  case AccumKind::name:                                                        \
    return arith::operation##Op::create(b, loc, x, y);
#include "chirt/accumulations.def"
  }
  llvm_unreachable("all kinds are listed");
}

TypedAttr chi::ir::neutralElement(AccumKind kind, Type scalar) {
  auto number = static_cast<int32_t>(kind);
  if (isa<FloatType>(scalar))
    return FloatAttr::get(scalar, chirt::accum::neutralFloat(number));
  unsigned width = scalar.getIntOrFloatBitWidth();
  return IntegerAttr::get(
      scalar, APInt(width, chirt::accum::neutralInteger(number, width)));
}

std::optional<arith::AtomicRMWKind> chi::ir::atomicRMWKindOf(AccumKind kind,
                                                             Type scalar) {
  using enum arith::AtomicRMWKind;
  constexpr auto loop = std::nullopt;
  if (scalar.isBF16()) // no target has them
    return loop;
  if (isa<FloatType>(scalar))
    switch (kind) {
#define CHIRT_FLOAT_ACCUM(name, ID, expression, neutral, operation, atomic,    \
                          ...)                                                 \
  case AccumKind::name:                                                        \
    return atomic;
#include "chirt/accumulations.def"
    default:
      llvm_unreachable("a kind of integers");
    }
  switch (kind) {
#define CHIRT_INTEGER_ACCUM(name, ID, sign, expression, neutral, operation,    \
                            atomic)                                            \
  case AccumKind::name:                                                        \
    return atomic;
#include "chirt/accumulations.def"
  }
  llvm_unreachable("all kinds are listed");
}

std::optional<AccumKind> chi::ir::accumKindOf(arith::AtomicRMWKind kind) {
  using enum arith::AtomicRMWKind;
  constexpr auto loop = std::nullopt;
  using Atomic = std::optional<arith::AtomicRMWKind>;
#define CHIRT_FLOAT_ACCUM(name, ID, expression, neutral, operation, atomic,    \
                          ...)                                                 \
  if (Atomic(atomic) == kind)                                                  \
    return AccumKind::name;
#define CHIRT_INTEGER_ACCUM(name, ID, sign, expression, neutral, operation,    \
                            atomic)                                            \
  if (Atomic(atomic) == kind)                                                  \
    return AccumKind::name;
#include "chirt/accumulations.def"
  return std::nullopt;
}

bool chi::ir::hasFloats(AccumKind kind) {
  return adjointOf(kind) != AccumAdjoint::none;
}

bool chi::ir::isRounded(AccumKind kind, Type type) {
  enum class Rounding { Exact, Rounded };
  if (!isFloat(type))
    return false;
  switch (kind) {
#define CHIRT_FLOAT_ACCUM(name, ID, expression, neutral, operation, atomic,    \
                          rounding, ...)                                       \
  case AccumKind::name:                                                        \
    return Rounding::rounding == Rounding::Rounded;
#include "chirt/accumulations.def"
  default:
    return false;
  }
}

AccumAdjoint chi::ir::adjointOf(AccumKind kind) {
  switch (kind) {
#define CHIRT_FLOAT_ACCUM(name, ID, expression, neutral, operation, atomic,    \
                          rounding, adjoint)                                   \
  case AccumKind::name:                                                        \
    return AccumAdjoint::adjoint;
#include "chirt/accumulations.def"
  default:
    return AccumAdjoint::none;
  }
}

bool chi::ir::isAtomic(AccumOp op, AccumContext context) {
  if (context.isAlone)
    return false;
  if (op.getStrategy() == AccumStrategy::privatized)
    return !context.hasCopies;
  return op.getStrategy() != AccumStrategy::plain || context.mayOverlap;
}

//===----------------------------------------------------------------------===//
// Updates that return the old value
//===----------------------------------------------------------------------===//

template <class Access> static Access named(Access access, AccumOp accum) {
  access.setFieldNameAttr(accum.getFieldNameAttr());
  access.setUnsignedAxesAttr(accum.getUnsignedAxesAttr());
  return access;
}

static AtomicOp atomic(OpBuilder &b, AccumOp accum, AtomicKind kind,
                       Value value, Value expected) {
  return named(AtomicOp::create(
                   b, accum.getLoc(), value.getType(),
                   AtomicKindAttr::get(b.getContext(), kind), value,
                   accum.getField(), accum.getIndices(), accum.getDynamic(),
                   expected, accum.getComponentAttr(), accum.getInboundsAttr()),
               accum);
}

Value chi::ir::areSame(OpBuilder &b, Location loc, Value x, Value y) {
  if (auto type = dyn_cast<FloatType>(x.getType())) {
    Type bits = b.getIntegerType(type.getWidth());
    x = arith::BitcastOp::create(b, loc, bits, x);
    y = arith::BitcastOp::create(b, loc, bits, y);
  }
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, x, y);
}

Value chi::ir::negated(OpBuilder &b, Location loc, Value value) {
  Type type = value.getType();
  if (isa<FloatType>(getElementTypeOrSelf(type)))
    return arith::NegFOp::create(b, loc, value);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  return arith::SubIOp::create(b, loc, zero, value);
}

Updated chi::ir::updateShared(OpBuilder &b, AccumOp accum, MakeElement make) {
  Location loc = accum.getLoc();
  Value value = accum.getValue();
  if (accum.getKind() == AccumKind::add) {
    Value old = atomic(b, accum, AtomicKind::add, value, {});
    return {old, make(b, old)};
  }
  Value first = atomic(b, accum, AtomicKind::load, value, {});
  // No other iteration was faster if the element still is the factor of the
  // product.
  auto loop = scf::WhileOp::create(
      b, loc, TypeRange{value.getType(), value.getType()}, first,
      [&](OpBuilder &b, Location, ValueRange args) {
        Value old = args[0], made = make(b, old);
        Value seen = atomic(b, accum, AtomicKind::cas, made, old);
        Value same = areSame(b, loc, seen, old);
        Value yes = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
        Value more = arith::XOrIOp::create(b, loc, same, yes);
        scf::ConditionOp::create(b, loc, more, {seen, made});
      },
      [&](OpBuilder &b, Location, ValueRange args) {
        scf::YieldOp::create(b, loc, args[0]);
      });
  return {loop.getResult(0), loop.getResult(1)};
}

Updated chi::ir::updateOwn(OpBuilder &b, AccumOp accum, MakeElement make) {
  Location loc = accum.getLoc();
  Value old =
      named(LoadOp::create(b, loc, accum.getValue().getType(), accum.getField(),
                           accum.getIndices(), accum.getDynamic(),
                           accum.getComponentAttr(), accum.getInboundsAttr()),
            accum);
  Value made = make(b, old);
  named(StoreOp::create(b, loc, made, accum.getField(), accum.getIndices(),
                        accum.getDynamic(), accum.getComponentAttr(),
                        accum.getInboundsAttr()),
        accum);
  return {old, made};
}

//===- UpdateLoop.cpp - Updates that return the old value -----------------===//
#include "chi/Dialect/Chi/UpdateLoop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace chi::ir;

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

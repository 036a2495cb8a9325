//===- Access.cpp - Operations of an iteration ----------------------------===//

#include "chi/Conversion/Iteration/IterationLowering.h"
#include "chi/Dialect/Chi/Accumulations.h"
#include "chi/Dialect/Chi/Schedule.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

Value IterationLowering::offsetOf(Emitter &emit,
                                  ir::FieldAccessOpInterface access) {
  return scalarOffset(emit, viewOf(access.getField()),
                      ValueRange(access.getIndices()),
                      access.getDynamicComponent(), access.getComponent());
}

/// Reports an access that chi-instrument-races has marked, before it happens.
void IterationLowering::recordAccess(ir::FieldAccessOpInterface access,
                                     const Iteration &iteration) {
  IntegerAttr kind = access.getRaceKindAttr();
  if (!kind || !iteration.number)
    return;
  Emitter emit(builder, access);
  Value offset = offsetOf(emit, access);
  ir::RecordAccessOp::create(builder, emit.loc, viewOf(access.getField()).data,
                             offset, emit.toI64(iteration.number), kind,
                             access.getFieldNameAttr());
}

/// Does a task store elements of several scalars at two places of one field?
static bool isScattered(ir::TaskOp task, Value field) {
  unsigned stores = 0;
  task.getBody().walk([&](ir::StoreOp store) {
    stores += store.getComponent() == 0 &&
              ir::capturedField(store.getField()) == field;
  });
  return stores > 1;
}

/// Scalars of an element never overlap, whichever elements they are of. LLVM's
/// vectoriser sees `y[a].x` and `y[a].y`, 4 bytes apart, beside the unrelated
/// `y[b].x`, and would test whether the rows of any two overlap.
void IterationLowering::separateComponents(ir::FieldAccessOpInterface access,
                                           Operation *lowered) {
  constexpr int64_t kMost = 4;
  BlockArgument root = ir::capturedField(access.getField());
  if (!root || access.getDynamicComponent())
    return;
  int64_t count = cast<ir::FieldType>(root.getType()).getNumComponents();
  auto [known, isNew] = componentScopes.try_emplace(root);
  MLIRContext *context = builder.getContext();
  if (isNew && count > 1 && count <= kMost && isScattered(task, root)) {
    auto domain = LLVM::AliasScopeDomainAttr::get(context);
    for (int64_t k = 0; k < count; ++k)
      known->second.push_back(LLVM::AliasScopeAttr::get(domain));
  }
  if (known->second.empty())
    return;
  SmallVector<Attribute> others(known->second);
  Attribute own = others[access.getComponent()];
  others.erase(others.begin() + access.getComponent());
  lowered->setAttr("alias_scopes", builder.getArrayAttr(own));
  lowered->setAttr("noalias_scopes", builder.getArrayAttr(others));
}

void IterationLowering::lowerLoad(ir::LoadOp op) {
  Emitter emit(builder, op);
  const FieldView &field = viewOf(op.getField());
  Value value =
      memref::LoadOp::create(builder, emit.loc, field.data, offsetOf(emit, op));
  separateComponents(op, value.getDefiningOp());
  op.replaceAllUsesWith(fromMemory(emit, value, op.getResult().getType()));
  op.erase();
}

void IterationLowering::lowerStore(ir::StoreOp op) {
  Emitter emit(builder, op);
  const FieldView &field = viewOf(op.getField());
  auto store =
      memref::StoreOp::create(builder, emit.loc, toMemory(emit, op.getValue()),
                              field.data, offsetOf(emit, op));
  separateComponents(op, store);
  op.erase();
}

void IterationLowering::lowerDim(ir::DimOp op) {
  Emitter emit(builder, op);
  Value extent = viewOf(op.getField()).extents[op.getAxis()];
  op.replaceAllUsesWith(emit.cast(extent, op.getResult().getType()));
  op.erase();
}

//===----------------------------------------------------------------------===//
// Atomic updates
//===----------------------------------------------------------------------===//

/// A read-modify-write of any kind; `update` maps old to new.
static Value emitGeneric(Emitter &emit, Value data, Value offset,
                         function_ref<Value(Value)> update) {
  auto op = memref::GenericAtomicRMWOp::create(emit.builder, emit.loc, data,
                                               ValueRange{offset});
  OpBuilder::InsertionGuard guard(emit.builder);
  emit.builder.setInsertionPointToEnd(op.getBody());
  Value result = update(op.getCurrentValue());
  memref::AtomicYieldOp::create(emit.builder, emit.loc, result);
  return op.getResult();
}

Value chi::conv::emitAtomic(Emitter &emit, ir::AccumKind kind, Value value,
                            Value data, Value offset) {
  if (auto direct = ir::atomicRMWKindOf(kind, value.getType()))
    return memref::AtomicRMWOp::create(emit.builder, emit.loc, *direct, value,
                                       data, ValueRange{offset});
  return emitGeneric(emit, data, offset, [&](Value old) {
    return combine(emit, kind, old, value, arith::FastMathFlags::none);
  });
}

void IterationLowering::accumAtomically(Emitter &emit, ir::AccumOp op,
                                        Value value, Value offset) {
  emitAtomic(emit, op.getKind(), toMemory(emit, value),
             viewOf(op.getField()).data, offset);
}

void IterationLowering::lowerAccum(ir::AccumOp op) {
  Emitter emit(builder, op);
  if (nest.isAtomic(op)) {
    accumAtomically(emit, op, op.getValue(), offsetOf(emit, op));
    op.erase();
    return;
  }
  const FieldView &field = viewOf(op.getField());
  Value offset = offsetOf(emit, op);
  Value old = memref::LoadOp::create(builder, emit.loc, field.data, offset);
  Value sum =
      combine(emit, op.getKind(), old, toMemory(emit, op.getValue()), flags);
  memref::StoreOp::create(builder, emit.loc, sum, field.data, offset);
  op.erase();
}

/// Null if the element has no index, and so is inside.
FailureOr<Value> IterationLowering::isInside(Emitter &emit, ir::AccumOp op) {
  const FieldView &field = viewOf(op.getField());
  SmallVector<Value> asked(op.getIndices()), values, ends = field.extents;
  if (Value dynamic = op.getDynamic()) {
    asked.push_back(dynamic);
    ends.push_back(
        emit.index(field.type.getNumComponents() - int64_t(op.getComponent())));
  }
  if (failed(computeAt(asked, scalars, values)))
    return failure();
  Value all;
  for (auto [value, end] : llvm::zip_equal(values, ends)) {
    Value position = emit.toIndex(value);
    // A negative one is large.
    Value fits = emit.compare(arith::CmpIPredicate::ult, position, end);
    all = all ? arith::AndIOp::create(builder, emit.loc, all, fits) : fits;
  }
  return all;
}

LogicalResult IterationLowering::addSumOfAll(ir::AccumOp op, Value sum) {
  Emitter emit(builder, op);
  FailureOr<Value> inside = isInside(emit, op);
  if (failed(inside))
    return failure();
  LogicalResult result = success();
  auto add = [&] {
    FailureOr<Value> offset = offsetAt(op, scalars, op.getComponent());
    result = failure(failed(offset));
    if (failed(result))
      return;
    Value data = viewOf(op.getField()).data;
    Value old = memref::LoadOp::create(builder, emit.loc, data, *offset);
    Value total =
        combine(emit, op.getKind(), old, sum, arith::FastMathFlags::none);
    memref::StoreOp::create(builder, emit.loc, total, data, *offset);
  };
  if (*inside)
    emit.when(*inside, add);
  else
    add();
  return result;
}

/// `old == expected ? value : old`; floats compare by their bits, so that an
/// exchange loop ends in the presence of NaN.
static Value exchangeIf(Emitter &emit, Value old, Value expected, Value value) {
  Value left = old, right = expected;
  if (isa<FloatType>(old.getType())) {
    Type bits =
        emit.builder.getIntegerType(old.getType().getIntOrFloatBitWidth());
    left = arith::BitcastOp::create(emit.builder, emit.loc, bits, old);
    right = arith::BitcastOp::create(emit.builder, emit.loc, bits, expected);
  }
  Value same = emit.compare(arith::CmpIPredicate::eq, left, right);
  return emit.select(same, value, old);
}

static Value negated(Emitter &emit, Value value) {
  if (isa<FloatType>(value.getType()))
    return arith::NegFOp::create(emit.builder, emit.loc, value);
  return emit.sub(emit.constant(value.getType(), 0), value);
}

void IterationLowering::lowerAtomic(ir::AtomicOp op) {
  Emitter emit(builder, op);
  Value data = viewOf(op.getField()).data, offset = offsetOf(emit, op);
  Value value = toMemory(emit, op.getValue()), old;
  switch (op.getKind()) {
  case ir::AtomicKind::exchange:
    old = memref::AtomicRMWOp::create(builder, emit.loc,
                                      arith::AtomicRMWKind::assign, value, data,
                                      ValueRange{offset});
    break;
  case ir::AtomicKind::cas: {
    Value expected = toMemory(emit, op.getExpected());
    old = emitGeneric(emit, data, offset, [&](Value current) {
      return exchangeIf(emit, current, expected, value);
    });
    break;
  }
  case ir::AtomicKind::load:
    // An update that leaves the old value: an atomic load in the end.
    old =
        emitGeneric(emit, data, offset, [](Value current) { return current; });
    break;
  case ir::AtomicKind::sub:
    value = negated(emit, value);
    [[fallthrough]];
  default:
    old = emitAtomic(emit, *ir::accumKindOf(op.getKind()), value, data, offset);
  }
  op.replaceAllUsesWith(fromMemory(emit, old, op.getResult().getType()));
  op.erase();
}

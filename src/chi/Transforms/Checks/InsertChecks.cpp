//===- InsertChecks.cpp - Check the indices of every access ---------------===//
#include "chi/Support/Optimisations.h"
#include "chi/Transforms/Checks/Passes.h"

#include "chi/Analysis/Ranges.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/ScopedHashTable.h"

namespace chi::checks {
#define GEN_PASS_DEF_INSERTCHECKSPASS
#include "chi/Transforms/Checks/Passes.h.inc"
} // namespace chi::checks

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

namespace {
/// An index and its bound: a constant, or the extent of an axis of a field.
struct Checked {
  Value index;
  Value field;
  int64_t extentOrAxis;
};
} // namespace

template <> struct llvm::DenseMapInfo<Checked> {
  using Values = DenseMapInfo<Value>;
  static Checked getEmptyKey() { return {Values::getEmptyKey(), {}, 0}; }
  static Checked getTombstoneKey() {
    return {Values::getTombstoneKey(), {}, 0};
  }
  static unsigned getHashValue(const Checked &key) {
    return llvm::hash_combine(Values::getHashValue(key.index),
                              Values::getHashValue(key.field),
                              key.extentOrAxis);
  }
  static bool isEqual(const Checked &a, const Checked &b) {
    return a.index == b.index && a.field == b.field &&
           a.extentOrAxis == b.extentOrAxis;
  }
};

namespace {
class Inserter {
public:
  /// `repeats`: accesses with checks are checked again.
  Inserter(MLIRContext *context, bool repeats)
      : builder(context), repeats(repeats) {}

  /// Checks all accesses in a region; the checks outside of it count.
  void visit(Region &region) {
    for (Block &block : region) {
      Table::ScopeTy scope(table);
      for (Operation &op : llvm::make_early_inc_range(block)) {
        if (auto access = dyn_cast<ir::FieldAccessOpInterface>(op))
          visit(access);
        for (Region &inner : op.getRegions())
          visit(inner);
      }
    }
  }

private:
  using Table = llvm::ScopedHashTable<Checked, bool>;

  void visit(ir::FieldAccessOpInterface access) {
    // Lanes are made of accesses that have been checked.
    if (access.getInbounds() ||
        llvm::any_of(access.getIndices(), [](Value index) {
          return !isa<IntegerType>(index.getType());
        }))
      return;
    builder.setInsertionPoint(access);
    ir::FieldType type = access.getField().getType();
    for (auto [axis, index] : llvm::enumerate(access.getIndices()))
      if (type.isDynamicDim(axis))
        checkDynamic(access, index, axis);
      else
        checkStatic(access, index, type.getShape()[axis], axis);
    if (Value component = access.getDynamicComponent()) {
      if (auto first = access.getComponent()) {
        Value start = constant(access, component.getType(), first);
        component =
            arith::AddIOp::create(builder, access.getLoc(), component, start);
      }
      checkStatic(access, component, type.getNumComponents(), type.getRank());
    }
    access.markInbounds();
  }

  Value constant(Operation *at, Type type, int64_t value) {
    return arith::ConstantOp::create(builder, at->getLoc(),
                                     builder.getIntegerAttr(type, value));
  }

  /// The index in at least `bits` bits.
  Value widened(Operation *at, Value index, unsigned bits) {
    if (widthOf(index.getType()) >= bits)
      return index;
    return arith::ExtSIOp::create(builder, at->getLoc(),
                                  builder.getIntegerType(bits), index);
  }

  bool isNew(Checked key) {
    if (table.count(key))
      return repeats;
    table.insert(key, true);
    return true;
  }

  void checkStatic(ir::FieldAccessOpInterface access, Value index,
                   int64_t extent, int64_t axis) {
    auto known = constantOf(index);
    if ((known && *known >= 0 && *known < extent) ||
        !isNew({index, {}, extent}))
      return;
    index = widened(access, index, fits(extent, extent, 32) ? 32 : 64);
    emit(access, index, constant(access, index.getType(), extent), axis);
  }

  void checkDynamic(ir::FieldAccessOpInterface access, Value index,
                    int64_t axis) {
    Value field = access.getField();
    if (!isNew({index, fieldBelowCasts(field), axis}))
      return;
    // In 64 bits: the extent may not fit into the index's type.
    index = widened(access, index, 64);
    Value extent =
        ir::DimOp::create(builder, access->getLoc(), builder.getI64Type(),
                          field, builder.getI64IntegerAttr(axis));
    emit(access, index, extent, axis);
  }

  void emit(ir::FieldAccessOpInterface access, Value index, Value extent,
            int64_t axis) {
    Location loc = access->getLoc();
    Value ok = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                     index, extent);
    auto name = access.getFieldNameAttr();
    auto kind =
        ir::CheckKindAttr::get(builder.getContext(), ir::CheckKind::bounds);
    auto check = ir::CheckOp::create(
        builder, loc, kind, ok, ValueRange{index, extent},
        name ? name : builder.getStringAttr(""),
        builder.getI64IntegerAttr(axis), /*parts=*/ArrayAttr(),
        /*site=*/IntegerAttr());
    auto mask = access.getUnsignedAxesAttr();
    if (mask && (mask.getInt() >> axis & 1))
      check.setIsUnsigned(true);
  }

  OpBuilder builder;
  bool repeats;
  Table table;
};

/// The cast that an index is, except for steps of a constant; null if it is
/// none.
ir::ToIntOp castOf(Value index) {
  while (Operation *op = index.getDefiningOp()) {
    if (auto cast = dyn_cast<ir::ToIntOp>(op))
      return cast;
    bool isStep = isa<arith::AddIOp, arith::SubIOp>(op) &&
                  matchPattern(op->getOperand(1), m_Constant());
    if (!isStep && !isa<arith::ExtSIOp>(op))
      return {};
    index = op->getOperand(0);
  }
  return {};
}

/// The float, or 0 for a NaN.
Value withoutNan(OpBuilder &builder, Location loc, Value value) {
  Value zero = arith::ConstantOp::create(builder, loc,
                                         builder.getZeroAttr(value.getType()));
  Value isNumber = arith::CmpFOp::create(
      builder, loc, arith::CmpFPredicate::ORD, value, value);
  return arith::SelectOp::create(builder, loc, isNumber, value, zero);
}

/// A cast that is surely an index need not saturate where indices are assumed
/// to be valid, if nothing before it can end the iteration. A NaN is index 0
/// all the same.
void trustCasts(ir::FieldAccessOpInterface access) {
  for (Value index : access.getIndices()) {
    ir::ToIntOp cast = castOf(index);
    if (!cast || cast.getInrange() || cast->getBlock() != access->getBlock())
      continue;
    Operation *op = cast->getNextNode();
    while (op && op != access && op->getNumRegions() == 0 &&
           !isa<ir::CheckOp, func::CallOp>(op))
      op = op->getNextNode();
    if (op != access)
      continue;
    OpBuilder builder(cast);
    cast.getOperandMutable().assign(
        withoutNan(builder, cast.getLoc(), cast.getOperand()));
    cast.setInrange(true);
  }
}

struct InsertChecksPass : checks::impl::InsertChecksPassBase<InsertChecksPass> {
  using InsertChecksPassBase::InsertChecksPassBase;

  void runOnOperation() override {
    if (!unchecked) {
      bool repeats =
          OptimisationSet::of(without).has(Optimisation::RemovedChecks);
      Inserter(&getContext(), repeats).visit(getOperation().getBodyRegion());
      return;
    }
    getOperation().walk([](ir::FieldAccessOpInterface access) {
      access.markInbounds();
      trustCasts(access);
    });
  }
};
} // namespace

//===- LanesElements.cpp - Lanes take whole elements ----------------------===//
// Lanes of a step of one touch neighbouring elements. If these have several
// scalars side by side, each scalar by itself is a gather, an accumulation a
// gather and a scatter. All scalars of all lanes are one stretch of memory:
// it is loaded as a row, from which shuffles take what is asked for, and stored
// as a row. In between the scalars are values.
#include "chi/Transforms/Vectorize/LanesElements.h"

#include "chi/Dialect/Chi/MemoryOrder.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace chi;
using namespace chi::vectorize;

namespace {
/// Accesses of a block to the same elements, between whose first and last
/// nothing else looks at the field.
struct ElementGroup {
  SmallVector<ir::FieldAccessOpInterface> members;
  Operation *end = nullptr; ///< the stored values precede it
};
} // namespace

static bool isWrite(ir::FieldAccessOpInterface access) {
  return !isa<ir::LoadOp>(access.getOperation());
}

static Value rootOf(Value field) {
  while (auto cast = field.getDefiningOp<ir::CastFieldOp>())
    field = cast.getField();
  return field;
}

/// A load, a store or a sum of all lanes whose elements lie side by side.
static bool isElementwise(ir::FieldAccessOpInterface access) {
  ir::FieldType field = access.getField().getType();
  IntegerAttr unit = access.getUnitAxisAttr();
  int64_t components = field.getNumComponents();
  if (!unit || access.getReversed() || access.getMask() ||
      access.getDynamicComponent() || !ir::hasAdjacentComponents(field) ||
      components < 2 || components > kMaxComponents ||
      field.getScalar().isInteger(1))
    return false;
  std::optional<unsigned> last = ir::innermostAxis(field);
  if (!last || unit.getInt() != *last)
    return false;
  if (auto accum = dyn_cast<ir::AccumOp>(access.getOperation()))
    return accum.getInbounds() && accum.getKind() == ir::AccumKind::add &&
           accum.getStrategy() == ir::AccumStrategy::plain &&
           isa<FloatType>(field.getScalar());
  if (auto load = dyn_cast<ir::LoadOp>(access.getOperation()))
    return load.getInbounds();
  auto store = dyn_cast<ir::StoreOp>(access.getOperation());
  return store && store.getInbounds();
}

static bool haveSameElement(ir::FieldAccessOpInterface a,
                            ir::FieldAccessOpInterface b) {
  return a.getField() == b.getField() &&
         llvm::equal(a.getIndices(), b.getIndices()) &&
         a.getUnitAxisAttr() == b.getUnitAxisAttr();
}

//===----------------------------------------------------------------------===//
// Which accesses go together
//===----------------------------------------------------------------------===//

namespace {
/// Goes through a block and collects its groups.
class GroupFinder {
public:
  explicit GroupFinder(Block &block) {
    for (Operation &op : block)
      visit(op);
  }
  SmallVector<ElementGroup> groups;

private:
  void visit(Operation &op) {
    if (auto access = dyn_cast<ir::FieldAccessOpInterface>(op))
      return visitAccess(access);
    if (isa<ir::CheckOp>(op))
      return close(&op, [](ElementGroup &group) {
        return llvm::any_of(group.members, isWrite);
      });
    if (op.getNumRegions())
      return visitRegions(op);
    if (op.hasTrait<OpTrait::IsTerminator>() || !isMemoryEffectFree(&op))
      close(&op, [](ElementGroup &) { return true; });
  }

  /// Loops and branches that do not look at a field leave it in registers.
  void visitRegions(Operation &op) {
    bool mayStop = false, doesMore = false;
    llvm::SmallDenseMap<Value, bool> touched; // whether it writes there
    op.walk([&](Operation *inner) {
      if (auto access = dyn_cast<ir::FieldAccessOpInterface>(inner))
        touched[rootOf(access.getField())] |= isWrite(access);
      else if (isa<ir::CheckOp>(inner))
        mayStop = true;
      else if (!inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
        doesMore |= !isMemoryEffectFree(inner);
    });
    close(&op, [&](ElementGroup &group) {
      auto access = touched.find(rootOf(group.members.front().getField()));
      bool isWritten = llvm::any_of(group.members, isWrite);
      return doesMore || (mayStop && isWritten) ||
             (access != touched.end() && (access->second || isWritten));
    });
  }

  void visitAccess(ir::FieldAccessOpInterface access) {
    Value root = rootOf(access.getField());
    auto known = open.find(root);
    if (known != open.end()) {
      ElementGroup &group = groups[known->second];
      if (isElementwise(access) &&
          haveSameElement(group.members.front(), access)) {
        group.members.push_back(access);
        return;
      }
      // Two loads do not disturb each other.
      if (!isWrite(access) && llvm::none_of(group.members, isWrite))
        return;
      group.end = access;
      open.erase(known);
    }
    if (!isElementwise(access))
      return;
    open[root] = groups.size();
    groups.push_back({{access}, nullptr});
  }

  void close(Operation *end, function_ref<bool(ElementGroup &)> isOver) {
    open.remove_if([&](const auto &entry) {
      ElementGroup &group = groups[entry.second];
      if (!isOver(group))
        return false;
      group.end = end;
      return true;
    });
  }

  llvm::MapVector<Value, size_t> open; ///< by the field
};
} // namespace

//===----------------------------------------------------------------------===//
// Scalars side by side
//===----------------------------------------------------------------------===//

static Value pick(OpBuilder &b, Value from, int64_t start, int64_t step) {
  int64_t count = ir::lanesOf(from.getType()) / step;
  SmallVector<int64_t> positions;
  for (int64_t k = 0; k < count; ++k)
    positions.push_back(start + k * step);
  return vector::ShuffleOp::create(b, from.getLoc(), from, from, positions);
}

/// Every `count`th scalar of a row, from each of the first ones on. Halves of
/// halves take fewer shuffles.
static SmallVector<Value> deinterleave(OpBuilder &b, Value row, int64_t count) {
  if (count == 1)
    return {row};
  SmallVector<Value> parts;
  if (count % 2) {
    for (int64_t k = 0; k < count; ++k)
      parts.push_back(pick(b, row, k, count));
    return parts;
  }
  SmallVector<Value> even = deinterleave(b, pick(b, row, 0, 2), count / 2);
  SmallVector<Value> odd = deinterleave(b, pick(b, row, 1, 2), count / 2);
  for (auto [left, right] : llvm::zip(even, odd)) {
    parts.push_back(left);
    parts.push_back(right);
  }
  return parts;
}

/// All lanes of both, in order.
static Value joined(OpBuilder &b, Value left, Value right) {
  int64_t count = ir::lanesOf(left.getType()) + ir::lanesOf(right.getType());
  return vector::ShuffleOp::create(
      b, left.getLoc(), left, right,
      llvm::to_vector(llvm::seq<int64_t>(0, count)));
}

/// The reverse of deinterleave.
static Value putTogether(OpBuilder &b, ArrayRef<Value> parts) {
  int64_t count = int64_t(parts.size());
  if (count == 1)
    return parts.front();
  int64_t lanes = ir::lanesOf(parts.front().getType());
  SmallVector<int64_t> positions;
  if (count % 2) {
    Value all = parts.front();
    for (Value part : parts.drop_front())
      all = joined(b, all, part);
    for (int64_t k = 0; k < lanes * count; ++k)
      positions.push_back(k % count * lanes + k / count);
    return vector::ShuffleOp::create(b, all.getLoc(), all, all, positions);
  }
  SmallVector<Value> even, odd;
  for (auto [number, part] : llvm::enumerate(parts))
    (number % 2 ? odd : even).push_back(part);
  Value left = putTogether(b, even), right = putTogether(b, odd);
  int64_t half = lanes * count / 2;
  for (int64_t k = 0; k < 2 * half; ++k)
    positions.push_back(k % 2 * half + k / 2);
  return vector::ShuffleOp::create(b, left.getLoc(), left, right, positions);
}

/// An index of neighbours: that of the first lane.
static Value firstOf(OpBuilder &b, Value index) {
  if (!ir::lanesOf(index.getType()))
    return index;
  return vector::ExtractOp::create(b, index.getLoc(), index, 0);
}

//===----------------------------------------------------------------------===//
// One group
//===----------------------------------------------------------------------===//

namespace {
/// Rewrites the accesses of a group, in their order.
class GroupRewriter {
public:
  explicit GroupRewriter(ElementGroup &group)
      : group(group), field(group.members.front().getField().getType()),
        values(field.getNumComponents()), isStored(values.size()),
        b(group.members.front()->getContext()) {}

  void run() {
    if (!isWorthwhile())
      return;
    ir::FieldAccessOpInterface like = group.members.back();
    Value memory = like.getField();
    Location loc = like.getLoc();
    name = like.getFieldNameAttr();
    for (ir::FieldAccessOpInterface member : group.members)
      visit(member);
    if (isStored.none())
      return;
    b.setInsertionPoint(group.end);
    auto store =
        ir::StoreOp::create(b, loc, putTogether(b, values), memory, positions,
                            Value(), uint64_t(0), /*inbounds=*/true);
    describe(store);
  }

private:
  /// Stores write all scalars: otherwise other iterations may own some of them.
  /// Without stores there are only loads.
  bool isWorthwhile() {
    llvm::SmallBitVector touched(values.size()), written(values.size());
    for (ir::FieldAccessOpInterface member : group.members) {
      touched.set(member.getComponent());
      if (isWrite(member))
        written.set(member.getComponent());
    }
    if (written.any() && !written.all()) {
      auto first = llvm::find_if(group.members, isWrite);
      group.members.erase(first, group.members.end());
      if (group.members.empty())
        return false;
      return isWorthwhile();
    }
    return 2 * touched.count() >= touched.size();
  }

  void visit(ir::FieldAccessOpInterface member) {
    b.setInsertionPoint(member);
    if (positions.empty())
      for (Value index : member.getIndices())
        positions.push_back(firstOf(b, index));
    Value &value = values[member.getComponent()];
    if (auto store = dyn_cast<ir::StoreOp>(member.getOperation())) {
      value = store.getValue();
      isStored.set(member.getComponent());
    } else {
      load(member);
      if (auto accum = dyn_cast<ir::AccumOp>(member.getOperation())) {
        value = sum(accum, value);
        isStored.set(member.getComponent());
      } else {
        member->getResult(0).replaceAllUsesWith(value);
      }
    }
    member->erase();
  }

  /// Scalars without a known value are loaded.
  void load(ir::FieldAccessOpInterface member) {
    Value &value = values[member.getComponent()];
    if (value)
      return;
    if (loaded.empty()) {
      auto type = VectorType::get(
          {lanesOfGroup(member) * int64_t(values.size())}, field.getScalar());
      auto row = ir::LoadOp::create(b, member.getLoc(), type, member.getField(),
                                    positions, Value(), uint64_t(0),
                                    /*inbounds=*/true);
      describe(row);
      loaded = deinterleave(b, row, int64_t(values.size()));
    }
    value = loaded[member.getComponent()];
  }

  int64_t lanesOfGroup(ir::FieldAccessOpInterface member) {
    return ir::lanesOf(
        member.getIndices()[member.getUnitAxisAttr().getInt()].getType());
  }

  /// With the flags of the addend.
  Value sum(ir::AccumOp accum, Value old) {
    auto added =
        accum.getValue().getDefiningOp<arith::ArithFastMathInterface>();
    arith::FastMathFlagsAttr flags =
        added ? added.getFastMathFlagsAttr() : nullptr;
    auto result =
        arith::AddFOp::create(b, accum.getLoc(), old, accum.getValue());
    if (flags)
      result.setFastmathAttr(flags);
    return result;
  }

  void describe(ir::FieldAccessOpInterface row) {
    row.setContiguous(true);
    row.setFieldNameAttr(name);
  }

  ElementGroup &group;
  ir::FieldType field;
  SmallVector<Value> values; ///< of the scalars, where known
  llvm::SmallBitVector isStored;
  SmallVector<Value> loaded; ///< the old values of the row
  SmallVector<Value> positions; ///< indices of the first lane
  StringAttr name;
  OpBuilder b;
};
} // namespace

void vectorize::joinElements(ir::TaskOp task) {
  SmallVector<ElementGroup> groups;
  task.getWide().walk([&](Block *block) {
    llvm::append_range(groups, GroupFinder(*block).groups);
  });
  for (ElementGroup &group : groups)
    GroupRewriter(group).run();
}

void vectorize::sinkSums(ir::TaskOp task) {
  SmallVector<ir::AccumOp> sums;
  for (auto access : task.getWide().getOps<ir::FieldAccessOpInterface>()) {
    auto accum = dyn_cast<ir::AccumOp>(access.getOperation());
    if (accum && accum.getStrategy() == ir::AccumStrategy::privatized)
      sums.push_back(accum);
  }
  for (ir::AccumOp sum : ArrayRef(sums).drop_back(sums.empty() ? 0 : 1))
    sum->moveBefore(sums.back());
}

//===- Lanes.cpp - Operations of several iterations at once ---------------===//

#include "chi/Conversion/Iteration/IterationLowering.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

namespace {
/// Where the lanes of an access touch a field.
struct LaneAddresses {
  Value base;              ///< an index
  Value offsets;           ///< lanes of i64, added to the base; null: 0, 1, 2 …
  bool isReversed = false; ///< the last lane's place is the base
};
} // namespace

static Value dense(Emitter &emit, VectorType type, ArrayRef<int64_t> values) {
  SmallVector<Attribute> attrs;
  for (int64_t value : values)
    attrs.push_back(emit.builder.getIntegerAttr(type.getElementType(), value));
  return arith::ConstantOp::create(emit.builder, emit.loc,
                                   DenseElementsAttr::get(type, attrs));
}

static Value spread(Emitter &emit, Value scalar, int64_t lanes) {
  auto type = VectorType::get({lanes}, scalar.getType());
  if (auto known = constantOf(scalar))
    return dense(emit, type, *known);
  return vector::BroadcastOp::create(emit.builder, emit.loc, type, scalar);
}

static Value firstLane(Emitter &emit, Value value) {
  if (!ir::lanesOf(value.getType()))
    return value;
  return vector::ExtractOp::create(emit.builder, emit.loc, value, 0);
}

/// How far apart in memory two elements are whose index differs by one on an
/// axis; the axis after the last is the component.
static Value strideOf(Emitter &emit, const FieldView &field, unsigned axis) {
  unsigned rank = field.type.getRank();
  SmallVector<Value> zeros(rank, emit.index(0)), indices = zeros;
  Value zero = emit.index(0), dynamic = zero;
  if (axis == rank)
    dynamic = emit.index(1);
  else
    indices[axis] = emit.index(1);
  return emit.sub(scalarOffset(emit, field, indices, dynamic, 0),
                  scalarOffset(emit, field, zeros, zero, 0));
}

/// lanes of `index` times the stride, as i64.
static Value scaled(Emitter &emit, Value index, Value stride, int64_t lanes) {
  OpBuilder &b = emit.builder;
  auto type = VectorType::get({lanes}, b.getI64Type());
  Value wide = index;
  if (index.getType() != type)
    wide = getElementTypeOrSelf(index.getType()).getIntOrFloatBitWidth() < 64
               ? Value(arith::ExtSIOp::create(b, emit.loc, type, index))
               : index;
  if (constantOf(stride) == 1)
    return wide;
  return arith::MulIOp::create(b, emit.loc, wide,
                               spread(emit, emit.toI64(stride), lanes));
}

/// A value and a constant whose sum is the index of an access that is inside
/// of its field (where sums cannot have wrapped), or does not wrap.
static std::pair<Value, int64_t> splitIndex(Value index, bool inbounds) {
  auto add = index.getDefiningOp<arith::AddIOp>();
  auto constant = add ? constantOf(add.getRhs()) : std::nullopt;
  bool wraps = index.getType().getIntOrFloatBitWidth() < 32 || !inbounds;
  if (!constant ||
      (wraps && !arith::bitEnumContainsAll(add.getOverflowFlags(),
                                           arith::IntegerOverflowFlags::nsw)))
    return {index, 0};
  return {add.getLhs(), *constant};
}

/// The start of a row: the common part of all rows of a neighbourhood, plus the
/// constant part, so that the latter becomes the displacement of an address.
static Value rowOffset(Emitter &emit, const FieldView &field,
                       ir::FieldAccessOpInterface access) {
  bool inbounds = llvm::TypeSwitch<Operation *, bool>(access)
                      .Case<ir::LoadOp, ir::StoreOp, ir::AccumOp>(
                          [](auto op) { return op.getInbounds(); })
                      .Default(false);
  SmallVector<Value> bases, steps;
  for (Value index : access.getIndices()) {
    auto [base, step] = splitIndex(index, inbounds);
    bases.push_back(base);
    steps.push_back(emit.index(step));
  }
  Value none = emit.index(0), dynamic = access.getDynamicComponent();
  Value base = scalarOffset(emit, field, bases, dynamic ? dynamic : none, 0);
  Value rest = scalarOffset(emit, field, steps, none, access.getComponent());
  return emit.add(base, rest);
}

static LaneAddresses addressesOf(Emitter &emit, const FieldView &field,
                                 ir::FieldAccessOpInterface access,
                                 int64_t lanes) {
  if (access.getContiguous())
    return {rowOffset(emit, field, access), Value()};
  IntegerAttr unit = access.getUnitAxisAttr();
  SmallVector<Value> indices;
  SmallVector<std::pair<Value, unsigned>> varying;
  for (auto [axis, index] : llvm::enumerate(access.getIndices())) {
    bool isUnit = unit && unit.getInt() == static_cast<int64_t>(axis);
    if (!ir::lanesOf(index.getType()) || isUnit) {
      indices.push_back(firstLane(emit, index));
      continue;
    }
    indices.push_back(emit.index(0));
    varying.push_back({index, static_cast<unsigned>(axis)});
  }
  Value dynamic = access.getDynamicComponent();
  if (dynamic && ir::lanesOf(dynamic.getType())) {
    varying.push_back({dynamic, static_cast<unsigned>(indices.size())});
    dynamic = emit.index(0);
  }
  LaneAddresses addresses;
  addresses.base =
      scalarOffset(emit, field, indices, dynamic, access.getComponent());
  auto type = VectorType::get({lanes}, emit.builder.getI64Type());
  if (unit) {
    Value stride = strideOf(emit, field, unit.getInt());
    bool isReversed = access.getReversed();
    if (constantOf(stride) == 1) {
      addresses.isReversed = isReversed;
      if (isReversed)
        addresses.base = emit.sub(addresses.base, emit.index(lanes - 1));
      return addresses;
    }
    auto numbers = llvm::to_vector(llvm::seq<int64_t>(0, lanes));
    for (int64_t &number : numbers)
      number = isReversed ? -number : number;
    addresses.offsets = scaled(emit, dense(emit, type, numbers), stride, lanes);
    return addresses;
  }
  for (auto [index, axis] : varying) {
    Value part = scaled(emit, index, strideOf(emit, field, axis), lanes);
    addresses.offsets =
        addresses.offsets ? emit.add(addresses.offsets, part) : part;
  }
  if (!addresses.offsets)
    addresses.offsets = dense(emit, type, int64_t(0));
  return addresses;
}

/// The last lane first. The operands of comparisons are reversed, not the
/// results: masks would be reversed lane by lane.
static Value reversed(Emitter &emit, Value value, unsigned depth = 0) {
  OpBuilder &b = emit.builder;
  int64_t lanes = ir::lanesOf(value.getType());
  Operation *op = value.getDefiningOp();
  if (lanes == 0 || isa_and_nonnull<vector::BroadcastOp>(op))
    return value;
  DenseElementsAttr known;
  if (matchPattern(value, m_Constant(&known))) {
    SmallVector<Attribute> elements(known.getValues<Attribute>());
    std::reverse(elements.begin(), elements.end());
    return arith::ConstantOp::create(
        b, emit.loc, DenseElementsAttr::get(known.getType(), elements));
  }
  constexpr unsigned kDeep = 4;
  if (depth < kDeep && isa_and_nonnull<arith::CmpIOp, arith::AddIOp,
                                       arith::SubIOp, arith::SelectOp>(op)) {
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand, reversed(emit, operand, depth + 1));
    return b.clone(*op, mapping)->getResult(0);
  }
  SmallVector<int64_t> order;
  for (int64_t lane = lanes - 1; lane >= 0; --lane)
    order.push_back(lane);
  return vector::ShuffleOp::create(b, emit.loc, value, value, order);
}

namespace {
/// Loads and stores of one access's lanes.
class LaneMemory {
public:
  LaneMemory(Emitter &emit, const FieldView &field,
             ir::FieldAccessOpInterface access, int64_t lanes)
      : emit(emit), field(field),
        addresses(addressesOf(emit, field, access, lanes)),
        scalar(field.type.getScalar()), lanes(lanes), mask(access.getMask()) {
    if (!mask)
      mask = dense(emit, VectorType::get({lanes}, emit.builder.getI1Type()),
                   int64_t(1));
  }

  /// As in memory; 0 where a lane is dead.
  Value load() {
    OpBuilder &b = emit.builder;
    auto type = VectorType::get({lanes}, memoryType(scalar));
    Value rest = arith::ConstantOp::create(b, emit.loc, b.getZeroAttr(type));
    if (!addresses.offsets)
      return inOrder(vector::MaskedLoadOp::create(
          b, emit.loc, type, field.data, addresses.base, inOrder(mask), rest));
    return vector::GatherOp::create(b, emit.loc, type, field.data,
                                    addresses.base, addresses.offsets, mask,
                                    rest);
  }

  void store(Value value) {
    OpBuilder &b = emit.builder;
    if (!addresses.offsets)
      vector::MaskedStoreOp::create(b, emit.loc, field.data, addresses.base,
                                    inOrder(mask), inOrder(value));
    else
      vector::ScatterOp::create(b, emit.loc, /*resultType=*/Type(), field.data,
                                addresses.base, addresses.offsets, mask, value,
                                IntegerAttr());
  }

  Value toMemory(Value value) {
    if (!scalar.isInteger(1))
      return value;
    auto type = VectorType::get({lanes}, memoryType(scalar));
    return arith::ExtUIOp::create(emit.builder, emit.loc, type, value);
  }
  Value fromMemory(Value value) {
    if (!scalar.isInteger(1))
      return value;
    auto type = VectorType::get({lanes}, scalar);
    return arith::TruncIOp::create(emit.builder, emit.loc, type, value);
  }

private:
  /// From the order of lanes to that of memory, or back.
  Value inOrder(Value value) {
    return addresses.isReversed ? reversed(emit, value) : value;
  }

  Emitter &emit;
  const FieldView &field;
  LaneAddresses addresses;
  Type scalar;
  int64_t lanes;
  Value mask;
};
} // namespace

bool IterationLowering::lowerLanes(Operation *op) {
  auto access = dyn_cast<ir::FieldAccessOpInterface>(op);
  if (!access || !isa<ir::LoadOp, ir::StoreOp, ir::AccumOp>(op))
    return false;
  auto load = dyn_cast<ir::LoadOp>(op);
  Value value = load ? load.getResult() : op->getOperand(0);
  int64_t lanes = ir::lanesOf(value.getType());
  if (!lanes)
    return false;
  if (isLaneSum(op))
    return lowerLaneSum(cast<ir::AccumOp>(op)), true;
  Emitter emit(builder, op);
  LaneMemory memory(emit, viewOf(access.getField()), access, lanes);
  if (load) {
    value.replaceAllUsesWith(memory.fromMemory(memory.load()));
  } else if (auto accum = dyn_cast<ir::AccumOp>(op)) {
    if (nest.isAtomic(accum)) {
      accumLanesAtomically(emit, accum, lanes);
      op->erase();
      return true;
    }
    // A plain one, or a private row: the lanes touch different elements.
    Value sum = combine(emit, accum.getKind(), memory.load(),
                        memory.toMemory(value), flags);
    memory.store(sum);
  } else {
    memory.store(memory.toMemory(value));
  }
  op->erase();
  return true;
}

/// A row that other workers may add to at the same time, lane by lane.
void IterationLowering::accumLanesAtomically(Emitter &emit, ir::AccumOp op,
                                             int64_t lanes) {
  assert(op.getContiguous() && "chi-lanes widens no private ones");
  Value offset = offsetOf(emit, op);
  DenseElementsAttr live;
  if (op.getMask())
    matchPattern(op.getMask(), m_Constant(&live));
  for (int64_t lane = 0; lane < lanes; ++lane) {
    if (live && !live.getValues<bool>()[lane])
      continue;
    accumAtomically(
        emit, op,
        vector::ExtractOp::create(builder, emit.loc, op.getValue(), lane),
        emit.add(offset, emit.index(lane)));
  }
}

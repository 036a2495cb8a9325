//===- RowsPack.cpp - Equal operations as one on vectors ------------------===//
// Vectors of what stands in a row are built backwards, as S. Larsen and
// S. Amarasinghe, "Exploiting superword level parallelism" (PLDI 2000), and
// LLVM's SLP vectoriser do. What is known here, and not there, is that a row is
// a row and that the lengths of rows need not be powers of two.
#include "chi/Transforms/SLP/Rows.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace chi;
using namespace chi::slp;

/// Longer chains of equal operations are not followed.
static constexpr unsigned kMaxDepth = 16;

static VectorType vectorOf(ArrayRef<Value> lanes) {
  return VectorType::get({int64_t(lanes.size())}, lanes.front().getType());
}

bool slp::isElementwise(Operation *op) {
  auto isFloat = [](Type type) { return isa<FloatType>(type); };
  return op && op->getNumRegions() == 0 && op->getNumResults() == 1 &&
         op->getNumOperands() > 0 && !op->hasTrait<OpTrait::ConstantLike>() &&
         OpTrait::hasElementwiseMappableTraits(op) &&
         llvm::all_of(op->getResultTypes(), isFloat) &&
         llvm::all_of(op->getOperandTypes(), isFloat);
}

/// Was it made before the builder's place? Vectors are kept from place to
/// place of a block.
bool RowPacker::isThere(Value value) {
  Operation *op = value.getDefiningOp();
  return op->getBlock() == builder.getInsertionBlock() &&
         (builder.getInsertionPoint() == builder.getInsertionBlock()->end() ||
          op->isBeforeInBlock(&*builder.getInsertionPoint()));
}

Value RowPacker::pack(ArrayRef<Value> lanes, unsigned depth) {
  std::vector<void *> key;
  for (Value lane : lanes)
    key.push_back(lane.getAsOpaquePointer());
  if (auto known = made.find(key);
      known != made.end() && isThere(known->second))
    return known->second;
  Value result;
  if (llvm::all_equal(lanes))
    result = vector::BroadcastOp::create(builder, lanes.front().getLoc(),
                                         vectorOf(lanes), lanes.front());
  if (!result)
    result = packConstants(lanes);
  if (!result)
    result = packLoads(lanes);
  if (!result && depth < kMaxDepth)
    result = packEqual(lanes, depth);
  if (!result)
    result = packOneByOne(lanes);
  return made[key] = result;
}

Value RowPacker::packConstants(ArrayRef<Value> lanes) {
  SmallVector<Attribute> values;
  for (Value lane : lanes)
    if (!matchPattern(lane, m_Constant(&values.emplace_back())))
      return {};
  return arith::ConstantOp::create(
      builder, lanes.front().getLoc(),
      DenseElementsAttr::get(vectorOf(lanes), values));
}

static bool isInbounds(const AccessRow::Member &member) {
  return cast<ir::LoadOp>(member.op.getOperation()).getInbounds();
}

/// Of what is shuffled anyway whole registers are loaded, not pieces of them:
/// moves `low` and `high` apart to a power of two of places, as far as the row
/// goes. `low` stays as it is loaded above the builder's place.
void RowPacker::widen(const AccessRow &row, int64_t &low, int64_t &high) {
  int64_t lanes = llvm::PowerOf2Ceil(high - low + 1), highest = high;
  for (const AccessRow::Member &member : row.members)
    if (isInbounds(member))
      highest = std::max(highest, member.place);
  if (lanes > kMaxRow)
    return;
  std::optional<int64_t> first;
  for (const AccessRow::Member &member : row.members)
    if (member.place <= low && member.place + lanes > high &&
        member.place + lanes <= highest + 1 &&
        (!first || member.place < *first) && isInbounds(member) &&
        isThere(member.op->getResult(0)))
      first = member.place;
  if (first)
    low = *first, high = *first + lanes - 1;
}

/// Lanes that were loaded from one row: their range, then a shuffle.
Value RowPacker::packLoads(ArrayRef<Value> lanes) {
  std::optional<unsigned> row;
  SmallVector<int64_t> places;
  for (Value lane : lanes) {
    auto from = rows.placeOf(lane);
    if (!from || (row && *row != from->row))
      return {};
    row = from->row;
    places.push_back(from->place);
  }
  int64_t low = *llvm::min_element(places), high = *llvm::max_element(places);
  if (high - low >= kMaxRow || high == low)
    return {};
  const AccessRow &whole = rows.getRows()[*row];
  if (!llvm::equal(places, llvm::seq<int64_t>(low, high + 1)))
    widen(whole, low, high);
  int64_t span = high - low + 1;
  Operation *last = nullptr;
  ir::FieldAccessOpInterface first;
  bool inbounds = true;
  for (const AccessRow::Member &member : whole.members) {
    auto load = cast<ir::LoadOp>(member.op.getOperation());
    if (member.place == low)
      first = member.op;
    else if (!llvm::is_contained(lanes, load.getResult()))
      continue;
    if (!last || last->isBeforeInBlock(load))
      last = load;
    inbounds &= load.getInbounds();
  }
  Value loaded;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfter(last);
    loaded =
        createRowAccess(builder, first, span, Value(), inbounds)->getResult(0);
  }
  for (int64_t &place : places)
    place -= low;
  if (llvm::equal(places, llvm::seq<int64_t>(0, span)))
    return loaded;
  return vector::ShuffleOp::create(builder, last->getLoc(), loaded, loaded,
                                   places);
}

Value RowPacker::packEqual(ArrayRef<Value> lanes, unsigned depth) {
  Operation *first = lanes.front().getDefiningOp();
  if (!isElementwise(first))
    return {};
  for (Value lane : lanes.drop_front()) {
    Operation *op = lane.getDefiningOp();
    if (!op || op->getName() != first->getName() ||
        op->getOperandTypes() != first->getOperandTypes() ||
        op->getAttrDictionary() != first->getAttrDictionary())
      return {};
  }
  OperationState state(first->getLoc(), first->getName());
  state.addAttributes(first->getAttrDictionary().getValue());
  state.addTypes(vectorOf(lanes));
  for (unsigned k = 0; k < first->getNumOperands(); ++k)
    state.addOperands(
        pack(llvm::map_to_vector(lanes,
                                 [&](Value lane) {
                                   return lane.getDefiningOp()->getOperand(k);
                                 }),
             depth + 1));
  return builder.create(state)->getResult(0);
}

Value RowPacker::packOneByOne(ArrayRef<Value> lanes) {
  SmallVector<Value> different;
  SmallVector<int64_t> places;
  for (Value lane : lanes) {
    auto known = llvm::find(different, lane);
    places.push_back(known - different.begin());
    if (known == different.end())
      different.push_back(lane);
  }
  Location loc = lanes.front().getLoc();
  Value parts = vector::FromElementsOp::create(builder, loc,
                                               vectorOf(different), different);
  if (different.size() == lanes.size())
    return parts;
  return vector::ShuffleOp::create(builder, loc, parts, parts, places);
}

Operation *slp::createRowAccess(OpBuilder &builder,
                                ir::FieldAccessOpInterface first, int64_t lanes,
                                Value value, bool inbounds) {
  Operation *op = builder.clone(*first.getOperation());
  auto type = VectorType::get({lanes}, first.getField().getType().getScalar());
  if (auto load = dyn_cast<ir::LoadOp>(op)) {
    load.getResult().setType(type);
    load.setInbounds(inbounds);
  } else {
    auto accum = cast<ir::AccumOp>(op);
    accum.getValueMutable().assign(value);
    accum.setInbounds(inbounds);
  }
  cast<ir::FieldAccessOpInterface>(op).setContiguous(true);
  return op;
}

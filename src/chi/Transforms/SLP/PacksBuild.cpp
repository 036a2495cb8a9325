//===- PacksBuild.cpp - Equal operations as one on vectors ----------------===//
// Vectors of what stands in a pack are built backwards, as S. Larsen and
// S. Amarasinghe, "Exploiting superword level parallelism" (PLDI 2000), and
// LLVM's SLP vectoriser do. What is known here, and not there, is that a pack
// is a pack and that the lengths of packs need not be powers of two.
#include "chi/Transforms/SLP/SLP.h"

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
bool PackBuilder::isThere(Value value) {
  Operation *op = value.getDefiningOp();
  return op->getBlock() == builder.getInsertionBlock() &&
         (builder.getInsertionPoint() == builder.getInsertionBlock()->end() ||
          op->isBeforeInBlock(&*builder.getInsertionPoint()));
}

Value PackBuilder::pack(ArrayRef<Value> lanes, unsigned depth) {
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

Value PackBuilder::packConstants(ArrayRef<Value> lanes) {
  SmallVector<Attribute> values;
  for (Value lane : lanes)
    if (!matchPattern(lane, m_Constant(&values.emplace_back())))
      return {};
  return arith::ConstantOp::create(
      builder, lanes.front().getLoc(),
      DenseElementsAttr::get(vectorOf(lanes), values));
}

static bool isInbounds(const AccessPack::Member &member) {
  return cast<ir::LoadOp>(member.op.getOperation()).getInbounds();
}

/// Of what is shuffled anyway whole registers are loaded, not pieces of them:
/// moves `low` and `high` apart to a power of two of places, as far as the pack
/// goes. `low` stays as it is loaded above the builder's place.
void PackBuilder::widen(const AccessPack &pack, int64_t &low, int64_t &high) {
  int64_t lanes = llvm::PowerOf2Ceil(high - low + 1), highest = high;
  for (const AccessPack::Member &member : pack.members)
    if (isInbounds(member))
      highest = std::max(highest, member.position);
  if (lanes > kMaxPack)
    return;
  std::optional<int64_t> first;
  for (const AccessPack::Member &member : pack.members)
    if (member.position <= low && member.position + lanes > high &&
        member.position + lanes <= highest + 1 &&
        (!first || member.position < *first) && isInbounds(member) &&
        isThere(member.op->getResult(0)))
      first = member.position;
  if (first)
    low = *first, high = *first + lanes - 1;
}

/// Lanes that were loaded from one pack: their range, then a shuffle.
Value PackBuilder::packLoads(ArrayRef<Value> lanes) {
  std::optional<unsigned> pack;
  SmallVector<int64_t> positions;
  for (Value lane : lanes) {
    auto from = packs.positionOf(lane);
    if (!from || (pack && *pack != from->pack))
      return {};
    pack = from->pack;
    positions.push_back(from->position);
  }
  int64_t low = *llvm::min_element(positions),
          high = *llvm::max_element(positions);
  if (high - low >= kMaxPack || high == low)
    return {};
  const AccessPack &whole = packs.getPacks()[*pack];
  if (!llvm::equal(positions, llvm::seq<int64_t>(low, high + 1)))
    widen(whole, low, high);
  int64_t span = high - low + 1;
  Operation *last = nullptr;
  ir::FieldAccessOpInterface first;
  bool inbounds = true;
  for (const AccessPack::Member &member : whole.members) {
    auto load = cast<ir::LoadOp>(member.op.getOperation());
    if (member.position == low)
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
        createPackAccess(builder, first, span, Value(), inbounds)->getResult(0);
  }
  for (int64_t &position : positions)
    position -= low;
  if (llvm::equal(positions, llvm::seq<int64_t>(0, span)))
    return loaded;
  return vector::ShuffleOp::create(builder, last->getLoc(), loaded, loaded,
                                   positions);
}

Value PackBuilder::packEqual(ArrayRef<Value> lanes, unsigned depth) {
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

Value PackBuilder::packOneByOne(ArrayRef<Value> lanes) {
  SmallVector<Value> different;
  SmallVector<int64_t> positions;
  for (Value lane : lanes) {
    auto known = llvm::find(different, lane);
    positions.push_back(known - different.begin());
    if (known == different.end())
      different.push_back(lane);
  }
  Location loc = lanes.front().getLoc();
  Value parts = vector::FromElementsOp::create(builder, loc,
                                               vectorOf(different), different);
  if (different.size() == lanes.size())
    return parts;
  return vector::ShuffleOp::create(builder, loc, parts, parts, positions);
}

Operation *slp::createPackAccess(OpBuilder &builder,
                                 ir::FieldAccessOpInterface first,
                                 int64_t lanes, Value value, bool inbounds) {
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

//===- PacksFind.cpp - Which accesses lie side by side --------------------===//
#include "chi/Transforms/SLP/SLP.h"

#include "chi/Dialect/Chi/MemoryOrder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace chi;
using namespace chi::slp;

int64_t AccessPack::lowest() const {
  int64_t low = members.front().position;
  for (const Member &member : members)
    low = std::min(low, member.position);
  return low;
}

static Value rootOf(Value field) {
  while (auto cast = field.getDefiningOp<ir::CastFieldOp>())
    field = cast.getField();
  return field;
}

static bool mayAliasByType(Value a, Value b) {
  return a == b || ir::mayAliasByType(cast<ir::FieldType>(a.getType()),
                                      cast<ir::FieldType>(b.getType()));
}

/// A value and a constant whose sum, which does not wrap, is the index. Where
/// all accesses are inside of a field, sums that wrap around 32 bits and more
/// would not be: extents are less than half of that.
static std::pair<Value, int64_t> splitIndex(Value index, bool inbounds) {
  int64_t offset = 0;
  inbounds &= index.getType().getIntOrFloatBitWidth() >= 32;
  for (;;) {
    APInt constant;
    if (matchPattern(index, m_ConstantInt(&constant)))
      return {Value(), offset + constant.getSExtValue()};
    Operation *op = index.getDefiningOp();
    if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op) ||
        !matchPattern(op->getOperand(1), m_ConstantInt(&constant)))
      return {index, offset};
    auto flags = cast<arith::ArithIntegerOverflowFlagsInterface>(op)
                     .getOverflowAttr()
                     .getValue();
    if (!inbounds &&
        !arith::bitEnumContainsAll(flags, arith::IntegerOverflowFlags::nsw))
      return {index, offset};
    int64_t step = constant.getSExtValue();
    offset += isa<arith::AddIOp>(op) ? step : -step;
    index = op->getOperand(0);
  }
}

static bool isInbounds(ir::FieldAccessOpInterface op) {
  auto load = dyn_cast<ir::LoadOp>(op.getOperation());
  auto accum = dyn_cast<ir::AccumOp>(op.getOperation());
  return load ? load.getInbounds() : accum && accum.getInbounds();
}

PackFinder::PackFinder(Block &block, bool strict) : strict(strict) {
  for (Operation &op : llvm::make_early_inc_range(block))
    visit(op);
}

std::optional<PackFinder::Position> PackFinder::positionOf(Value value) const {
  auto known = positions.find(value.getDefiningOp());
  if (known == positions.end())
    return std::nullopt;
  return known->second;
}

void PackFinder::visit(Operation &op) {
  if (auto access = dyn_cast<ir::FieldAccessOpInterface>(op))
    return visitAccess(access);
  if (isa<ir::CheckOp>(op))
    ++checks;
  else if (op.getNumRegions() || !isMemoryEffectFree(&op))
    ++barriers;
}

void PackFinder::visitAccess(ir::FieldAccessOpInterface op) {
  int64_t position = 0;
  std::optional<Key> key = keyOf(op, position);
  count(op);
  if (!key)
    return;
  bool isLoad = isa<ir::LoadOp>(op.getOperation());
  if (isLoad && isRepeated(op, *key, position))
    return;
  // A load must not come before its check; an accumulation may come later.
  key->push_back(isLoad ? checks : 0);
  auto known = open.find(*key);
  if (known == open.end() || packs[known->second].members.size() > 256) {
    known = open.insert_or_assign(*key, packs.size()).first;
    AccessPack pack;
    pack.isLoad = isLoad;
    pack.isScattered = llvm::any_of(
        op.getIndices(), [&](Value index) { return isFromMemory(index); });
    packs.push_back(std::move(pack));
  }
  AccessPack &pack = packs[known->second];
  for (const AccessPack::Member &member : pack.members)
    if (member.position == position) {
      // An accumulation to the same element starts another pack.
      open.erase(known);
      packs.push_back({{{position, op}}, false, pack.isScattered});
      open[*key] = packs.size() - 1;
      return;
    }
  pack.members.push_back({position, op});
  if (pack.isLoad)
    positions[op] = {known->second, position};
}

/// Was that loaded before, and not written since?
bool PackFinder::isRepeated(ir::FieldAccessOpInterface op, Key key,
                            int64_t position) {
  key.push_back(position);
  auto [known, isFirst] = loaded.try_emplace(std::move(key), op);
  if (isFirst)
    return false;
  op->replaceAllUsesWith(known->second);
  op->erase();
  return true;
}

/// The properties that must be equal for two accesses to be in one pack;
/// nothing if the access is in none.
std::optional<PackFinder::Key> PackFinder::keyOf(ir::FieldAccessOpInterface op,
                                                 int64_t &position) {
  auto accum = dyn_cast<ir::AccumOp>(op.getOperation());
  ir::FieldType field = op.getField().getType();
  if (!(isa<ir::LoadOp>(op.getOperation()) ||
        (accum && accum.getStrategy() == ir::AccumStrategy::privatized)) ||
      op.getDynamicComponent() || op.getMask() ||
      !isa<FloatType>(field.getScalar()) || op.getRaceKindAttr() ||
      ir::isStrided(field))
    return std::nullopt;
  Key key{
      accum ? 1 + intptr_t(accum.getKind()) : 0,
      reinterpret_cast<intptr_t>(rootOf(op.getField()).getAsOpaquePointer()),
      field.getIsSoA() ? intptr_t(op.getComponent()) : 0};
  std::optional<unsigned> innermost = ir::innermostAxis(field);
  for (auto [axis, index] : llvm::enumerate(op.getIndices())) {
    if (ir::lanesOf(index.getType()))
      return std::nullopt;
    auto [base, offset] = splitIndex(index, isInbounds(op));
    key.push_back(reinterpret_cast<intptr_t>(base.getAsOpaquePointer()));
    if (axis == innermost)
      position = offset;
    else
      key.push_back(offset);
  }
  if (!field.getIsSoA())
    position = position * field.getNumComponents() + int64_t(op.getComponent());
  key.push_back(epochOf(op));
  return key;
}

/// Equal for accesses between which nothing happens that they could notice.
intptr_t PackFinder::epochOf(ir::FieldAccessOpInterface op) {
  Value field = rootOf(op.getField());
  bool isLoad = isa<ir::LoadOp>(op.getOperation());
  intptr_t epoch = barriers;
  for (auto &[other, past] : history)
    if (mayAliasByType(field, other))
      epoch += isLoad           ? past.writes
               : other != field ? past.writes + past.others
                                : past.others;
  return epoch;
}

/// Remembers an access for those that follow.
void PackFinder::count(ir::FieldAccessOpInterface op) {
  History &past = history[rootOf(op.getField())];
  auto accum = dyn_cast<ir::AccumOp>(op.getOperation());
  past.writes += op.isWrite();
  past.others += !accum;
  if (!accum || !strict)
    return;
  // Elements of equal bases are known to differ, or to be the same.
  std::vector<intptr_t> base;
  for (Value index : op.getIndices())
    base.push_back(reinterpret_cast<intptr_t>(
        splitIndex(index, isInbounds(op)).first.getAsOpaquePointer()));
  past.others += base != past.base;
  past.base = base;
}

bool PackFinder::isFromMemory(Value value, unsigned depth) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isa<ir::FieldAccessOpInterface>(op))
    return true;
  if (auto known = fromMemory.find(value); known != fromMemory.end())
    return known->second;
  bool result = depth < 64 &&
                llvm::any_of(
                    op->getOperands(),
                    [&](Value part) { return isFromMemory(part, depth + 1); });
  return fromMemory[value] = result;
}

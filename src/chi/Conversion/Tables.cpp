//===- Tables.cpp - Arrays of constants are made once ---------------------===//
// An array that an iteration fills with constants, and never changes, is the
// same for all iterations: it becomes a constant of the module instead of
// memory that each of them fills.
#include "chi/Conversion/Runtime.h"
#include "chi/Conversion/ValueOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

/// Which entry `set` writes, row-major; nothing if it is not known.
static std::optional<int64_t> entryOf(ir::SetOp set) {
  int64_t entry = 0;
  auto type = cast<ir::LocalType>(set.getSlot().getType());
  for (auto [index, extent] : llvm::zip(set.getIndices(), type.getShape())) {
    APInt number;
    if (!matchPattern(index, m_ConstantInt(&number)) ||
        number.getSExtValue() < 0 || number.getSExtValue() >= extent)
      return std::nullopt;
    entry = entry * extent + number.getSExtValue();
  }
  return entry;
}

/// The content of `local` whenever it is read; null if that is not known.
static DenseElementsAttr contentOf(ir::LocalOp local) {
  ir::LocalType type = local.getSlot().getType();
  Type scalar = type.getScalar();
  if (type.isScalar() || memoryType(scalar) != scalar)
    return nullptr;
  OpBuilder b(local.getContext());
  SmallVector<Attribute> content(type.getNumElements(), b.getZeroAttr(scalar));
  // Behind the array up to the last one of them nothing reads it.
  DenseSet<Operation *> sets;
  for (Operation *user : local.getSlot().getUsers())
    if (isa<ir::SetOp>(user))
      sets.insert(user);
    else if (!isa<ir::GetOp>(user))
      return nullptr;
  size_t left = sets.size();
  for (Operation *op = local->getNextNode(); left > 0; op = op->getNextNode()) {
    auto set = dyn_cast_or_null<ir::SetOp>(op);
    if (!set || !sets.contains(set)) {
      auto get = dyn_cast_or_null<ir::GetOp>(op);
      if (!op || op->getNumRegions() || (get && get.getSlot() == local))
        return nullptr;
      continue;
    }
    --left;
    Attribute value;
    std::optional<int64_t> entry = entryOf(set);
    if (!entry || !matchPattern(set.getValue(), m_Constant(&value)))
      return nullptr;
    content[*entry] = value;
  }
  auto shape = RankedTensorType::get({type.getNumElements()}, scalar);
  return DenseElementsAttr::get(shape, content);
}

/// The largest trip count, and the largest number of operations in all
/// iterations, for which full unrolling has a benefit.
static constexpr int64_t kMaxIterations = 16, kMaxOperations = 4096;

bool chi::conv::isShortLookup(ir::TaskOp task, int64_t iterations) {
  if (iterations < 1 || iterations > kMaxIterations)
    return false;
  int64_t operations = 0;
  bool hasTable = false, hasLoops = false;
  task.getBody().walk([&](Operation *op) {
    ++operations;
    hasLoops |= isa<LoopLikeOpInterface>(op);
    if (auto local = dyn_cast<ir::LocalOp>(op))
      hasTable |= contentOf(local) != nullptr;
  });
  return hasTable && !hasLoops && operations * iterations <= kMaxOperations;
}

bool chi::conv::lowerTable(Emitter &emit, ir::LocalOp local) {
  DenseElementsAttr content = contentOf(local);
  if (!content)
    return false;
  FlatSymbolRefAttr name = tableSymbol(emit, content);
  Value table = memref::GetGlobalOp::create(
      emit.builder, emit.loc, bufferType(local.getSlot().getType()),
      name.getValue());
  local.replaceAllUsesWith(emit.reinterpret(table, local.getSlot().getType()));
  local.erase();
  return true;
}

bool chi::conv::isTable(Value buffer) {
  return buffer.getDefiningOp<memref::GetGlobalOp>() != nullptr;
}

//===- SLP.cpp - Neighbours in memory worked on at once -------------------===//
#include "chi/Transforms/SLP/SLP.h"
#include "chi/Dialect/Chi/Schedule.h"
#include "chi/Support/Optimisations.h"
#include "chi/Transforms/SLP/Passes.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

namespace chi::slp {
#define GEN_PASS_DEF_SLPPASS
#include "chi/Transforms/SLP/Passes.h.inc"
} // namespace chi::slp

using namespace mlir;
using namespace chi;
using namespace chi::slp;

/// Blocks of more operations are left alone: the number of comparisons grows
/// with the size.
static constexpr size_t kMaxOperations = 20'000;

//===----------------------------------------------------------------------===//
// Accumulations
//===----------------------------------------------------------------------===//

/// Fills up a register with lanes that a mask leaves out, where a register
/// takes a mask: of 9 lanes, two accesses become one.
static void fillUp(ir::AccumOp pack, ir::DeviceAttr device,
                   OpBuilder &builder) {
  auto type = cast<VectorType>(pack.getValue().getType());
  int64_t lanes = type.getNumElements(), all = llvm::PowerOf2Ceil(lanes);
  if (!device.getHasMasks() || all == lanes ||
      all * type.getElementTypeBitWidth() > device.getVectorBytes() * 8)
    return;
  Location loc = pack.getLoc();
  builder.setInsertionPoint(pack);
  SmallVector<bool> live(all, false);
  std::fill_n(live.begin(), lanes, true);
  SmallVector<int64_t> positions =
      llvm::to_vector(llvm::seq<int64_t>(0, lanes));
  positions.resize(all, lanes - 1);
  pack.getValueMutable().assign(vector::ShuffleOp::create(
      builder, loc, pack.getValue(), pack.getValue(), positions));
  auto bits = VectorType::get({all}, builder.getI1Type());
  pack.getMaskMutable().assign(arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(bits, ArrayRef<bool>(live))));
}

/// Replaces the last of some scalar accumulations by a vector accumulation.
static ir::AccumOp packAccums(ArrayRef<AccessPack::Member> members,
                              PackBuilder &packer, OpBuilder &builder) {
  Operation *last = members.front().op;
  SmallVector<Value> values;
  bool inbounds = true;
  for (const AccessPack::Member &member : members) {
    auto accum = cast<ir::AccumOp>(member.op.getOperation());
    values.push_back(accum.getValue());
    inbounds &= accum.getInbounds();
    if (last->isBeforeInBlock(accum))
      last = accum;
  }
  builder.setInsertionPoint(last);
  Value sum = packer.pack(values);
  Operation *pack = createPackAccess(builder, members.front().op,
                                     members.size(), sum, inbounds);
  for (const AccessPack::Member &member : members)
    member.op->erase();
  return cast<ir::AccumOp>(pack);
}

/// Stretches without holes, of a length that fits a vector.
static void buildPack(AccessPack &pack, PackBuilder &packer, OpBuilder &builder,
                      SmallVectorImpl<ir::AccumOp> &packed) {
  SmallVector<AccessPack::Member> members = pack.members;
  llvm::sort(members, [](const auto &a, const auto &b) {
    return a.position < b.position;
  });
  for (size_t begin = 0; begin < members.size();) {
    size_t end = begin + 1;
    while (end < members.size() && end - begin < size_t(kMaxPack) &&
           members[end].position == members[end - 1].position + 1)
      ++end;
    if (int64_t(end - begin) >= kMinPack)
      packed.push_back(packAccums(ArrayRef(members).slice(begin, end - begin),
                                  packer, builder));
    begin = end;
  }
}

static void packBlock(Block &block, bool strict, ir::DeviceAttr device,
                      OptimisationSet off) {
  if (block.getOperations().size() > kMaxOperations)
    return;
  OpBuilder builder(block.getParentOp()->getContext());
  PackFinder packs(block, strict);
  PackBuilder packer(packs, builder);
  SmallVector<ir::AccumOp> packed;
  for (AccessPack &pack : packs.getPacks())
    if (!pack.isLoad && pack.isScattered)
      buildPack(pack, packer, builder, packed);
  llvm::sort(packed, [](ir::AccumOp a, ir::AccumOp b) {
    return a->isBeforeInBlock(b);
  });
  if (!off.has(Optimisation::SLPSums))
    factorPacks(packed, builder);
  for (ir::AccumOp pack : packed)
    fillUp(pack, device, builder);
  if (!off.has(Optimisation::SLPSums))
    packSums(block, packs, packer, builder);
}

//===----------------------------------------------------------------------===//
// Profit
//===----------------------------------------------------------------------===//

/// Roughly the instructions that an operation becomes.
static int64_t costOf(Operation *op, ir::DeviceAttr device) {
  if (op->hasTrait<OpTrait::ConstantLike>() || op->getNumRegions())
    return 0;
  auto accum = dyn_cast<ir::AccumOp>(op);
  Type type = accum                 ? accum.getValue().getType()
              : op->getNumResults() ? op->getResult(0).getType()
                                    : Type();
  int64_t each = accum ? 3 : 1;
  auto vector = dyn_cast_or_null<VectorType>(type);
  if (!vector)
    return each;
  if (isa<vector::FromElementsOp>(op))
    return vector.getNumElements();
  int64_t bytes = llvm::PowerOf2Ceil(vector.getNumElements() *
                                     vector.getElementTypeBitWidth() / 8);
  return each * llvm::divideCeil(bytes, device.getVectorBytes()) +
         (accum && !llvm::isPowerOf2_64(vector.getNumElements()));
}

static int64_t costOf(ir::TaskOp task, ir::DeviceAttr device) {
  int64_t sum = 0;
  task.getBody().walk([&](Operation *op) { sum += costOf(op, device); });
  return sum;
}

bool slp::scatters(ir::TaskOp task) {
  auto goesThere = [](ir::FieldAccessOpInterface access) {
    return llvm::any_of(access.getIndices(),
                        [](Value index) { return index.getDefiningOp(); })
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  return task.walk(goesThere).wasInterrupted();
}

static void eraseDead(ir::TaskOp task) {
  // Backwards: users before their operands, and operations of regions before
  // their parent, which moves them along.
  SmallVector<Operation *> all;
  task.getBody().walk<WalkOrder::PreOrder>(
      [&](Operation *op) { all.push_back(op); });
  for (Operation *op : llvm::reverse(all))
    if (isOpTriviallyDead(op))
      op->erase();
}

namespace {
struct SLPPass : slp::impl::SLPPassBase<SLPPass> {
  using SLPPassBase::SLPPassBase;

  void runOnOperation() override {
    device = ir::deviceOf(getOperation());
    if (device.getVectorBytes() == 0)
      return;
    for (auto task : getOperation().getOps<ir::TaskOp>())
      if (task.getRank() != 0 && task.getWide().empty() &&
          !ir::hasScratch(task) && scatters(task))
        pack(task);
  }

  void pack(ir::TaskOp task) {
    OwningOpRef<ir::TaskOp> packed = cast<ir::TaskOp>(task->clone());
    SmallVector<Block *> blocks;
    packed->getBody().walk([&](Block *block) { blocks.push_back(block); });
    for (Block *block : blocks)
      packBlock(*block, task.getStrict(), device, OptimisationSet::of(without));
    eraseDead(*packed);
    // Most of the gain is lost again where vectors are put together.
    if (costOf(*packed, device) * 5 > costOf(task, device) * 4)
      return;
    task.getBody().takeBody(packed->getBody());
  }

  ir::DeviceAttr device;
};
} // namespace

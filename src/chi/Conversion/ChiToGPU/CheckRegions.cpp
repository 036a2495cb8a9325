//===- CheckRegions.cpp - Bounded nesting of checks -----------------------===//
// docs/design/0073-nesting-of-checks.md

#include "chi/Conversion/ChiToGPU/CheckRegions.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv::kernels;

/// So many checks may be nested without a region.
static constexpr unsigned kMaxNested = 16;
/// Checks of a region, and regions of a larger one. Arms and loops are nested
/// in each other, so that the depths of several chains add up.
static constexpr unsigned kMaxChecks = 8;

static bool endsWithCheck(Block *block) {
  Operation *last = block->getTerminator()->getPrevNode();
  return last && isa<ir::CheckOp>(last);
}

CheckRegions::CheckRegions(mlir::gpu::GPUFuncOp kernel, Block *leaving)
    : kernel(kernel), leaving(leaving) {
  unsigned checks = 0;
  kernel.walk([&](ir::CheckOp) { ++checks; });
  if (checks <= kMaxNested || !canPassThroughMemory())
    return;
  divideBlocks();
  for (Block &block : kernel.getBody())
    if (dominance.dominates(leaving, &block))
      atEnd.insert(&block);
  findChain(&kernel.getBody().front());
  for (std::unique_ptr<CheckRegion> &region : regions)
    addEnd(*region);
  for (std::unique_ptr<CheckRegion> &region : regions)
    branchAtEnd(*region);
}

static void splitBefore(Operation *op) {
  Block *block = op->getBlock();
  Block *rest = block->splitBlock(op);
  auto builder = OpBuilder::atBlockEnd(block);
  cf::BranchOp::create(builder, op->getLoc(), rest);
}

/// A region begins and ends at blocks without arguments, and each check is the
/// end of one.
void CheckRegions::divideBlocks() {
  SmallVector<Operation *> at;
  kernel.walk([&](ir::CheckOp check) { at.push_back(check->getNextNode()); });
  for (Block &block : kernel.getBody()) {
    auto branch = dyn_cast<cf::BranchOp>(block.getTerminator());
    if (branch && branch->getNumOperands() != 0 && &block.front() != branch &&
        !llvm::is_contained(at, branch))
      at.push_back(branch);
  }
  for (Operation *op : at)
    splitBefore(op);
  DominanceInfo dominance(kernel);
  SmallVector<Operation *> joins;
  for (Block &block : llvm::drop_begin(kernel.getBody())) {
    bool isLoop = llvm::any_of(block.getPredecessors(), [&](Block *before) {
      return dominance.dominates(&block, before);
    });
    if (block.getNumArguments() != 0 && !isLoop)
      joins.push_back(&block.front());
  }
  for (Operation *op : joins)
    splitBefore(op);
}

/// The blocks that `block` dominates and `next` does not.
CheckRegions::Unit CheckRegions::unitOf(Block *block, Block *next) {
  Unit unit{{block}, endsWithCheck(block)};
  for (Block &other : kernel.getBody())
    if (dominance.properlyDominates(block, &other) && !atEnd.contains(&other) &&
        !(next && dominance.dominates(next, &other))) {
      unit.blocks.push_back(&other);
      unit.hasCheck |= endsWithCheck(&other);
    }
  return unit;
}

void CheckRegions::append(Unit &unit, const Unit &next) {
  unit.blocks.append(next.blocks);
  unit.hasCheck |= next.hasCheck;
}

/// The blocks that each path from `head` takes, and what lies between them.
void CheckRegions::findChain(Block *head) {
  SmallVector<Unit> units;
  for (Block *block = head, *next; block; block = next) {
    auto *node = postDominance.getNode(block)->getIDom();
    next = node ? node->getBlock() : nullptr;
    if (next && (next == leaving || !dominance.properlyDominates(block, next)))
      next = nullptr;
    Unit unit = unitOf(block, next);
    if (unit.hasCheck)
      for (auto *child : *dominance.getNode(block))
        if (child->getBlock() != next && child->getBlock() != leaving)
          findChain(child->getBlock());
    // Values enter a block with arguments, so no region begins there.
    if (!units.empty() && block->getNumArguments() != 0)
      append(units.back(), unit);
    else
      units.push_back(std::move(unit));
  }
  divide(std::move(units));
}

/// The last unit from which an edge goes back to each unit; the unit itself if
/// there is none.
static SmallVector<size_t> lastOfLoops(ArrayRef<CheckRegions::Unit> units) {
  DenseMap<Block *, size_t> numbers;
  SmallVector<size_t> last;
  for (auto [number, unit] : llvm::enumerate(units)) {
    last.push_back(number);
    for (Block *block : unit.blocks)
      numbers[block] = number;
  }
  for (auto [number, unit] : llvm::enumerate(units))
    for (Block *block : unit.blocks)
      for (Block *next : block->getSuccessors())
        if (auto to = numbers.find(next); to != numbers.end())
          last[to->second] = std::max(last[to->second], number);
  return last;
}

/// Divides units in sequence into regions. A loop whose head is one of them is
/// a single unit, as a region has one entry; what follows the head is divided
/// by itself.
void CheckRegions::divide(SmallVector<Unit> units) {
  SmallVector<size_t> last = lastOfLoops(units);
  SmallVector<Unit> all;
  for (size_t k = 0; k < units.size(); ++k) {
    all.push_back(units[k]);
    size_t end = last[k];
    if (end > k)
      divide(SmallVector<Unit>(units.begin() + k + 1, units.begin() + end + 1));
    for (; k < end; ++k)
      append(all.back(), units[k + 1]);
  }
  auto count = [&] {
    return llvm::count_if(all, [](const Unit &u) { return u.hasCheck; });
  };
  while (count() > kMaxChecks)
    all = grouped(std::move(all));
}

SmallVector<CheckRegions::Unit> CheckRegions::grouped(SmallVector<Unit> units) {
  SmallVector<Unit> groups;
  unsigned checks = kMaxChecks;
  for (Unit &unit : units) {
    if (checks == kMaxChecks) {
      if (!groups.empty())
        addRegion(groups.back(), unit.blocks.front());
      groups.emplace_back();
      checks = 0;
    }
    append(groups.back(), unit);
    checks += unit.hasCheck;
  }
  return groups;
}

void CheckRegions::addRegion(const Unit &unit, Block *next) {
  auto region = std::make_unique<CheckRegion>();
  region->next = next;
  region->blocks.insert_range(unit.blocks);
  for (Block *block : unit.blocks) {
    innermost.try_emplace(block, region.get());
    CheckRegion *&top = outermost[block];
    if (top && top != region.get())
      top->outer = region.get();
    top = region.get();
  }
  regions.push_back(std::move(region));
}

/// The edges to the next block go to the region's end first.
void CheckRegions::addEnd(CheckRegion &region) {
  Location loc = kernel.getLoc();
  OpBuilder builder(kernel.getContext());
  region.end = builder.createBlock(region.next, builder.getI1Type(), loc);
  for (Block *before : llvm::to_vector(region.next->getPredecessors())) {
    if (before == region.end || !region.blocks.contains(before))
      continue;
    auto branch = cast<BranchOpInterface>(before->getTerminator());
    builder.setInsertionPoint(branch);
    Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
    for (unsigned side = 0; side < branch->getNumSuccessors(); ++side)
      if (branch->getSuccessor(side) == region.next) {
        branch->setSuccessor(region.end, side);
        branch.getSuccessorOperands(side).append(yes);
      }
  }
  passThroughMemory(region);
  for (CheckRegion *outer = region.outer; outer; outer = outer->outer)
    outer->blocks.insert(region.end);
}

void CheckRegions::branchAtEnd(CheckRegion &region) {
  auto builder = OpBuilder::atBlockEnd(region.end);
  Location loc = kernel.getLoc();
  // The last region of a larger one: both end here.
  if (region.outer && region.outer->next == region.next) {
    cf::BranchOp::create(builder, loc, region.outer->end,
                         ValueRange(region.end->getArgument(0)));
    return;
  }
  SmallVector<Value> no;
  if (region.outer)
    no.push_back(arith::ConstantIntOp::create(builder, loc, 0, 1));
  cf::CondBranchOp::create(builder, loc, region.end->getArgument(0),
                           region.next, ValueRange(),
                           region.outer ? region.outer->end : leaving, no);
}

//===----------------------------------------------------------------------===//
// Values that leave a region
//===----------------------------------------------------------------------===//

/// Constants, and memory of a known size, may as well be in the entry block.
static bool isMovable(Operation *op) {
  return op && (op->hasTrait<OpTrait::ConstantLike>() ||
                (isa<memref::AllocaOp, memref::GetGlobalOp>(op) &&
                 op->getNumOperands() == 0));
}

static bool fitsMemory(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    type = vector.getElementType();
  return type.isIntOrIndexOrFloat();
}

bool CheckRegions::canPassThroughMemory() {
  auto isFine = [&](Value value) {
    return fitsMemory(value.getType()) || isMovable(value.getDefiningOp()) ||
           !value.isUsedOutsideOfBlock(value.getParentBlock());
  };
  for (Block &block : llvm::drop_begin(kernel.getBody()))
    if (!llvm::all_of(block.getArguments(), isFine))
      return false;
  for (Block &block : kernel.getBody())
    for (Operation &op : block)
      if (!llvm::all_of(op.getResults(), isFine))
        return false;
  return true;
}

/// Truth values are numbers in memory.
static Type typeInMemory(Type type) {
  if (!getElementTypeOrSelf(type).isInteger(1))
    return type;
  Type word = IntegerType::get(type.getContext(), 32);
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.clone(word) : word;
}

/// Stores a value where it is defined, and loads it behind the region.
void CheckRegions::pass(Value value, CheckRegion &region) {
  Location loc = value.getLoc();
  Region &body = kernel.getBody();
  // What is used where all threads meet is defined before the first check.
  auto isOutside = [&](OpOperand &use) {
    Block *user = body.findAncestorBlockInRegion(*use.getOwner()->getBlock());
    return !region.blocks.contains(user) && !atEnd.contains(user);
  };
  if (llvm::none_of(value.getUses(), isOutside))
    return;
  Operation *op = value.getDefiningOp();
  if (isMovable(op))
    return op->moveBefore(&body.front(), body.front().begin());
  auto builder = OpBuilder::atBlockBegin(&body.front());
  Type type = typeInMemory(value.getType());
  Value memory =
      memref::AllocaOp::create(builder, loc, MemRefType::get({1}, type));
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  builder.setInsertionPointToStart(region.next);
  Value loaded = memref::LoadOp::create(builder, loc, memory, zero);
  if (type != value.getType())
    loaded = arith::TruncIOp::create(builder, loc, value.getType(), loaded);
  value.replaceUsesWithIf(loaded, isOutside);
  builder.setInsertionPointAfterValue(value);
  Value stored = value;
  if (type != value.getType())
    stored = arith::ExtUIOp::create(builder, loc, type, value);
  memref::StoreOp::create(builder, loc, stored, memory, zero);
}

void CheckRegions::passThroughMemory(CheckRegion &region) {
  SmallVector<Value> values;
  for (Block *block : region.blocks) {
    if (!block->isEntryBlock()) // the kernel's parameters
      llvm::append_range(values, block->getArguments());
    for (Operation &op : *block)
      llvm::append_range(values, op.getResults());
  }
  for (Value value : values)
    pass(value, region);
}

//===- SpeculateLoads.cpp - Loads without branches ------------------------===//
// `u[i - 1, j] if i > 0 else -u[i, j]` asks the same of all iterations along a
// row, and answers the same for nearly all rows. As a branch in the innermost
// loop it makes LLVM's vectoriser load under a mask, from addresses that it
// takes for scattered ones. Loading always, from an index that the domain's
// border bounds, and choosing afterwards costs nothing.
//
// `c == 2 and a[i, j] == 1` beside loads of all neighbours of `a[i, j]`: where
// elements before and behind are loaded anyway, on each axis, so may this one.
// So may any whose place is proved to lie in the field without the condition.
//
// `x / r if r > 0 else 0.0` was a branch up to stage `grad`, so that no
// derivative passes the side that is not taken; from here on it is a choice.
#include "chi/Support/Optimisations.h"
#include "chi/Transforms/Vectorize/Passes.h"

#include "chi/Analysis/Ranges.h"
#include "chi/Transforms/Vectorize/SafeLoads.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace chi::vectorize {
#define GEN_PASS_DEF_SPECULATELOADSPASS
#include "chi/Transforms/Vectorize/Passes.h.inc"
} // namespace chi::vectorize

using namespace mlir;
using namespace chi;
using namespace chi::analysis;
using vectorize::SafeLoads;

/// The most wasted work in the rows at the border.
static constexpr unsigned kMaxLoads = 4, kMaxOps = 12;
/// The most speculated operations without a load, and quotients.
static constexpr unsigned kMaxValueOps = 24, kMaxQuotients = 4;

namespace {
/// An index that only a guard keeps inside of 0 … last.
struct Bound {
  OpOperand *index;
  int64_t last;
  bool isBelow, isAbove;
};

/// The branches of one task.
class Speculator {
public:
  Speculator(ir::TaskOp task, std::optional<Ranges> &ranges)
      : task(task), ranges(ranges) {}
  unsigned run();

private:
  Ranges &known() {
    if (!ranges)
      ranges.emplace(task->getParentOfType<ModuleOp>());
    return *ranges;
  }
  /// The result of a comparison of an outer index variable in most rows.
  std::optional<bool> inMostRows(arith::CmpIOp compare);
  bool isWorthIt(scf::IfOp branch, Region &usual, Region &cold);
  bool isAllowed(Operation &op, scf::IfOp branch);
  /// For an integer, where the branch begins: without the facts of its guard.
  std::optional<Interval> outside(Value value, scf::IfOp branch);
  bool canBound(ir::LoadOp load, scf::IfOp branch);
  void findBounds(scf::IfOp branch);
  void apply(const Bound &bound);

  ir::TaskOp task;
  SmallVector<Bound> bounds;
  std::optional<Ranges> &ranges; ///< made on first use
};
} // namespace

/// `variable + constant`, of an index variable that is not the innermost.
static std::optional<std::pair<unsigned, int64_t>> ofOuter(ir::TaskOp task,
                                                           Value value) {
  int64_t offset = 0;
  for (Operation *op = value.getDefiningOp(); op; op = value.getDefiningOp()) {
    if (isa<arith::AddIOp, arith::SubIOp>(op)) {
      auto constant = constantOf(op->getOperand(1));
      if (!constant || std::abs(*constant) > (1 << 20))
        return std::nullopt;
      offset += isa<arith::AddIOp>(op) ? *constant : -*constant;
    } else if (!isa<arith::ExtSIOp>(op)) {
      return std::nullopt;
    }
    value = op->getOperand(0);
  }
  for (auto [axis, variable] :
       llvm::enumerate(task.getIndexVariables().drop_back()))
    if (value == variable)
      return std::pair<unsigned, int64_t>(axis, offset);
  return std::nullopt;
}

std::optional<bool> Speculator::inMostRows(arith::CmpIOp compare) {
  using P = arith::CmpIPredicate;
  auto position = ofOuter(task, compare.getLhs());
  auto constant = constantOf(compare.getRhs());
  if (!position || !constant)
    return std::nullopt;
  Interval values = known().domainOf(task).axes[position->first].values;
  bool isBounded = values.lo > -(int64_t(1) << 31) && values.hi < INT32_MAX;
  if (!isBounded)
    return compare.getPredicate() != P::eq;
  int64_t middle = values.lo + (values.hi - values.lo) / 2 + position->second;
  return arith::applyCmpPredicate(compare.getPredicate(),
                                  APInt(64, middle, /*isSigned=*/true),
                                  APInt(64, *constant, /*isSigned=*/true));
}

std::optional<Interval> Speculator::outside(Value value, scf::IfOp branch) {
  Operation *op = value.getDefiningOp();
  if (!op || !branch->isProperAncestor(op))
    return known().intervalAt(value, branch);
  if (op->getNumOperands() == 0 ||
      !isa<arith::AddIOp, arith::SubIOp, arith::ExtSIOp, arith::ConstantOp>(op))
    return std::nullopt;
  auto base = outside(op->getOperand(0), branch);
  if (isa<arith::ExtSIOp>(op) || !base)
    return base;
  auto constant = constantOf(op->getOperand(1));
  if (!constant || std::abs(*constant) > (1 << 20))
    return std::nullopt;
  Wide shift = isa<arith::AddIOp>(op) ? *constant : -*constant;
  // The promise not to overflow was made under the guard.
  if (!fits(base->lo + shift, base->hi + shift, widthOf(value.getType())))
    return std::nullopt;
  return Interval{int64_t(base->lo + shift), int64_t(base->hi + shift)};
}

bool Speculator::canBound(ir::LoadOp load, scf::IfOp branch) {
  if (!load.getInbounds() || load.getMask() || load.getDynamic())
    return false;
  ir::FieldType type = load.getField().getType();
  for (auto [axis, index] : llvm::enumerate(load.getIndices())) {
    // In an empty field there is no element to load instead.
    if (type.isDynamicDim(axis) || type.getShape()[axis] == 0 ||
        !outside(index, branch))
      return false;
  }
  return true;
}

bool Speculator::isAllowed(Operation &op, scf::IfOp branch) {
  if (auto load = dyn_cast<ir::LoadOp>(op))
    return canBound(load, branch);
  if (op.getNumRegions() != 0 || !isPure(&op))
    return false;
  if (isa<arith::ConstantOp>(op))
    return true;
  auto isInteger = [](Type type) { return widthOf(type) > 1; };
  if (llvm::any_of(op.getResultTypes(), isInteger))
    return outside(op.getResult(0), branch).has_value();
  return true;
}

bool Speculator::isWorthIt(scf::IfOp branch, Region &usual, Region &cold) {
  unsigned numLoads = 0, numOps = 0;
  SmallVector<Value> fields; // near which the usual side loads anyway
  for (Region *side : {&usual, &cold})
    for (Operation &op : side->front().without_terminator()) {
      if (++numOps > kMaxOps || !isAllowed(op, branch))
        return false;
      auto load = dyn_cast<ir::LoadOp>(op);
      if (!load)
        continue;
      ++numLoads;
      Value field = fieldBelowCasts(load.getField());
      if (side == &usual)
        fields.push_back(field);
      else if (!llvm::is_contained(fields, field))
        return false;
    }
  return numLoads > 0 && numLoads <= kMaxLoads;
}

void Speculator::findBounds(scf::IfOp branch) {
  branch.walk([&](ir::LoadOp load) {
    ir::FieldType type = load.getField().getType();
    for (auto [axis, index] : llvm::enumerate(load.getIndicesMutable())) {
      Interval interval = *outside(index.get(), branch);
      int64_t last = type.getShape()[axis] - 1;
      if (interval.lo < 0 || interval.hi > last)
        bounds.push_back({&index, last, interval.lo<0, interval.hi> last});
    }
  });
}

void Speculator::apply(const Bound &bound) {
  OpBuilder b(bound.index->getOwner());
  Location loc = bound.index->getOwner()->getLoc();
  Value value = bound.index->get();
  auto constant = [&](int64_t number) {
    return arith::ConstantOp::create(b, loc,
                                     b.getIntegerAttr(value.getType(), number));
  };
  if (bound.isBelow)
    value = arith::MaxSIOp::create(b, loc, value, constant(0));
  if (bound.isAbove)
    value = arith::MinSIOp::create(b, loc, value, constant(bound.last));
  bound.index->set(value);
}

static void replace(scf::IfOp branch) {
  for (Block *side : {branch.thenBlock(), branch.elseBlock()})
    for (Operation &op : llvm::make_early_inc_range(side->without_terminator()))
      op.moveBefore(branch);
  OpBuilder b(branch);
  for (auto [result, left, right] :
       llvm::zip(branch.getResults(), branch.thenYield().getOperands(),
                 branch.elseYield().getOperands()))
    result.replaceAllUsesWith(arith::SelectOp::create(
        b, branch.getLoc(), branch.getCondition(), left, right));
  branch.erase();
}

unsigned Speculator::run() {
  SmallVector<scf::IfOp> found;
  task.walk([&](scf::IfOp branch) {
    auto compare = branch.getCondition().getDefiningOp<arith::CmpIOp>();
    if (!compare || branch.getNumResults() == 0)
      return;
    auto isThen = inMostRows(compare);
    if (!isThen)
      return;
    Region &then = branch.getThenRegion(), &other = branch.getElseRegion();
    if (isWorthIt(branch, *isThen ? then : other, *isThen ? other : then))
      found.push_back(branch);
  });
  if (found.empty())
    return 0;
  for (scf::IfOp branch : found)
    findBounds(branch);
  // The ranges are invalid now.
  ranges.reset();
  for (const Bound &bound : bounds)
    apply(bound);
  for (scf::IfOp branch : found)
    replace(branch);
  return found.size();
}

//===----------------------------------------------------------------------===//
// Next to unconditional loads
//===----------------------------------------------------------------------===//

namespace {
/// `base + offset`, which does not overflow.
struct BaseAndOffset {
  Value base;
  int64_t offset = 0;
};

/// Branches of one task that only choose among cheap values.
class Flattener {
public:
  Flattener(ir::TaskOp task, std::optional<Ranges> &ranges)
      : task(task), safeLoads(ranges) {}
  unsigned run();

private:
  bool mayFlatten(scf::IfOp branch);
  bool isCheap(Operation &op, scf::IfOp branch);
  bool isAmongOthers(ir::LoadOp load, scf::IfOp branch);
  bool canFlatten(scf::IfOp branch);
  void flatten(scf::IfOp branch);

  ir::TaskOp task;
  SafeLoads safeLoads;
  SmallVector<ir::LoadOp> loads; ///< whose indices lie inside of their fields
};
} // namespace

static BaseAndOffset splitOffset(Value value) {
  BaseAndOffset position{value};
  for (Operation *op = value.getDefiningOp(); op;
       op = position.base.getDefiningOp()) {
    if (isa<arith::AddIOp, arith::SubIOp>(op)) {
      auto flags = cast<arith::ArithIntegerOverflowFlagsInterface>(op);
      auto constant = constantOf(op->getOperand(1));
      bool isExact = arith::bitEnumContainsAll(
          flags.getOverflowAttr().getValue(), arith::IntegerOverflowFlags::nsw);
      if (!isExact || !constant || std::abs(*constant) > (1 << 20))
        break;
      position.offset += isa<arith::AddIOp>(op) ? *constant : -*constant;
    } else if (!isa<arith::ExtSIOp>(op)) {
      break;
    }
    position.base = op->getOperand(0);
  }
  return position;
}

/// Is an element before and one after on each axis, or itself, loaded in every
/// iteration that executes the branch?
bool Flattener::isAmongOthers(ir::LoadOp load, scf::IfOp branch) {
  if (!load.getInbounds() || load.getMask() || load.getDynamic())
    return false;
  Value field = fieldBelowCasts(load.getField());
  SmallVector<std::pair<bool, bool>> reached(load.getIndices().size());
  for (ir::LoadOp other : loads) {
    Operation *at = other->getBlock()->findAncestorOpInBlock(*branch);
    if (!at || !other->isBeforeInBlock(at) ||
        fieldBelowCasts(other.getField()) != field)
      continue;
    for (auto [axis, index] : llvm::enumerate(load.getIndices())) {
      // A sum made in the branch is exact under its guard only.
      Operation *made = index.getDefiningOp();
      if (made && branch->isProperAncestor(made))
        return false;
      BaseAndOffset mine = splitOffset(index),
                    theirs = splitOffset(other.getIndices()[axis]);
      if (mine.base != theirs.base)
        continue;
      reached[axis].first |= theirs.offset <= mine.offset;
      reached[axis].second |= theirs.offset >= mine.offset;
    }
  }
  return llvm::all_of(reached,
                      [](auto sides) { return sides.first && sides.second; });
}

/// Neither traps nor takes long.
bool Flattener::isCheap(Operation &op, scf::IfOp branch) {
  if (auto load = dyn_cast<ir::LoadOp>(op))
    return safeLoads.isSafe(load, branch) || isAmongOthers(load, branch);
  if (isa<ir::FloorModOp>(op))
    return safeLoads.isSafe(&op, branch);
  return isa<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp,
             arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::CmpIOp,
             arith::CmpFOp, arith::SelectOp, arith::ExtSIOp, arith::ExtUIOp,
             arith::TruncIOp, arith::AddFOp, arith::SubFOp, arith::MulFOp,
             arith::NegFOp, arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp,
             arith::MaxUIOp>(op);
}

/// What choices among values hold beside, which IRGen makes branches.
static bool isCheapValue(Operation &op) {
  return isa<arith::DivFOp, arith::SIToFPOp, arith::UIToFPOp, arith::ExtFOp,
             arith::TruncFOp, arith::BitcastOp, arith::ShLIOp, arith::ShRSIOp,
             arith::ShRUIOp, math::AbsFOp, math::FloorOp, ir::FFloorModOp,
             ir::ToIntOp>(op);
}

bool Flattener::canFlatten(scf::IfOp branch) {
  unsigned numLoads = 0, numOps = 0, numQuotients = 0;
  bool hasValues = false;
  if (branch.getNumResults() == 0)
    return false;
  for (Block *side : {branch.thenBlock(), branch.elseBlock()})
    for (Operation &op : side->without_terminator()) {
      numLoads += isa<ir::LoadOp>(op);
      numQuotients += isa<arith::DivFOp>(op);
      hasValues |= isCheapValue(op);
      if (++numOps > kMaxValueOps ||
          (!isCheap(op, branch) && !isCheapValue(op)))
        return false;
    }
  if (numLoads == 0)
    return numQuotients <= kMaxQuotients;
  return !hasValues && numLoads <= kMaxLoads && numOps <= kMaxOps;
}

/// Are the loads of a branch worth the analysis of their addresses? Then all
/// operations in it are cheap, also in the branches inside.
bool Flattener::mayFlatten(scf::IfOp branch) {
  unsigned numOps = 0, numLoads = 0;
  auto result = branch.walk([&](Operation *op) {
    if (op == branch || isa<scf::YieldOp>(op))
      return WalkResult::advance();
    numLoads += isa<ir::LoadOp>(op);
    bool isKnown =
        isa<ir::LoadOp, ir::FloorModOp, scf::IfOp>(op) || isCheap(*op, branch);
    return isKnown && ++numOps <= kMaxOps ? WalkResult::advance()
                                          : WalkResult::interrupt();
  });
  return numLoads > 0 && !result.wasInterrupted();
}

void Flattener::flatten(scf::IfOp branch) {
  // The flags that hold under the guard are dropped. The attribute stays: its
  // accessors expect one.
  auto none = arith::IntegerOverflowFlagsAttr::get(
      branch.getContext(), arith::IntegerOverflowFlags::none);
  branch.walk([&](arith::ArithIntegerOverflowFlagsInterface op) {
    if (!safeLoads.isExact(op, branch))
      op->setAttr(op.getIntegerOverflowAttrName(), none);
  });
  replace(branch);
}

unsigned Flattener::run() {
  unsigned numChanged = 0;
  SmallVector<scf::IfOp> branches; // inner ones first
  task.walk([&](Operation *op) {
    if (auto branch = dyn_cast<scf::IfOp>(op))
      branches.push_back(branch);
    if (auto load = dyn_cast<ir::LoadOp>(op); load && load.getInbounds())
      loads.push_back(load);
  });
  for (scf::IfOp branch : branches)
    if (branch.getNumResults() != 0 && mayFlatten(branch))
      safeLoads.find(branch);
  for (scf::IfOp branch : branches)
    if (canFlatten(branch)) {
      flatten(branch);
      ++numChanged;
    }
  return numChanged;
}

namespace {
struct SpeculateLoadsPass
    : vectorize::impl::SpeculateLoadsPassBase<SpeculateLoadsPass> {
  using SpeculateLoadsPassBase::SpeculateLoadsPassBase;

  void runOnOperation() override {
    auto off = OptimisationSet::of(without);
    std::optional<Ranges> ranges;
    llvm::SetVector<Operation *> changed;
    for (auto task : getOperation().getOps<ir::TaskOp>())
      if (task.getRank() > 1 && !off.has(Optimisation::SpeculatedLoads) &&
          Speculator(task, ranges).run())
        changed.insert(task);
    for (auto task : getOperation().getOps<ir::TaskOp>())
      if (!off.has(Optimisation::FlatBranches) &&
          Flattener(task, ranges).run()) {
        ranges.reset();
        changed.insert(task);
      }
    OpPassManager passes;
    passes.addPass(createCanonicalizerPass());
    passes.addPass(createCSEPass());
    for (Operation *task : changed)
      if (failed(runPipeline(passes, task)))
        return signalPassFailure();
  }
};
} // namespace

//===- Lanes.cpp - Which tasks are widened --------------------------------===//
#include "chi/Transforms/Vectorize/Lanes.h"
#include "chi/Dialect/Chi/MemoryOrder.h"
#include "chi/Dialect/Chi/Schedule.h"
#include "chi/Support/Optimisations.h"
#include "chi/Transforms/Vectorize/LanesElements.h"
#include "chi/Transforms/Vectorize/Passes.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

namespace chi::vectorize {
#define GEN_PASS_DEF_LANESPASS
#include "chi/Transforms/Vectorize/Passes.h.inc"
} // namespace chi::vectorize

using namespace mlir;
using namespace chi;
using namespace chi::vectorize;

/// A loop of fewer operations waits for its own results: two registers of
/// lanes fill the time. With 16 registers of 256 bits the loops of julia, sdf
/// and pbf2d take 0.7 to 0.9 of the time so; much longer ones would spill.
static constexpr unsigned kShortLoop = 128;

/// Operations on lanes that make up for one gather or scatter.
static constexpr unsigned kWorkPerGather = 12;
/// The same in a body without loops, of which `chi-slp` may pack neighbours,
/// for each element that is fetched: the gather of mpm3d (13) is faster as
/// rows, those of mpm88 (26) and diffmpm (16) take 0.6 of the time as lanes.
static constexpr unsigned kWorkPerElement = 16;
/// The same where lanes of one worker also add to elements, one after the
/// other, for each element that is fetched or added to: the scatters of mpm88
/// (8) and diffmpm take 0.8 and 0.5 of the time as lanes, the adjoint of the
/// gather of diffmpm 0.5; the scatter of mpm3d (5) takes 1.3.
static constexpr unsigned kWorkPerSharedElement = 7;

/// Sums of all iterations of which lanes keep what each iteration adds; the
/// lowering has buffers for as many (kMaxSlots).
static constexpr unsigned kMaxSums = 8;

static bool countsIterations(ir::TaskOp task) {
  return task->walk([](ir::IterationOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// scf.for as scf.while, whose condition lanes may answer differently.
static void makeWhile(scf::ForOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  SmallVector<Value> inits{op.getLowerBound()};
  llvm::append_range(inits, op.getInitArgs());
  SmallVector<Type> types = llvm::to_vector(ValueRange(inits).getTypes());
  SmallVector<Location> locations(types.size(), loc);
  auto loop = scf::WhileOp::create(b, loc, types, inits);
  Block *before = b.createBlock(&loop.getBefore(), {}, types, locations);
  Value goesOn =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                            before->getArgument(0), op.getUpperBound());
  scf::ConditionOp::create(b, loc, goesOn, before->getArguments());
  Block *after = b.createBlock(&loop.getAfter(), {}, types, locations);
  IRMapping mapping;
  mapping.map(op.getBody()->getArguments(), after->getArguments());
  for (Operation &inner : op.getBody()->without_terminator())
    b.clone(inner, mapping);
  SmallVector<Value> next{
      arith::AddIOp::create(b, loc, after->getArgument(0), op.getStep())};
  for (Value value : op.getBody()->getTerminator()->getOperands())
    next.push_back(mapping.lookupOrDefault(value));
  scf::YieldOp::create(b, loc, next);
  op->replaceAllUsesWith(loop.getResults().drop_front());
  op.erase();
}

/// Rewrites loops until no scf.for is divergent.
static void makeDivergentWhiles(ir::TaskOp task) {
  for (;;) {
    Divergence divergence(task);
    scf::ForOp found;
    task.getBody().walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      if (!divergence.isDivergent(loop))
        return WalkResult::advance();
      found = loop;
      return WalkResult::interrupt();
    });
    if (!found)
      return;
    makeWhile(found);
  }
}

//===----------------------------------------------------------------------===//
// Profit
//===----------------------------------------------------------------------===//

/// The step of an integer from iteration to iteration of a loop; nothing if
/// sums alone do not determine it.
static std::optional<int64_t> slopeOf(Value value, scf::ForOp loop) {
  if (value == loop.getInductionVar())
    return 1;
  Operation *op = value.getDefiningOp();
  if (!op || !loop->isProperAncestor(op))
    return loop.isDefinedOutsideOfLoop(value) ? std::optional<int64_t>(0)
                                              : std::nullopt;
  if (op->hasTrait<OpTrait::ConstantLike>())
    return 0;
  if (!isa<arith::AddIOp, arith::SubIOp>(op))
    return std::nullopt;
  auto left = slopeOf(op->getOperand(0), loop);
  auto right = slopeOf(op->getOperand(1), loop);
  if (!left || !right)
    return std::nullopt;
  return isa<arith::AddIOp>(op) ? *left + *right : *left - *right;
}

/// Does the access walk through neighbours, iteration by iteration, or stay?
static bool walksAlong(ir::FieldAccessOpInterface access, scf::ForOp loop) {
  ir::FieldType field = access.getField().getType();
  std::optional<unsigned> last = ir::innermostAxis(field);
  for (auto [axis, index] : llvm::enumerate(access.getIndices())) {
    auto slope = slopeOf(index, loop);
    bool isInner = axis == last;
    if (!slope || *slope > (isInner ? 1 : 0) || *slope < (isInner ? -1 : 0))
      return false;
  }
  return true;
}

/// May the sum that a loop carries be taken in another order?
static bool isReducible(Value yielded) {
  Operation *op = yielded.getDefiningOp();
  if (!op)
    return false;
  if (auto fast = dyn_cast<arith::ArithFastMathInterface>(op)) {
    auto flags = fast.getFastMathFlagsAttr(); // optional on conversions
    return flags && arith::bitEnumContainsAll(flags.getValue(),
                                              arith::FastMathFlags::reassoc);
  }
  return isa<arith::AddIOp, arith::MulIOp, arith::MinSIOp, arith::MaxSIOp>(op);
}

bool vectorize::isLeftToLLVM(scf::ForOp loop) {
  if (isUnrolled(loop))
    return true;
  for (Value yielded : loop.getBody()->getTerminator()->getOperands())
    if (!isReducible(yielded))
      return false;
  return !loop.getBody()
              ->walk([&](Operation *op) {
                if (auto access = dyn_cast<ir::FieldAccessOpInterface>(op))
                  return walksAlong(access, loop) ? WalkResult::advance()
                                                  : WalkResult::interrupt();
                return op->getNumRegions() || isa<ir::CheckOp>(op)
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}

namespace {
/// Decides for one task.
class LanesChooser {
public:
  LanesChooser(ir::TaskOp task, const Divergence &divergence)
      : task(task), divergence(divergence) {}

  bool isPossible() {
    unsigned sums = 0;
    return !ir::isOrdered(task) &&
           !task.getBody()
                .walk([&](Operation *op) {
                  auto accum = dyn_cast<ir::AccumOp>(op);
                  sums += accum && accum.getStrategy() ==
                                       ir::AccumStrategy::deterministic;
                  return canWiden(op) && sums <= kMaxSums &&
                                 (!accum || isPossible(accum))
                             ? WalkResult::advance()
                             : WalkResult::interrupt();
                })
                .wasInterrupted();
  }

  /// Instructions of an operation: a quotient of integers by a constant is a
  /// product of twice the width, shifts and the correction of its sign.
  static unsigned workOf(Operation *op) {
    return isa<ir::FloorDivOp, ir::FloorModOp>(op) ? 6 : 1;
  }

  /// Lanes that are apart in memory are loaded one by one: is there enough work
  /// for each load? Without a loop, and without such loads, rows of neighbours
  /// and their checks are faster (fft).
  bool paysForGathers(bool hasLoop) {
    unsigned gathers = 0, elements = 0, work = 0;
    bool hasOwnSums = false;
    task.getBody().walk([&](Operation *op) {
      if (auto access = dyn_cast<ir::FieldAccessOpInterface>(op)) {
        gathers += isGather(access);
        // Two scalars side by side are fetched as one.
        elements += isGather(access) &&
                    (access.getField().getType().getNumComponents() != 2 ||
                     access.getComponent() == 0);
        hasOwnSums |= isOwnSum(access);
      } else if (op->getNumRegions() == 0 &&
                 llvm::any_of(op->getResults(), [&](Value result) {
                   return divergence.isVarying(result);
                 }))
        work += workOf(op);
    });
    if (hasLoop)
      return work >= kWorkPerGather * gathers;
    return elements > 0 &&
           work >= (hasOwnSums ? kWorkPerSharedElement : kWorkPerElement) *
                       elements;
  }

  /// Is there divergent control that LLVM's vectoriser leaves, or a loop whose
  /// loads the lanes share?
  bool isWorthwhile() {
    return task.getBody()
        .walk([&](Operation *op) {
          auto loop = dyn_cast<scf::ForOp>(op);
          bool parts =
              divergence.isDivergent(op) || divergence.hasNonUniformBounds(op);
          bool gains = parts ? gainsBy(op) : loop && sharesLoads(loop);
          return gains ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// For vectors that fill the registers with the widest values of loops.
  int64_t lanes(ir::DeviceAttr device) {
    unsigned bytes = 4, shortest = ~0u;
    task.getBody().walk([&](Operation *op) {
      for (Value result : op->getResults())
        if (divergence.isVarying(result))
          bytes = std::max(bytes, result.getType().getIntOrFloatBitWidth() / 8);
      if ((isa<scf::WhileOp>(op) && divergence.isDivergent(op)) ||
          divergence.hasNonUniformBounds(op)) {
        unsigned count = 0;
        op->walk([&](Operation *) { ++count; });
        shortest = std::min(shortest, count);
      }
    });
    int64_t lanes = std::max<int64_t>(device.getVectorBytes() / bytes, 4);
    return shortest <= kShortLoop ? 2 * lanes : lanes;
  }

private:
  static bool isOwnSum(Operation *op) {
    auto accum = dyn_cast<ir::AccumOp>(op);
    return accum && accum.getStrategy() == ir::AccumStrategy::privatized;
  }

  /// Sums of one worker: to places that differ, and in any order.
  bool isPossible(ir::AccumOp accum) {
    return !isOwnSum(accum) ||
           (!task.getStrict() && llvm::any_of(accum.getIndices(), [&](Value i) {
             return divergence.isVarying(i);
           }));
  }

  bool isGather(ir::FieldAccessOpInterface access) {
    Value dynamic = access.getDynamicComponent();
    return (dynamic && divergence.isVarying(dynamic)) ||
           llvm::any_of(access.getIndices(), [&](Value index) {
             return divergence.isVarying(index) && !divergence.stepOf(index);
           });
  }

  /// A sum that all lanes take over the same elements of vectors (n bodies):
  /// widened along itself, the loop would take each vector apart. Conditions in
  /// it (`if i != j`) are masks.
  bool sharesLoads(scf::ForOp loop) {
    bool hasVectors = false;
    if (loop.getNumResults() == 0 ||
        llvm::none_of(loop.getResults(), [&](Value result) {
          return divergence.isVarying(result);
        }))
      return false;
    bool shares = !loop.getBody()
                       ->walk([&](Operation *op) {
                         if ((op->getNumRegions() && !isa<scf::IfOp>(op)) ||
                             isa<ir::CheckOp>(op))
                           return WalkResult::interrupt();
                         auto load = dyn_cast<ir::LoadOp>(op);
                         if (!load)
                           return isa<ir::FieldAccessOpInterface>(op)
                                      ? WalkResult::interrupt()
                                      : WalkResult::advance();
                         ir::FieldType field = load.getField().getType();
                         bool isInvariant =
                             llvm::all_of(load.getIndices(), [&](Value index) {
                               return loop.isDefinedOutsideOfLoop(index);
                             });
                         if (isInvariant)
                           return WalkResult::advance();
                         hasVectors |= field.getNumComponents() > 1 &&
                                       ir::hasAdjacentComponents(field);
                         return divergence.isVarying(load.getResult())
                                    ? WalkResult::interrupt()
                                    : WalkResult::advance();
                       })
                       .wasInterrupted();
    return shares && hasVectors;
  }

  /// LLVM leaves loops with several ways out, and loops under conditions.
  bool gainsBy(Operation *op) {
    return op
        ->walk([&](Operation *inner) {
          auto loop = dyn_cast<scf::ForOp>(inner);
          return isa<scf::WhileOp>(inner) || (loop && !isLeftToLLVM(loop))
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }

  ir::TaskOp task;
  const Divergence &divergence;
};

struct LanesPass : vectorize::impl::LanesPassBase<LanesPass> {
  using LanesPassBase::LanesPassBase;

  void runOnOperation() override {
    device = ir::deviceOf(getOperation());
    if (device.getVectorBytes() == 0)
      return;
    for (auto task : getOperation().getOps<ir::TaskOp>())
      widen(task);
  }

  void widen(ir::TaskOp task) {
    if (task.getRank() == 0 || countsIterations(task) || ir::hasScratch(task) ||
        task.getLanes() == 1 || !task.getWide().empty() ||
        !(hasLoop(task) || hasCheck(task) || goesWhereDataTell(task)))
      return;
    Divergence first(task);
    std::optional<LanePlan> block;
    if (!task.getLanes())
      block = plan(task, first);
    if (!block && hasLoop(task) && !LanesChooser(task, first).isWorthwhile())
      return;
    OwningOpRef<ir::TaskOp> source = cast<ir::TaskOp>(task->clone());
    if (block && block->rows > 1)
      block->axis + 1 == task.getRank()
          ? jamVectors(*source, block->rows, block->lanes)
          : jamRows(*source, block->axis, block->rows);
    makeDivergentWhiles(*source);
    Divergence divergence(*source, task.getRank() - 1,
                          block && block->isDescending);
    LanesChooser chooser(*source, divergence);
    if (!chooser.isPossible() ||
        (!task.getLanes() && !chooser.paysForGathers(hasLoop(task))))
      return;
    int64_t lanes = block ? block->lanes : chooser.lanes(device);
    if (std::optional<int64_t> asked = task.getLanes();
        asked && *asked <= 64 && llvm::isPowerOf2_64(*asked))
      lanes = *asked;
    if (extentsOf(task).back().value_or(lanes) < lanes)
      return;
    widenBody(task, *source, divergence, lanes);
    sinkSums(task);
    if (!OptimisationSet::of(without).has(Optimisation::ElementRows))
      joinElements(task);
    task.setLanes(lanes);
    if (block && block->rows > 1)
      task.setRows(ArrayRef<int64_t>{block->axis, block->rows});
  }

  std::optional<LanePlan> plan(ir::TaskOp task, const Divergence &divergence) {
    auto off = OptimisationSet::of(without);
    if (off.has(Optimisation::Blocks))
      return std::nullopt;
    auto block = planBlock(task, divergence, device, extentsOf(task));
    if (block && off.has(Optimisation::RowBlocks))
      block->rows = 1;
    return block;
  }

  static bool hasLoop(ir::TaskOp task) {
    return task
        .walk([](Operation *op) {
          return isa<scf::WhileOp, scf::ForOp>(op) ? WalkResult::interrupt()
                                                   : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// LLVM's vectoriser does not handle bodies that may stop in the middle, and
  /// makes poor vectors of bodies with loaded addresses. Without a loop in it
  /// such a body is worth lanes if it has work for its gathers.
  static bool hasCheck(ir::TaskOp task) {
    return task.walk([](ir::CheckOp) { return WalkResult::interrupt(); })
        .wasInterrupted();
  }

  static bool goesWhereDataTell(ir::TaskOp task) {
    return task
        .walk([](ir::FieldAccessOpInterface access) {
          return llvm::any_of(access.getIndices(), isLoaded)
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// Is the index computed from a loaded value?
  static bool isLoaded(Value index) {
    llvm::SetVector<Value> parts;
    parts.insert(index);
    for (size_t k = 0; k < parts.size(); ++k) {
      Operation *op = parts[k].getDefiningOp();
      if (isa_and_nonnull<ir::FieldAccessOpInterface>(op))
        return true;
      if (op)
        parts.insert(op->operand_begin(), op->operand_end());
    }
    return false;
  }

  /// Iterations along each axis, where that is known.
  static SmallVector<std::optional<int64_t>> extentsOf(ir::TaskOp task) {
    SmallVector<std::optional<int64_t>> extents;
    for (unsigned axis = 0; axis < task.getRank(); ++axis)
      extents.push_back(task.getKnownExtent(axis));
    return extents;
  }

  ir::DeviceAttr device;
};
} // namespace

//===- Cost.cpp - Estimated time of an iteration --------------------------===//
#include "chi/Analysis/Cost.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

// In 1/16 ns, for a core of some 4 GHz that runs two or three simple ops a
// cycle and vectorises where it can.
static constexpr int64_t kSimple = 2;
static constexpr int64_t kDivide = 16;
static constexpr int64_t kMath = 48;
static constexpr int64_t kAccess = 4;
static constexpr int64_t kAtomic = 80;
static constexpr int64_t kPrint = 16000;
static constexpr int64_t kRandom = 160;
static constexpr int64_t kCall = 320;
/// Iterations of a loop of which nothing is known.
static constexpr int64_t kIterations = 8;

static int64_t costOfBlock(Block &block, Ranges &ranges);

static int64_t costOfSimple(Operation *op) {
  return TypeSwitch<Operation *, int64_t>(op)
      .Case<arith::ConstantOp, scf::YieldOp, scf::ConditionOp, ir::NextOp,
            ir::DimOp, arith::ExtSIOp, arith::IndexCastOp>(
          [](auto) { return 0; })
      .Case<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp,
            arith::RemSIOp, arith::RemUIOp, ir::FloorDivOp, ir::FloorModOp,
            ir::FFloorModOp, ir::RootOp, math::SqrtOp>([](Operation *each) {
        // By a constant it is a multiplication.
        bool isCheap = each->getNumOperands() == 2 &&
                       matchPattern(each->getOperand(1), m_Constant());
        return isCheap ? 2 * kSimple : kDivide;
      })
      .Case<ir::LoadOp, ir::StoreOp, ir::GetOp, ir::SetOp>(
          [](auto) { return kAccess; })
      .Case([](ir::AccumOp accum) {
        return accum.getStrategy() == ir::AccumStrategy::atomic ? kAtomic
                                                                : 2 * kAccess;
      })
      .Case<ir::AtomicOp>([](auto) { return kAtomic; })
      .Case<ir::RandomOp>([](auto) { return kRandom; })
      .Case<ir::PrintOp>([](auto) { return kPrint; })
      .Case<func::CallOp>([](auto) { return kCall; })
      .Case<math::AbsFOp, math::AbsIOp, math::FloorOp, math::CeilOp,
            math::TruncOp, math::FmaOp, math::CopySignOp, math::RoundEvenOp>(
          [](auto) { return kSimple; })
      .Default([](Operation *each) {
        bool isMath = each->getName().getDialectNamespace() == "math";
        return isMath || isa<ir::HypotOp, ir::IPowOp>(each) ? kMath : kSimple;
      });
}

/// How often a counted loop iterates, if it is known, else a guess.
static int64_t tripCountOf(scf::ForOp loop, Ranges &ranges) {
  Interval from = ranges.intervalAt(loop.getLowerBound(), loop);
  Interval to = ranges.intervalAt(loop.getUpperBound(), loop);
  auto step = constantOf(loop.getStep());
  auto length = ranges.linearAt(loop.getUpperBound(), loop)
                    .plus(ranges.linearAt(loop.getLowerBound(), loop), -1);
  if (length && length->isConstant() && step && *step > 0)
    return std::max<int64_t>(
        0,
        llvm::divideCeil(std::max<int64_t>(length->getConstant(), 0), *step));
  // A triangle: half of the maximal trip count.
  Wide most = Wide(to.hi) - from.lo;
  if (from.lo >= 0 && from.isPoint() && most < (1 << 24))
    return std::max<int64_t>(1, static_cast<int64_t>(most) / 2);
  return kIterations;
}

static int64_t costOf(Operation *op, Ranges &ranges) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return llvm::SaturatingMultiplyAdd<uint64_t>(
        tripCountOf(loop, ranges),
        costOfBlock(*loop.getBody(), ranges) + kSimple, kSimple);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return kIterations * (costOfBlock(*loop.getBeforeBody(), ranges) +
                          costOfBlock(*loop.getAfterBody(), ranges));
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    int64_t most = 0;
    for (Region *region : branch.getRegions())
      if (!region->empty())
        most = std::max(most, costOfBlock(region->front(), ranges));
    return kSimple + most;
  }
  return costOfSimple(op);
}

static int64_t costOfBlock(Block &block, Ranges &ranges) {
  // Far above any real program, and products of it still fit.
  constexpr int64_t kMost = int64_t(1) << 48;
  int64_t sum = 0;
  for (Operation &op : block) {
    int64_t one = costOf(&op, ranges);
    sum = one < 0 || one > kMost - sum ? kMost : sum + one;
  }
  return sum;
}

int64_t analysis::costOf(ir::TaskOp task, Ranges &ranges) {
  return std::max<int64_t>(1, costOfBlock(task.getBody().front(), ranges));
}

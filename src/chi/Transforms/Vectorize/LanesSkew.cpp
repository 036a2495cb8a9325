//===- LanesSkew.cpp - Sums whose operands shift with the index -----------===//
#include "chi/Transforms/Vectorize/LanesSkew.h"

#include "chi/Dialect/Chi/MemoryOrder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace chi;
using namespace chi::vectorize;

/// The depth to which sums are searched.
static constexpr unsigned kMaxDepth = 8;

std::optional<SkewedSum> SkewedSum::of(ir::TaskOp task, scf::ForOp loop,
                                       const Divergence &lanes) {
  SkewedSum sum(task, loop, lanes);
  if (failed(sum.find()))
    return std::nullopt;
  return sum;
}

std::optional<std::pair<int64_t, int64_t>>
SkewedSum::slopesOf(Value value, unsigned depth) const {
  if (value == index)
    return std::pair(1, 0);
  if (value == loop.getInductionVar())
    return std::pair(0, 1);
  if (!lanes.isVarying(value) && loop.isDefinedOutsideOfLoop(value))
    return std::pair(0, 0);
  Operation *op = value.getDefiningOp();
  if (!op || depth == kMaxDepth)
    return std::nullopt;
  if (op->hasTrait<OpTrait::ConstantLike>())
    return std::pair(0, 0);
  // Of a sum it could differ where the sum wraps.
  if (isa<arith::ExtSIOp>(op)) {
    Value narrow = op->getOperand(0);
    auto inner = slopesOf(narrow, depth + 1);
    bool isExact = narrow == index || narrow == loop.getInductionVar();
    return isExact || inner == std::pair<int64_t, int64_t>(0, 0) ? inner
                                                                 : std::nullopt;
  }
  if (!isa<arith::AddIOp, arith::SubIOp>(op))
    return std::nullopt;
  auto left = slopesOf(op->getOperand(0), depth + 1);
  auto right = slopesOf(op->getOperand(1), depth + 1);
  if (!left || !right)
    return std::nullopt;
  int64_t sign = isa<arith::AddIOp>(op) ? 1 : -1;
  return std::pair(left->first + sign * right->first,
                   left->second + sign * right->second);
}

/// By the first window that the loop loads.
bool SkewedSum::findDirection() {
  for (auto load : loop.getBody()->getOps<ir::LoadOp>()) {
    auto last = ir::innermostAxis(load.getField().getType());
    if (!last || load.getIndices().empty())
      continue;
    auto slopes = slopesOf(load.getIndices()[*last]);
    if (!slopes || std::abs(slopes->first) != 1 ||
        std::abs(slopes->second) != 1)
      continue;
    turn = slopes->first == slopes->second ? -1 : 1;
    return true;
  }
  return false;
}

/// The end that shifts does so as the windows do.
bool SkewedSum::findShift() {
  Value low = loop.getLowerBound(), high = loop.getUpperBound();
  begins = lanes.isVarying(low);
  return begins != lanes.isVarying(high) &&
         lanes.stepOf(begins ? low : high) == turn;
}

/// The same for rows whose turns are shifted?
bool SkewedSum::isSame(Value value) const {
  Operation *op = value.getDefiningOp();
  if (op && shared.contains(op))
    return true;
  auto slopes = slopesOf(value);
  return (slopes && slopes->first + turn * slopes->second == 0) ||
         (loop.isDefinedOutsideOfLoop(value) && !lanes.isVarying(value));
}

bool SkewedSum::isShared(Operation *op) const {
  if (op->getNumResults() == 1 && op->getResult(0).getType().isInteger() &&
      isSame(op->getResult(0)))
    return true;
  return (isPure(op) || isa<ir::LoadOp>(op)) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isSame(operand); });
}

LogicalResult SkewedSum::find() {
  // Turns are counted in 64 bits, so that none is outside of the type.
  Type type = loop.getInductionVar().getType();
  if (!lanes.hasNonUniformBounds(loop) || !type.isInteger() ||
      type.getIntOrFloatBitWidth() >= 64 || loop.getUnsignedCmp() ||
      !matchPattern(loop.getStep(), m_One()) || loop.getNumResults() == 0 ||
      !findDirection() || !findShift())
    return failure();
  bool sharesWindow = false;
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto load = dyn_cast<ir::LoadOp>(op);
    if (op.getNumRegions() != 0 || (!load && !isPure(&op)))
      return failure();
    if (!isShared(&op))
      continue;
    shared.insert(&op);
    sharesWindow |= load && lanes.isVarying(load.getResult());
  }
  return success(sharesWindow);
}

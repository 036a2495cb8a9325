//===- SafeLoads.cpp - Loads that need no guard ---------------------------===//
#include "chi/Transforms/Vectorize/SafeLoads.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace chi;
using namespace chi::analysis;
using namespace chi::vectorize;

bool SafeLoads::isAtMost(const Linear &small, const Linear &large,
                         Operation *at) {
  auto rest = large.plus(small, -1);
  return rest && ranges->provesNonNegative(*rest, at);
}

std::optional<SafeLoads::Bounds> SafeLoads::ofSum(Operation *op,
                                                  scf::IfOp branch) {
  auto left = boundsOf(op->getOperand(0), branch);
  auto right = boundsOf(op->getOperand(1), branch);
  if (!left || !right)
    return std::nullopt;
  bool isSum = isa<arith::AddIOp>(op);
  auto least =
      left->least.plus(isSum ? right->least : right->most, isSum ? 1 : -1);
  auto most =
      left->most.plus(isSum ? right->most : right->least, isSum ? 1 : -1);
  Interval type = Interval::full(widthOf(op->getResult(0).getType()));
  // The promise not to wrap was made under the guard.
  if (!least || !most || !isAtMost(Linear(type.lo), *least, branch) ||
      !isAtMost(*most, Linear(type.hi), branch))
    return std::nullopt;
  exact.insert({op, branch});
  return Bounds{*least, *most};
}

std::optional<SafeLoads::Bounds> SafeLoads::ofRemainder(Operation *op,
                                                        scf::IfOp branch) {
  auto dividend = boundsOf(op->getOperand(0), branch);
  auto divisor = boundsOf(op->getOperand(1), branch);
  if (!dividend || !divisor || cast<ir::FloorModOp>(op).getIsUnsigned() ||
      !isAtMost(Linear(1), divisor->least, branch))
    return std::nullopt;
  safe.insert({op, branch});
  auto most = divisor->most.plusConstant(-1);
  if (!most)
    return std::nullopt;
  return Bounds{Linear(0), *most};
}

/// Only if its address is computed from index variables, loop variables and
/// captured values: an element whose place depends on another element is likely
/// far away, and a needless load of it is not cheap.
std::optional<SafeLoads::Bounds> SafeLoads::boundsOf(Value value,
                                                     scf::IfOp branch) {
  Operation *op = value.getDefiningOp();
  if (widthOf(value.getType()) <= 1)
    return std::nullopt;
  if (!op || !branch->isProperAncestor(op)) {
    Linear sum = ranges->linearAt(value, branch);
    return Bounds{sum, sum};
  }
  if (auto constant = constantOf(value))
    return Bounds{Linear(*constant), Linear(*constant)};
  if (isa<arith::ExtSIOp>(op) && widthOf(op->getOperand(0).getType()) > 1)
    return boundsOf(op->getOperand(0), branch);
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return ofSum(op, branch);
  if (isa<ir::FloorModOp>(op))
    return ofRemainder(op, branch);
  return std::nullopt;
}

/// Is a value computed from variables of loops and captured values only?
static bool isPlain(Value value, unsigned depth = 0) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return !isa<scf::WhileOp>(value.getParentRegion()->getParentOp());
  return depth < 16 &&
         isa<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp,
             arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, ir::FloorModOp,
             ir::FloorDivOp, ir::DimOp, arith::MinSIOp, arith::MaxSIOp,
             arith::CmpIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op) &&
         llvm::all_of(
             op->getOperands(),
             [&](Value operand) {
               return isa<ir::FieldType>(operand.getType()) ||
                      isPlain(operand, depth + 1);
             });
}

bool SafeLoads::liesWithin(ir::LoadOp load, scf::IfOp branch) {
  if (!load.getInbounds() || load.getMask() || load.getDynamic())
    return false;
  Value field = fieldBelowCasts(load.getField());
  if (!isa<BlockArgument>(field))
    return false;
  ir::FieldType type = load.getField().getType();
  for (auto [axis, index] : llvm::enumerate(load.getIndices())) {
    auto bounds = isPlain(index) ? boundsOf(index, branch) : std::nullopt;
    if (!bounds)
      return false;
    Linear extent = type.isDynamicDim(axis) ? Linear(Symbol{field, int(axis)})
                                            : Linear(type.getShape()[axis]);
    auto behind = bounds->most.plusConstant(1);
    if (!behind || !isAtMost(Linear(0), bounds->least, branch) ||
        !isAtMost(*behind, extent, branch))
      return false;
  }
  return true;
}

void SafeLoads::find(scf::IfOp branch) {
  if (!ranges)
    ranges.emplace(branch->getParentOfType<ModuleOp>());
  for (scf::IfOp around = branch; around;
       around = dyn_cast<scf::IfOp>(around->getParentOp())) {
    // Where only places decide, rows are cut or chosen instead.
    if (isPlain(around.getCondition()))
      continue;
    for (Block *side : {branch.thenBlock(), branch.elseBlock()})
      for (Operation &op : side->without_terminator()) {
        if (auto load = dyn_cast<ir::LoadOp>(op);
            load && liesWithin(load, around))
          safe.insert({load, around});
        if (isa<ir::FloorModOp>(op))
          (void)boundsOf(op.getResult(0), around);
      }
  }
}

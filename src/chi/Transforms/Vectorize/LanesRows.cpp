//===- LanesRows.cpp - A task's body for several rows at once -------------===//
// Unroll and jam (R. Allen and K. Kennedy, "Optimizing Compilers for Modern
// Architectures", 2002) of an axis whose iterations are independent: what the
// rows share, a load above all, stands once, and a loop that all of them run
// carries the sums of each.
#include "chi/Transforms/Vectorize/RowJammer.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace chi;
using namespace chi::vectorize;

void RowJammer::findTouched() {
  task.getBody().walk([&](Operation *op) {
    bool differs = llvm::any_of(op->getOperands(), [&](Value operand) {
      return divergence.isVarying(operand);
    });
    if (!differs)
      return;
    for (; op != task && touched.insert(op).second; op = op->getParentOp())
      continue;
  });
}

SmallVector<Value> RowJammer::copiesOf(ValueRange values, ValueRange like) {
  SmallVector<Value> copies;
  for (auto [value, as] : llvm::zip(values, like)) {
    size_t count = divergence.isVarying(as) ? maps.size() : 1;
    for (IRMapping &map : MutableArrayRef(maps).take_front(count))
      copies.push_back(map.lookupOrDefault(value));
  }
  return copies;
}

void RowJammer::bind(ValueRange olds, ValueRange copies) {
  size_t next = 0;
  for (Value old : olds)
    for (auto [row, map] : llvm::enumerate(maps)) {
      bool isLast = row + 1 == maps.size();
      map.map(old, copies[next]);
      next += divergence.isVarying(old) || isLast;
    }
}

void RowJammer::cloneForAll(Operation &op) {
  Operation *clone = b.clone(op, maps.front());
  for (IRMapping &map : MutableArrayRef(maps).drop_front())
    map.map(op.getResults(), clone->getResults());
}

/// A check says which row it belongs to. What a row that does not exist must
/// not do is under a condition.
void RowJammer::cloneForEach(Operation &op) {
  bool isFree = isMemoryEffectFree(&op) && isSpeculatable(&op);
  for (auto [row, map] : llvm::enumerate(maps)) {
    if (row > 0 && count && !isFree) {
      cloneIfPresent(op, row);
      continue;
    }
    Operation *clone = b.clone(op, map);
    if (row == 0)
      continue;
    clone->walk([&](ir::CheckOp check) { check.setRow(row); });
  }
}

void RowJammer::visit(Block &block) {
  for (Operation &op : block.without_terminator()) {
    bool isTogether =
        !divergence.isDivergent(&op) && !divergence.hasNonUniformBounds(&op);
    auto sum = skewed.find(&op);
    if (!touched.contains(&op))
      cloneForAll(op);
    else if (sum != skewed.end())
      visitSkewed(cast<scf::ForOp>(op), sum->second);
    else if (auto loop = dyn_cast<scf::ForOp>(op); loop && isTogether)
      visitFor(loop);
    else if (auto branch = dyn_cast<scf::IfOp>(op); branch && isTogether)
      visitIf(branch);
    else
      cloneForEach(op);
  }
}

void RowJammer::visitFor(scf::ForOp op) {
  IRMapping &any = maps.front();
  auto loop = scf::ForOp::create(
      b, op.getLoc(), any.lookupOrDefault(op.getLowerBound()),
      any.lookupOrDefault(op.getUpperBound()),
      any.lookupOrDefault(op.getStep()),
      copiesOf(op.getInitArgs(), op.getRegionIterArgs()), nullptr,
      op.getUnsignedCmp());
  for (IRMapping &map : maps)
    map.map(op.getInductionVar(), loop.getInductionVar());
  bind(op.getRegionIterArgs(), loop.getRegionIterArgs());
  {
    OpBuilder::InsertionGuard guard(b);
    loop.getBody()->clear();
    b.setInsertionPointToEnd(loop.getBody());
    visit(*op.getBody());
    scf::YieldOp::create(b, op.getLoc(),
                         copiesOf(op.getBody()->getTerminator()->getOperands(),
                                  op.getRegionIterArgs()));
  }
  bind(op.getResults(), loop.getResults());
}

void RowJammer::visitIf(scf::IfOp op) {
  SmallVector<Type> types;
  for (Value result : op.getResults())
    types.append(divergence.isVarying(result) ? maps.size() : 1,
                 result.getType());
  Value condition = maps.front().lookupOrDefault(op.getCondition());
  auto branch = rebuildIf(b, op, types, condition, [&](Block &side) {
    visit(side);
    return copiesOf(side.getTerminator()->getOperands(), op.getResults());
  });
  bind(op.getResults(), branch.getResults());
}

Block *RowJammer::createBody() {
  Block &old = task.getBody().front();
  Block *fresh = b.createBlock(&task.getBody());
  for (BlockArgument argument : old.getArguments())
    for (Value now = fresh->addArgument(argument.getType(), argument.getLoc());
         IRMapping &map : maps)
      map.map(argument, now);
  return fresh;
}

void RowJammer::finish(Block &old) {
  visit(old);
  ir::NextOp::create(b, task.getLoc());
  old.erase();
}

void RowJammer::run() {
  Block &old = task.getBody().front();
  Block *fresh = createBody();
  Value first = fresh->getArguments().take_back(task.getRank())[axis];
  Value variable = old.getArguments().take_back(task.getRank())[axis];
  for (auto [row, map] : llvm::enumerate(MutableArrayRef(maps).drop_front())) {
    Value number = arith::ConstantOp::create(
        b, task.getLoc(), b.getIntegerAttr(first.getType(), row + 1));
    map.map(variable, arith::AddIOp::create(b, task.getLoc(), first, number,
                                            arith::IntegerOverflowFlags::nsw));
  }
  finish(old);
}

void vectorize::jamRows(ir::TaskOp task, unsigned axis, int64_t rows) {
  RowJammer(task, axis, rows).run();
}

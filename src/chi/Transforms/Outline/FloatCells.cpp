//===- FloatCells.cpp - Floats that a kernel holds live in cells ----------===//

#include "chi/Transforms/Outline/FloatCells.h"

using namespace mlir;
using namespace chi::ir;
using namespace chi::outline;

static bool isFloat(Value value) { return isa<FloatType>(value.getType()); }

Value FloatCells::makeValueCell(Location loc, Type scalar) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&kernel.getBody().front());
  auto type = FieldType::get(scalar.getContext(), {}, scalar);
  Value cell = CellOp::create(builder, loc, type, "");
  valueCells.insert(cell);
  return cell;
}

Value FloatCells::loadCell(Location loc, Value cell) {
  Type type = cast<FieldType>(cell.getType()).getScalar();
  return LoadOp::create(builder, loc, type, cell, ValueRange(), Value(), 0,
                        true);
}

void FloatCells::storeCell(Location loc, Value value, Value cell) {
  StoreOp::create(builder, loc, value, cell, ValueRange(), Value(), 0, true);
}

bool FloatCells::isValueLoad(Operation *op) const {
  auto load = dyn_cast_or_null<LoadOp>(op);
  return load && valueCells.contains(load.getField());
}

//===----------------------------------------------------------------------===//
// Values carried by loops and conditions
//===----------------------------------------------------------------------===//

// Below, `cells` has an entry for each argument or result: the cell that takes
// the place of a float, null for the rest.

static bool hasFloat(ValueRange values) {
  return llvm::any_of(values, isFloat);
}

/// Those of `values` whose cell is null.
template <typename Range>
static SmallVector<Value> withoutCells(Range values, ArrayRef<Value> cells) {
  SmallVector<Value> kept;
  for (auto [value, cell] : llvm::zip_equal(values, cells))
    if (!cell)
      kept.push_back(value);
  return kept;
}

/// Erases the arguments of `block`, from the first-th on, that have a cell.
static void eraseArguments(Block &block, unsigned first,
                           ArrayRef<Value> cells) {
  for (size_t k = cells.size(); k-- > 0;)
    if (cells[k])
      block.eraseArgument(first + k);
}

/// `made` has the regions of `old` and replaces it.
void FloatCells::replace(Operation *old, Operation *made) {
  made->setDiscardableAttrs(old->getDiscardableAttrDictionary());
  loops.erase(old);
  loops.insert(made);
  old->erase();
}

/// The results of `old` that have no cell are those of `made`, the rest is
/// loaded after it.
static void replaceResults(Operation *old, Operation *made,
                           ArrayRef<Value> cells,
                           llvm::function_ref<Value(Value)> load) {
  unsigned next = 0;
  for (auto [result, cell] : llvm::zip_equal(old->getResults(), cells))
    result.replaceAllUsesWith(cell ? load(cell) : made->getResult(next++));
}

void FloatCells::demote(scf::ForOp op) {
  if (!hasFloat(op.getRegionIterArgs()))
    return;
  Location loc = op.getLoc();
  SmallVector<Value> cells;
  Block &body = *op.getBody();
  Operation *yield = body.getTerminator();
  for (auto [number, argument] : llvm::enumerate(op.getRegionIterArgs())) {
    cells.push_back({});
    if (!isFloat(argument))
      continue;
    Value cell = cells.back() = makeValueCell(loc, argument.getType());
    builder.setInsertionPoint(op);
    storeCell(loc, op.getInitArgs()[number], cell);
    builder.setInsertionPointToStart(&body);
    argument.replaceAllUsesWith(loadCell(loc, cell));
    builder.setInsertionPoint(yield);
    storeCell(yield->getLoc(), yield->getOperand(number), cell);
  }
  yield->setOperands(withoutCells(yield->getOperands(), cells));
  builder.setInsertionPoint(op);
  auto made = scf::ForOp::create(
      builder, loc, op.getLowerBound(), op.getUpperBound(), op.getStep(),
      withoutCells(op.getInitArgs(), cells), nullptr, op.getUnsignedCmp());
  made.getRegion().takeBody(op.getRegion());
  eraseArguments(*made.getBody(), 1, cells);
  builder.setInsertionPointAfter(made);
  replaceResults(op, made, cells,
                 [&](Value cell) { return loadCell(loc, cell); });
  replace(op, made);
}

void FloatCells::demote(scf::IfOp op) {
  if (!hasFloat(op.getResults()))
    return;
  Location loc = op.getLoc();
  SmallVector<Value> cells;
  SmallVector<Type> types;
  for (Value result : op.getResults())
    if (isFloat(result)) {
      cells.push_back(makeValueCell(loc, result.getType()));
    } else {
      cells.push_back({});
      types.push_back(result.getType());
    }
  for (Block *side : {op.thenBlock(), op.elseBlock()}) {
    Operation *yield = side->getTerminator();
    builder.setInsertionPoint(yield);
    for (auto [value, cell] : llvm::zip_equal(yield->getOperands(), cells))
      if (cell)
        storeCell(yield->getLoc(), value, cell);
    yield->setOperands(withoutCells(yield->getOperands(), cells));
  }
  builder.setInsertionPoint(op);
  auto made = scf::IfOp::create(builder, loc, types, op.getCondition(),
                                /*addThenBlock=*/false, /*addElseBlock=*/false);
  made.getThenRegion().takeBody(op.getThenRegion());
  made.getElseRegion().takeBody(op.getElseRegion());
  builder.setInsertionPointAfter(made);
  replaceResults(op, made, cells,
                 [&](Value cell) { return loadCell(loc, cell); });
  replace(op, made);
}

/// The operands of the first region of a loop: stored before it, and at the end
/// of the second region.
SmallVector<Value> FloatCells::cellsOfInits(scf::WhileOp op) {
  SmallVector<Value> cells;
  Block &before = op.getBefore().front();
  Operation *yield = op.getAfter().front().getTerminator();
  for (auto [number, argument] : llvm::enumerate(before.getArguments())) {
    cells.push_back({});
    if (!isFloat(argument))
      continue;
    Value cell = cells.back() = makeValueCell(op.getLoc(), argument.getType());
    builder.setInsertionPoint(op);
    storeCell(op.getLoc(), op.getInits()[number], cell);
    builder.setInsertionPointToStart(&before);
    argument.replaceAllUsesWith(loadCell(op.getLoc(), cell));
    builder.setInsertionPoint(yield);
    storeCell(yield->getLoc(), yield->getOperand(number), cell);
  }
  return cells;
}

/// The operands of the second region, which are the results of the loop. A
/// value that the first region passes on unchanged stays in its cell: only the
/// end of the second region stores it again.
SmallVector<Value> FloatCells::cellsOfConditions(scf::WhileOp op,
                                                 ArrayRef<Value> initCells) {
  SmallVector<Value> cells;
  Block &after = op.getAfter().front();
  scf::ConditionOp end = op.getConditionOp();
  for (auto [value, argument] :
       llvm::zip_equal(end.getArgs(), after.getArguments())) {
    cells.push_back({});
    if (!isFloat(argument))
      continue;
    auto load = value.getDefiningOp<LoadOp>();
    if (load && load->getBlock() == end->getBlock() &&
        llvm::is_contained(initCells, load.getField())) {
      cells.back() = load.getField();
    } else {
      cells.back() = makeValueCell(op.getLoc(), argument.getType());
      builder.setInsertionPoint(end);
      storeCell(end.getLoc(), value, cells.back());
    }
    builder.setInsertionPointToStart(&after);
    argument.replaceAllUsesWith(loadCell(op.getLoc(), cells.back()));
  }
  return cells;
}

void FloatCells::demote(scf::WhileOp op) {
  if (!hasFloat(op.getBeforeArguments()) && !hasFloat(op.getAfterArguments()))
    return;
  SmallVector<Value> inits = cellsOfInits(op);
  SmallVector<Value> results = cellsOfConditions(op, inits);
  Operation *yield = op.getAfter().front().getTerminator();
  yield->setOperands(withoutCells(yield->getOperands(), inits));
  scf::ConditionOp end = op.getConditionOp();
  SmallVector<Value> handed = withoutCells(end.getArgs(), results);
  end.getArgsMutable().assign(handed);
  SmallVector<Type> types;
  for (Value value : handed)
    types.push_back(value.getType());
  builder.setInsertionPoint(op);
  auto made = scf::WhileOp::create(builder, op.getLoc(), types,
                                   withoutCells(op.getInits(), inits));
  made.getBefore().takeBody(op.getBefore());
  made.getAfter().takeBody(op.getAfter());
  eraseArguments(made.getBefore().front(), 0, inits);
  eraseArguments(made.getAfter().front(), 0, results);
  builder.setInsertionPointAfter(made);
  Location loc = op.getLoc();
  replaceResults(op, made, results,
                 [&](Value cell) { return loadCell(loc, cell); });
  replace(op, made);
}

//===----------------------------------------------------------------------===//
// Values for control code itself
//===----------------------------------------------------------------------===//

/// Comparisons of floats on which bounds and conditions of control code hang,
/// through integers.
void FloatCells::findControl() {
  SmallVector<Value> needed;
  auto need = [&](ValueRange values) {
    for (Value value : values)
      if (!isFloat(value))
        needed.push_back(value);
  };
  for (Operation *op : loops) {
    need(op->getOperands());
    if (isa<ParallelOp>(op))
      continue;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        need(block.getTerminator()->getOperands());
  }
  need(kernel.getBody().front().getTerminator()->getOperands());
  while (!needed.empty()) {
    Operation *op = needed.pop_back_val().getDefiningOp();
    if (!op || op->getNumRegions() || !isPure(op) ||
        (hasFloat(op->getOperands()) && !isa<arith::CmpFOp>(op)) ||
        !control.insert(op).second)
      continue;
    need(op->getOperands());
  }
}

bool FloatCells::isControlUse(OpOperand &use) const {
  Operation *user = use.getOwner();
  return control.contains(user) || (user->hasTrait<OpTrait::IsTerminator>() &&
                                    (user->getParentOp() == kernel ||
                                     loops.contains(user->getParentOp())));
}

static bool touchesFloats(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() ||
      op->hasTrait<OpTrait::IsTerminator>() || isa<GlobalLoadOp>(op))
    return false;
  return hasFloat(op->getOperands()) || hasFloat(op->getResults());
}

bool FloatCells::isForTask(Operation *op) const {
  if (control.contains(op) || isValueLoad(op))
    return false;
  auto load = dyn_cast<LoadOp>(op);
  if (load && isa_and_present<CellOp>(load.getField().getDefiningOp()))
    return isFloat(load.getResult()) &&
           llvm::any_of(load->getUses(),
                        [&](OpOperand &use) { return !isControlUse(use); });
  return op
      ->walk([](Operation *inner) {
        return touchesFloats(inner) ? WalkResult::interrupt()
                                    : WalkResult::advance();
      })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Loads of cells that the program names
//===----------------------------------------------------------------------===//

static bool writes(Operation *root, Value cell) {
  return root
      ->walk([&](FieldAccessOpInterface access) {
        return access.isWrite() && access.getField() == cell
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Makes a load again where its value is used, if the cell is not written in
/// between.
bool FloatCells::sinkLoad(LoadOp load, OpOperand &use) {
  Operation *user = use.getOwner();
  Operation *ancestor = load->getBlock()->findAncestorOpInBlock(*user);
  if (!ancestor)
    return false;
  for (Operation *op = load->getNextNode(); op != ancestor;
       op = op->getNextNode())
    if (writes(op, load.getField()))
      return false;
  if (ancestor != user && writes(ancestor, load.getField()))
    return false;
  Operation *point = user;
  for (Operation *op = user; op != ancestor; op = op->getParentOp())
    if (isa<ParallelOp>(op->getParentOp()))
      point = &op->getParentRegion()->front().front();
  builder.setInsertionPoint(point);
  use.set(builder.clone(*load)->getResult(0));
  return true;
}

/// So each load is in the code that becomes the task of its user. A load that
/// cannot move there is copied to a value cell at its place.
void FloatCells::sinkLoads() {
  SmallVector<LoadOp> loads;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<ParallelOp>(op))
      return WalkResult::skip();
    auto load = dyn_cast<LoadOp>(op);
    if (load && isFloat(load.getResult()) &&
        isa_and_present<CellOp>(load.getField().getDefiningOp()) &&
        load.getIndices().empty() && !isValueLoad(load))
      loads.push_back(load);
    return WalkResult::advance();
  });
  for (LoadOp load : loads) {
    for (OpOperand &use : llvm::make_early_inc_range(load->getUses()))
      if (!isControlUse(use))
        sinkLoad(load, use);
    if (load->use_empty())
      load.erase();
  }
}

void FloatCells::run() {
  // From the inside: an outer loop may carry the results of an inner one.
  SmallVector<Operation *> nests;
  kernel.walk([&](Operation *op) {
    if (loops.contains(op) && !isa<ParallelOp>(op))
      nests.push_back(op);
  });
  for (Operation *op : nests)
    if (auto counted = dyn_cast<scf::ForOp>(op))
      demote(counted);
    else if (auto condition = dyn_cast<scf::IfOp>(op))
      demote(condition);
    else if (auto loop = dyn_cast<scf::WhileOp>(op))
      demote(loop);
  findControl();
  sinkLoads();
}

//===- LanesWiden.cpp - A task's body for W iterations at once ------------===//
// As M. Pharr and W. R. Mark, "ispc: A SPMD compiler for high-performance CPU
// programming" (2012), do it: control that differs between lanes becomes masks.
//
// Note [Dead lanes]: code under a mask also runs for lanes that the program
// does not let there. Whatever they compute, poison included, is dropped by
// arith.select, never by `and`; divisions get 1 as their divisor; memory is
// touched under the mask. Code that must not run without any live lane (a
// load, a loop) stands behind a test for one.
#include "chi/Transforms/Lanes.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace chi;
using namespace chi::transforms;

/// Longer sides of a divergent `if` are skipped where no lane wants them.
static constexpr size_t kMaxCheapOps = 40;

static bool isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
             arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
             ir::FloorDivOp, ir::FloorModOp>(op);
}

/// Operations that work on vectors as they are.
static bool isElementwise(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) ||
         isa<ir::FloorDivOp, ir::FloorModOp, ir::FFloorModOp, ir::RootOp>(op);
}

/// Operations done lane by lane.
static bool isSerial(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return call.getCallee().starts_with("chi.rare.");
  return isa<ir::IPowOp, ir::OverflowOp>(op);
}

/// A sum of all iterations to which an iteration adds once, or not at all.
static bool isOnceAtMost(ir::AccumOp accum) {
  Operation *parent = accum->getParentOp();
  while (isa<scf::IfOp>(parent))
    parent = parent->getParentOp();
  return accum.getHow() == ir::How::tree && isa<ir::TaskOp>(parent);
}

bool transforms::canWiden(Operation *op) {
  // What is told to the run time is told of one iteration.
  if (op->hasAttr(ir::kWatchAttr))
    return false;
  if (auto accum = dyn_cast<ir::AccumOp>(op))
    return accum.getHow() == ir::How::plain || isOnceAtMost(accum);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return !loop.getUnsignedCmp();
  return op->hasTrait<OpTrait::ConstantLike>() || isElementwise(op) ||
         isSerial(op) ||
         isa<scf::IfOp, scf::WhileOp, scf::YieldOp, scf::ConditionOp,
             ir::LoadOp, ir::StoreOp, ir::CheckOp, ir::DimOp, ir::CastFieldOp,
             ir::NextOp>(op);
}

bool transforms::isCheap(Region &side) {
  if (side.empty())
    return true;
  size_t count = 0;
  WalkResult result = side.walk([&](Operation *op) {
    if (isa<scf::YieldOp, scf::IfOp>(op))
      return WalkResult::advance();
    bool pure = !isSerial(op) && isMemoryEffectFree(op) && isSpeculatable(op) &&
                op->getNumRegions() == 0;
    if (!pure || ++count > kMaxCheapOps)
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return !result.wasInterrupted();
}

namespace {
class Widener {
public:
  Widener(ir::TaskOp task, const Divergence &divergence, int64_t lanes)
      : b(task.getContext()), divergence(divergence), lanes(lanes) {}

  void run(ir::TaskOp task, ir::TaskOp source);

private:
  VectorType lanesOf(Type scalar) { return VectorType::get({lanes}, scalar); }
  Type typeOf(Value old) {
    return divergence.isVarying(old) ? lanesOf(old.getType()) : old.getType();
  }
  bool isVarying(Value old) { return divergence.isVarying(old); }
  Value constant(Type type, int64_t value);
  /// What stands for a value of the source: a scalar if it is uniform.
  Value wide(Value old) {
    return isVarying(old) ? vectors.lookup(old) : scalars.lookup(old);
  }
  /// The same as a vector in any case.
  Value vector(Value old) { return spread(wide(old)); }
  Value spread(Value value);
  void bind(Value old, Value now) {
    if (isVarying(old))
      vectors[old] = spread(now);
    else
      scalars.map(old, now);
  }
  void bindUnit(Value old, Value first);

  Value both(Value left, Value right);
  Value without(Value left, Value right);
  Value any(Value mask);
  /// Live lanes as a vector.
  Value live() { return mask ? mask : constant(lanesOf(b.getI1Type()), 1); }

  void visit(Block &block);
  void visit(Operation *op);
  void visitElementwise(Operation *op);
  void visitSerial(Operation *op);
  void visitAccess(Operation *op);
  void visitCheck(ir::CheckOp op);
  void visitIf(scf::IfOp op);
  void visitDivergentIf(scf::IfOp op);
  SmallVector<Value> visitSide(Region &side, Value sideMask, scf::IfOp op);
  void visitFor(scf::ForOp op);
  void visitWhile(scf::WhileOp op);
  void visitDivergentWhile(scf::WhileOp op);
  SmallVector<Value> yielded(Operation *terminator, unsigned skip,
                             ValueRange like);

  OpBuilder b;
  Location loc = b.getUnknownLoc();
  const Divergence &divergence;
  int64_t lanes;
  IRMapping scalars;
  DenseMap<Value, Value> vectors;
  DenseMap<Value, Value> firsts; ///< of unit values: the first lane's
  Value mask;                    ///< live lanes; null: all
};
} // namespace

//===----------------------------------------------------------------------===//
// Values and masks
//===----------------------------------------------------------------------===//

/// A number in a scalar, or in every lane of a vector.
Value Widener::constant(Type type, int64_t value) {
  Type scalar = getElementTypeOrSelf(type);
  TypedAttr attr = isa<FloatType>(scalar)
                       ? TypedAttr(b.getFloatAttr(scalar, double(value)))
                       : TypedAttr(b.getIntegerAttr(scalar, value));
  if (auto many = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(many, Attribute(attr));
  return arith::ConstantOp::create(b, loc, attr);
}

Value Widener::spread(Value value) {
  Type type = value.getType();
  if (isa<VectorType>(type))
    return value;
  if (Attribute known; matchPattern(value, m_Constant(&known)))
    return arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(lanesOf(type), known));
  return vector::BroadcastOp::create(b, loc, lanesOf(type), value);
}

void Widener::bindUnit(Value old, Value first) {
  firsts[old] = first;
  VectorType type = lanesOf(first.getType());
  SmallVector<Attribute> numbers;
  for (int64_t lane = 0; lane < lanes; ++lane)
    numbers.push_back(b.getIntegerAttr(first.getType(), lane));
  Value steps = arith::ConstantOp::create(
      b, loc, DenseElementsAttr::get(type, numbers));
  vectors[old] = arith::AddIOp::create(b, loc, spread(first), steps);
}

Value Widener::both(Value left, Value right) {
  if (!left)
    return right;
  return arith::SelectOp::create(b, loc, left, right,
                                 constant(right.getType(), 0));
}

Value Widener::without(Value left, Value right) {
  Value ones = constant(right.getType(), 1);
  return both(left, arith::XOrIOp::create(b, loc, right, ones));
}

Value Widener::any(Value mask) {
  return vector::ReductionOp::create(b, loc, vector::CombiningKind::OR, mask);
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

void Widener::run(ir::TaskOp task, ir::TaskOp source) {
  Block *entry = b.createBlock(&task.getWide());
  for (BlockArgument argument : source.getBody().getArguments()) {
    Value now = entry->addArgument(argument.getType(), argument.getLoc());
    if (!isVarying(argument))
      scalars.map(argument, now);
  }
  b.setInsertionPointToStart(entry);
  loc = task.getLoc();
  bindUnit(source.getIndexVariables().back(), entry->getArguments().back());
  visit(source.getBody().front());
  ir::NextOp::create(b, loc);
}

void Widener::visit(Block &block) {
  for (Operation &op : block.without_terminator()) {
    loc = op.getLoc();
    visit(&op);
  }
}

void Widener::visit(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](scf::IfOp op) { visitIf(op); })
      .Case([&](scf::ForOp op) { visitFor(op); })
      .Case([&](scf::WhileOp op) {
        divergence.isDivergent(op) ? visitDivergentWhile(op) : visitWhile(op);
      })
      .Case([&](ir::CheckOp op) { visitCheck(op); })
      .Case<ir::LoadOp, ir::StoreOp, ir::AccumOp>(
          [&](Operation *op) { visitAccess(op); })
      .Default([&](Operation *op) {
        bool varies = llvm::any_of(op->getResults(),
                                   [&](Value v) { return isVarying(v); });
        if (!varies)
          b.clone(*op, scalars);
        else if (isSerial(op))
          visitSerial(op);
        else
          visitElementwise(op);
      });
}

void Widener::visitElementwise(Operation *op) {
  Value result = op->getResult(0);
  if (divergence.isUnit(result)) {
    // No flags: the first lane may be dead and wrap.
    Value left = op->getOperand(0), first;
    auto scalar = [&](Value old) {
      return divergence.isUnit(old) ? firsts.lookup(old) : scalars.lookup(old);
    };
    if (isa<arith::ExtSIOp>(op))
      first = arith::ExtSIOp::create(b, loc, result.getType(), scalar(left));
    else if (isa<arith::AddIOp>(op))
      first = arith::AddIOp::create(b, loc, scalar(left),
                                    scalar(op->getOperand(1)));
    else
      first = arith::SubIOp::create(b, loc, scalar(left),
                                    scalar(op->getOperand(1)));
    return bindUnit(result, first);
  }
  // One value may stand in two places of which one stays scalar.
  Operation *clone = op->clone();
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    bool isChoice = isa<arith::SelectOp>(op) && number == 0;
    clone->setOperand(number, isChoice ? wide(operand) : vector(operand));
  }
  if (isDivision(op) && mask &&
      !matchPattern(op->getOperand(1), m_Constant())) {
    Value divisor = clone->getOperand(1);
    Value one = constant(divisor.getType(), 1);
    clone->setOperand(1,
                      arith::SelectOp::create(b, loc, mask, divisor, one));
  }
  clone->getResult(0).setType(lanesOf(result.getType()));
  b.insert(clone);
  vectors[result] = clone->getResult(0);
}

/// for each lane: if it lives, the operation on its scalars.
void Widener::visitSerial(Operation *op) {
  SmallVector<Value> inits;
  for (Value result : op->getResults())
    inits.push_back(constant(lanesOf(result.getType()), 0));
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value end = arith::ConstantIndexOp::create(b, loc, lanes);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(wide(operand));
  Value alive = live();
  auto loop = scf::ForOp::create(b, loc, zero, end, one, inits);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value lane = loop.getInductionVar();
  Value bit = vector::ExtractOp::create(b, loc, alive, lane);
  auto branch = scf::IfOp::create(
      b, loc, bit,
      [&](OpBuilder &inner, Location) {
        IRMapping mapping;
        for (auto [old, now] : llvm::zip(op->getOperands(), operands))
          mapping.map(old, isa<VectorType>(now.getType())
                               ? Value(vector::ExtractOp::create(inner, loc,
                                                                 now, lane))
                               : now);
        Operation *clone = inner.clone(*op, mapping);
        SmallVector<Value> results;
        for (auto [value, old] :
             llvm::zip(clone->getResults(), loop.getRegionIterArgs()))
          results.push_back(
              vector::InsertOp::create(inner, loc, value, old, lane));
        scf::YieldOp::create(inner, loc, results);
      },
      [&](OpBuilder &inner, Location) {
        scf::YieldOp::create(inner, loc, loop.getRegionIterArgs());
      });
  b.setInsertionPointToEnd(loop.getBody());
  scf::YieldOp::create(b, loc, branch.getResults());
  for (auto [old, now] : llvm::zip(op->getResults(), loop.getResults()))
    vectors[old] = now;
}

/// Where the one varying index is a unit, says so: the lanes touch neighbours.
static std::optional<int64_t> unitAxis(ir::FieldAccessOpInterface access,
                                       const Divergence &divergence) {
  std::optional<int64_t> axis;
  if (access.getDynamicComponent() &&
      divergence.isVarying(access.getDynamicComponent()))
    return std::nullopt;
  for (auto [number, index] : llvm::enumerate(access.getIndices())) {
    if (!divergence.isVarying(index))
      continue;
    if (axis || !divergence.isUnit(index))
      return std::nullopt;
    axis = number;
  }
  return axis;
}

void Widener::visitAccess(Operation *op) {
  auto access = cast<ir::FieldAccessOpInterface>(op);
  auto varies = [&](Value v) { return isVarying(v); };
  bool placeVaries =
      llvm::any_of(access.getIndices(), varies) ||
      (access.getDynamicComponent() && varies(access.getDynamicComponent()));
  auto load = dyn_cast<ir::LoadOp>(op);
  Value value = load ? load.getResult() : op->getOperand(0);
  bool scalar = !placeVaries && !isa<ir::AccumOp>(op) && !varies(value);
  if (scalar) {
    // Some lane lives here, and all touch this element alike.
    b.clone(*op, scalars);
    return;
  }
  Operation *clone = op->clone();
  for (auto [number, operand] : llvm::enumerate(op->getOperands()))
    clone->setOperand(number, !load && number == 0 ? vector(operand)
                                                   : wide(operand));
  Value live = placeVaries ? mask : this->live();
  b.insert(clone);
  if (live)
    llvm::TypeSwitch<Operation *>(clone)
        .Case<ir::LoadOp, ir::StoreOp, ir::AccumOp>(
            [&](auto op) { op.getMaskMutable().assign(live); });
  if (auto axis = unitAxis(access, divergence))
    clone->setAttr(ir::kUnitAxisAttr, b.getI64IntegerAttr(*axis));
  if (!load)
    return;
  clone->getResult(0).setType(lanesOf(value.getType()));
  vectors[value] = clone->getResult(0);
}

/// A uniform check under a mask also names the first live lane.
void Widener::visitCheck(ir::CheckOp op) {
  if (!isVarying(op.getOk()) && !mask &&
      llvm::none_of(op.getValues(), [&](Value v) { return isVarying(v); })) {
    b.clone(*op, scalars);
    return;
  }
  Operation *clone = op->clone();
  clone->setOperand(0, vector(op.getOk()));
  for (unsigned i = 1; i < op->getNumOperands(); ++i)
    clone->setOperand(i, wide(op->getOperand(i)));
  b.insert(clone);
  if (mask)
    cast<ir::CheckOp>(clone).getMaskMutable().assign(mask);
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

/// The terminator's values, in the types of `like`.
SmallVector<Value> Widener::yielded(Operation *terminator, unsigned skip,
                                    ValueRange like) {
  SmallVector<Value> values;
  for (auto [old, as] :
       llvm::zip(terminator->getOperands().drop_front(skip), like))
    values.push_back(isVarying(as) ? vector(old) : wide(old));
  return values;
}

void Widener::visitIf(scf::IfOp op) {
  if (divergence.isDivergent(op))
    return visitDivergentIf(op);
  SmallVector<Type> types;
  for (Value result : op.getResults())
    types.push_back(typeOf(result));
  bool hasElse = !op.getElseRegion().empty();
  auto branch =
      scf::IfOp::create(b, loc, types, wide(op.getCondition()), hasElse);
  for (auto [side, now] :
       llvm::zip(op->getRegions(), branch->getRegions())) {
    if (side.empty())
      continue;
    OpBuilder::InsertionGuard guard(b);
    now.front().clear();
    b.setInsertionPointToEnd(&now.front());
    visit(side.front());
    scf::YieldOp::create(
        b, loc, yielded(side.front().getTerminator(), 0, op.getResults()));
  }
  for (auto [old, now] : llvm::zip(op.getResults(), branch.getResults()))
    bind(old, now);
}

/// One side under its mask; its results as vectors.
SmallVector<Value> Widener::visitSide(Region &side, Value sideMask,
                                      scf::IfOp op) {
  if (side.empty())
    return {};
  llvm::SaveAndRestore<Value> restore(mask, sideMask);
  Operation *terminator = side.front().getTerminator();
  if (isCheap(side)) {
    visit(side.front());
    return yielded(terminator, 0, op.getResults());
  }
  SmallVector<Type> types;
  for (Value result : op.getResults())
    types.push_back(typeOf(result));
  auto branch = scf::IfOp::create(b, loc, types, any(sideMask),
                                  /*withElseRegion=*/!types.empty());
  OpBuilder::InsertionGuard guard(b);
  branch.getThenRegion().front().clear();
  b.setInsertionPointToEnd(&branch.getThenRegion().front());
  visit(side.front());
  scf::YieldOp::create(b, loc, yielded(terminator, 0, op.getResults()));
  if (types.empty())
    return {};
  branch.getElseRegion().front().clear();
  b.setInsertionPointToEnd(&branch.getElseRegion().front());
  SmallVector<Value> zeros;
  for (Type type : types)
    zeros.push_back(constant(type, 0));
  scf::YieldOp::create(b, loc, zeros);
  return SmallVector<Value>(branch.getResults());
}

void Widener::visitDivergentIf(scf::IfOp op) {
  Value condition = vector(op.getCondition());
  SmallVector<Value> then =
      visitSide(op.getThenRegion(), both(mask, condition), op);
  SmallVector<Value> otherwise;
  if (!op.getElseRegion().empty())
    otherwise = visitSide(op.getElseRegion(), without(mask, condition), op);
  for (auto [number, result] : llvm::enumerate(op.getResults()))
    vectors[result] = arith::SelectOp::create(b, loc, condition, then[number],
                                              otherwise[number]);
}

void Widener::visitFor(scf::ForOp op) {
  SmallVector<Value> inits;
  for (auto [init, argument] :
       llvm::zip(op.getInitArgs(), op.getRegionIterArgs()))
    inits.push_back(isVarying(argument) ? vector(init) : wide(init));
  auto loop = scf::ForOp::create(b, loc, wide(op.getLowerBound()),
                                 wide(op.getUpperBound()),
                                 wide(op.getStep()), inits);
  scalars.map(op.getInductionVar(), loop.getInductionVar());
  for (auto [old, now] :
       llvm::zip(op.getRegionIterArgs(), loop.getRegionIterArgs()))
    bind(old, now);
  {
    OpBuilder::InsertionGuard guard(b);
    loop.getBody()->clear();
    b.setInsertionPointToEnd(loop.getBody());
    visit(*op.getBody());
    scf::YieldOp::create(b, loc,
                         yielded(op.getBody()->getTerminator(), 0,
                                 op.getRegionIterArgs()));
  }
  for (auto [old, now] : llvm::zip(op.getResults(), loop.getResults()))
    bind(old, now);
}

void Widener::visitWhile(scf::WhileOp op) {
  SmallVector<Value> inits;
  SmallVector<Type> types, before;
  for (auto [init, argument] :
       llvm::zip(op.getInits(), op.getBeforeArguments())) {
    inits.push_back(isVarying(argument) ? vector(init) : wide(init));
    before.push_back(typeOf(argument));
  }
  for (Value argument : op.getAfterArguments())
    types.push_back(typeOf(argument));
  auto loop = scf::WhileOp::create(b, loc, types, inits);
  {
    OpBuilder::InsertionGuard guard(b);
    Block *first = b.createBlock(&loop.getBefore(), {}, before,
                                 SmallVector<Location>(before.size(), loc));
    for (auto [old, now] :
         llvm::zip(op.getBeforeArguments(), first->getArguments()))
      bind(old, now);
    visit(*op.getBeforeBody());
    auto condition = op.getConditionOp();
    scf::ConditionOp::create(b, loc, wide(condition.getCondition()),
                             yielded(condition, 1, op.getAfterArguments()));
    Block *second = b.createBlock(&loop.getAfter(), {}, types,
                                  SmallVector<Location>(types.size(), loc));
    for (auto [old, now] :
         llvm::zip(op.getAfterArguments(), second->getArguments()))
      bind(old, now);
    visit(*op.getAfterBody());
    scf::YieldOp::create(b, loc,
                         yielded(op.getYieldOp(), 0, op.getBeforeArguments()));
  }
  for (auto [old, now] : llvm::zip(op.getResults(), loop.getResults()))
    bind(old, now);
}

/// while (any lane lives): carried besides the source's values are the live
/// lanes, and for each result what the lanes took along when they left.
void Widener::visitDivergentWhile(scf::WhileOp op) {
  SmallVector<Value> inits{live()}, used;
  for (auto [init, argument] :
       llvm::zip(op.getInits(), op.getBeforeArguments()))
    inits.push_back(isVarying(argument) ? vector(init) : wide(init));
  for (Value result : op.getResults())
    if (!result.use_empty()) {
      used.push_back(result);
      inits.push_back(constant(lanesOf(result.getType()), 0));
    }
  size_t numBefore = op.getInits().size(), numAfter = op.getNumResults();
  SmallVector<Type> before = llvm::to_vector(ValueRange(inits).getTypes());
  SmallVector<Type> after{inits[0].getType()};
  for (Value argument : op.getAfterArguments())
    after.push_back(typeOf(argument));
  for (Value result : used)
    after.push_back(lanesOf(result.getType()));
  auto loop = scf::WhileOp::create(b, loc, after, inits);
  {
    OpBuilder::InsertionGuard guard(b);
    llvm::SaveAndRestore<Value> restore(mask);
    Block *first = b.createBlock(&loop.getBefore(), {}, before,
                                 SmallVector<Location>(before.size(), loc));
    mask = first->getArgument(0);
    for (auto [old, now] : llvm::zip(
             op.getBeforeArguments(),
             first->getArguments().slice(1, numBefore)))
      bind(old, now);
    visit(*op.getBeforeBody());
    auto condition = op.getConditionOp();
    Value staying = both(mask, vector(condition.getCondition()));
    SmallVector<Value> taken{staying};
    llvm::append_range(taken, yielded(condition, 1, op.getAfterArguments()));
    for (auto [result, old] : llvm::zip(
             used, first->getArguments().drop_front(1 + numBefore))) {
      unsigned number = cast<OpResult>(result).getResultNumber();
      taken.push_back(arith::SelectOp::create(
          b, loc, mask, vector(condition.getArgs()[number]), old));
    }
    scf::ConditionOp::create(b, loc, any(staying), taken);
    Block *second = b.createBlock(&loop.getAfter(), {}, after,
                                  SmallVector<Location>(after.size(), loc));
    mask = second->getArgument(0);
    for (auto [old, now] : llvm::zip(
             op.getAfterArguments(),
             second->getArguments().slice(1, numAfter)))
      bind(old, now);
    visit(*op.getAfterBody());
    SmallVector<Value> next{second->getArgument(0)};
    llvm::append_range(
        next, yielded(op.getYieldOp(), 0, op.getBeforeArguments()));
    llvm::append_range(next,
                       second->getArguments().drop_front(1 + numAfter));
    scf::YieldOp::create(b, loc, next);
  }
  for (auto [result, now] :
       llvm::zip(used, loop.getResults().drop_front(1 + numAfter)))
    vectors[result] = now;
}

void transforms::widenBody(ir::TaskOp task, ir::TaskOp source,
                           const Divergence &divergence, int64_t lanes) {
  Widener(task, divergence, lanes).run(task, source);
}

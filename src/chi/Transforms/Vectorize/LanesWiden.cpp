//===- LanesWiden.cpp - A task's body for W iterations at once ------------===//
// As M. Pharr and W. R. Mark, "ispc: A SPMD compiler for high-performance CPU
// programming" (2012), do it: control that differs between lanes becomes masks.
//
// Note [Dead lanes]: code under a mask also runs for lanes that are masked off.
// Whatever they compute, poison included, is dropped by arith.select, never by
// `and`; divisions get 1 as their divisor; memory is touched under the mask.
// Code that must not run without any live lane (a load, a loop) is guarded by a
// test for one.
#include "chi/Transforms/Vectorize/LanesWidener.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace chi;
using namespace chi::vectorize;

/// Longer sides of a divergent `if` are skipped if no lane needs them.
static constexpr size_t kMaxCheapOps = 40;

static bool isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
             arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
             ir::FloorDivOp, ir::FloorModOp>(op);
}

/// Operations that work on vectors as they are.
static bool isElementwise(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) ||
         isa<ir::FloorDivOp, ir::FloorModOp, ir::FFloorModOp, ir::HypotOp,
             ir::RootOp, ir::ToIntOp>(op);
}

/// Operations done lane by lane.
static bool isSerial(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return call.getCallee().starts_with("chi.cold.");
  return isa<ir::IPowOp, ir::OverflowOp>(op);
}

/// A sum of all iterations to which an iteration adds once, or not at all.
static bool isOnceAtMost(ir::AccumOp accum) {
  Operation *parent = accum->getParentOp();
  while (isa<scf::IfOp>(parent))
    parent = parent->getParentOp();
  return accum.getStrategy() == ir::AccumStrategy::deterministic &&
         isa<ir::TaskOp>(parent);
}

/// To a copy that one worker owns, in every iteration: lanes with the same
/// element add one after the other.
static bool isOwnSum(ir::AccumOp accum) {
  return accum.getStrategy() == ir::AccumStrategy::privatized &&
         isa<ir::TaskOp>(accum->getParentOp()) &&
         !accum.getDynamicComponent() && accum.getInbounds() &&
         !accum.getValue().getType().isInteger(1);
}

bool vectorize::canWiden(Operation *op) {
  // A report to the run time is about one iteration.
  auto access = dyn_cast<ir::FieldAccessOpInterface>(op);
  if (access && access.getRaceKindAttr())
    return false;
  if (auto accum = dyn_cast<ir::AccumOp>(op))
    return accum.getStrategy() == ir::AccumStrategy::plain ||
           isOnceAtMost(accum) || isOwnSum(accum);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return !loop.getUnsignedCmp();
  return op->hasTrait<OpTrait::ConstantLike>() || isElementwise(op) ||
         isSerial(op) ||
         isa<scf::IfOp, scf::WhileOp, scf::YieldOp, scf::ConditionOp,
             ir::LoadOp, ir::StoreOp, ir::CheckOp, ir::DimOp, ir::CastFieldOp,
             ir::NextOp>(op);
}

bool vectorize::isCheap(Region &side) {
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

/// The first lane's value plus, or minus, the number of the lane.
void Widener::bindStep(Value old, Value first) {
  firsts[old] = first;
  VectorType type = lanesOf(first.getType());
  int step = divergence.stepOf(old);
  SmallVector<Attribute> numbers;
  for (int64_t lane = 0; lane < lanes; ++lane)
    numbers.push_back(b.getIntegerAttr(first.getType(), step * lane));
  Value steps =
      arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, numbers));
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
  unsigned captured = task.getNumCaptured();
  ArrayRef<BlockArgument> arguments = source.getBody().getArguments();
  auto add = [&](BlockArgument argument) {
    Value now = entry->addArgument(argument.getType(), argument.getLoc());
    if (!isVarying(argument))
      scalars.map(argument, now);
    return now;
  };
  llvm::for_each(arguments.take_front(captured), add);
  Value first;
  for (BlockArgument index : arguments.take_back(task.getRank()))
    first = add(index);
  // The number of the vectors (jamVectors).
  if (source.getNumCaptured() > captured)
    add(arguments[captured]);
  b.setInsertionPointToStart(entry);
  loc = task.getLoc();
  Value index = source.getIndexVariables().back();
  if (divergence.stepOf(index) < 0)
    first = arith::AddIOp::create(b, loc, first,
                                  constant(first.getType(), lanes - 1));
  bindStep(index, first);
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
      .Case([&](scf::ForOp op) {
        divergence.hasNonUniformBounds(op) ? visitNonUniform(op) : visitFor(op);
      })
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
  if (divergence.stepOf(result)) {
    // No flags: the first lane may be dead and wrap.
    auto scalar = [&](Value old) {
      return divergence.stepOf(old) ? firsts.lookup(old) : scalars.lookup(old);
    };
    Value left = scalar(op->getOperand(0)), first;
    if (isa<arith::ExtSIOp>(op))
      first = arith::ExtSIOp::create(b, loc, result.getType(), left);
    else if (isa<arith::AddIOp>(op))
      first = arith::AddIOp::create(b, loc, left, scalar(op->getOperand(1)));
    else
      first = arith::SubIOp::create(b, loc, left, scalar(op->getOperand(1)));
    return bindStep(result, first);
  }
  // One value may be used in two places of which one stays scalar.
  Operation *clone = op->clone();
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    bool isChoice = isa<arith::SelectOp>(op) && number == 0;
    clone->setOperand(number, isChoice ? wide(operand) : vector(operand));
  }
  if (isDivision(op) && mask &&
      !matchPattern(op->getOperand(1), m_Constant())) {
    Value divisor = clone->getOperand(1);
    Value one = constant(divisor.getType(), 1);
    clone->setOperand(1, arith::SelectOp::create(b, loc, mask, divisor, one));
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
          mapping.map(
              old, isa<VectorType>(now.getType())
                       ? Value(vector::ExtractOp::create(inner, loc, now, lane))
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

/// If the one varying index has a step, marks the access: the lanes touch
/// neighbours.
static void markNeighbours(ir::FieldAccessOpInterface clone,
                           ir::FieldAccessOpInterface access,
                           const Divergence &divergence) {
  std::optional<int64_t> axis;
  if (access.getDynamicComponent() &&
      divergence.isVarying(access.getDynamicComponent()))
    return;
  for (auto [number, index] : llvm::enumerate(access.getIndices())) {
    if (!divergence.isVarying(index))
      continue;
    if (axis || !divergence.stepOf(index))
      return;
    axis = number;
  }
  if (!axis)
    return;
  Builder b(clone->getContext());
  clone.setUnitAxisAttr(b.getI64IntegerAttr(*axis));
  clone.setReversed(divergence.stepOf(access.getIndices()[*axis]) < 0);
}

void Widener::visitAccess(Operation *op) {
  auto access = cast<ir::FieldAccessOpInterface>(op);
  auto varies = [&](Value v) { return isVarying(v); };
  bool elementVaries =
      llvm::any_of(access.getIndices(), varies) ||
      (access.getDynamicComponent() && varies(access.getDynamicComponent()));
  auto load = dyn_cast<ir::LoadOp>(op);
  Value value = load ? load.getResult() : op->getOperand(0);
  bool scalar = !elementVaries && !isa<ir::AccumOp>(op) && !varies(value);
  if (scalar) {
    // Some lane lives here, and all touch this element alike.
    b.clone(*op, scalars);
    return;
  }
  Operation *clone = op->clone();
  for (auto [number, operand] : llvm::enumerate(op->getOperands()))
    clone->setOperand(number,
                      !load && number == 0 ? vector(operand) : wide(operand));
  Value live = elementVaries ? mask : this->live();
  b.insert(clone);
  if (live)
    llvm::TypeSwitch<Operation *>(clone)
        .Case<ir::LoadOp, ir::StoreOp, ir::AccumOp>(
            [&](auto op) { op.getMaskMutable().assign(live); });
  markNeighbours(cast<ir::FieldAccessOpInterface>(clone), access, divergence);
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

void vectorize::widenBody(ir::TaskOp task, ir::TaskOp source,
                          const Divergence &divergence, int64_t lanes) {
  Widener(task, divergence, lanes).run(task, source);
}

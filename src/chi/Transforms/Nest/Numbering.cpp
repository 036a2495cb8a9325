//===- Numbering.cpp - Write each value once, up to its sign --------------===//
#include "chi/Transforms/Nest/Numbering.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace chi;
using namespace chi::nest;

bool nest::isZero(Value value) { return matchPattern(value, m_AnyZeroFloat()); }

//===----------------------------------------------------------------------===//
// Existing expressions
//===----------------------------------------------------------------------===//

bool Numbering::isOutside(Value value) {
  return !loop->isAncestor(value.getParentBlock()->getParentOp());
}

/// Does it run before newly inserted operations?
bool Numbering::isVisible(Operation *known) {
  Block *block = known->getBlock(), *here = builder.getInsertionBlock();
  if (block == here)
    return true; // written expressions come last
  Operation *around = block->findAncestorOpInBlock(*here->getParentOp());
  return around && known->isBeforeInBlock(around);
}

/// For two operations: are they equal with exchanged operands?
static bool isSymmetric(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return compare.getPredicate() == arith::CmpIPredicate::eq ||
           compare.getPredicate() == arith::CmpIPredicate::ne;
  return op->hasTrait<OpTrait::IsCommutative>();
}

static bool haveSameOperands(Operation *a, Operation *b) {
  if (a->getOperands() == b->getOperands())
    return true;
  return a->getNumOperands() == 2 && b->getNumOperands() == 2 &&
         isSymmetric(a) && a->getOperand(0) == b->getOperand(1) &&
         a->getOperand(1) == b->getOperand(0);
}

Operation *Numbering::find(Operation *made) {
  for (Operation *known : written)
    if (known->getName() == made->getName() && haveSameOperands(known, made) &&
        known->getResultTypes() == made->getResultTypes() &&
        known->getAttrDictionary() == made->getAttrDictionary() &&
        isVisible(known))
      return known;
  return nullptr;
}

bool Numbering::canMoveOut(Operation *made) {
  bool isLoad = hoistsLoads && isa<ir::LoadOp>(made) &&
                builder.getInsertionBlock() == loop.getBody();
  return (isPure(made) || isLoad) &&
         llvm::all_of(made->getOperands(),
                      [&](Value operand) { return isOutside(operand); });
}

/// Puts `made` at its place, or replaces it by an existing expression.
Value Numbering::insert(Operation *made) {
  if (made->getBlock())
    made->remove();
  if (Operation *known = find(made)) {
    made->destroy();
    return known->getResult(0);
  }
  if (canMoveOut(made))
    loop->getBlock()->getOperations().insert(loop->getIterator(), made);
  else
    builder.insert(made);
  written.push_back(made);
  return made->getResult(0);
}

Value Numbering::copy(Operation *op, ArrayRef<Value> operands) {
  Operation *made = op->cloneWithoutRegions();
  made->setOperands(operands);
  return insert(made);
}

//===----------------------------------------------------------------------===//
// Signs
//===----------------------------------------------------------------------===//

Value Numbering::plain(Signed value) {
  if (!value.isNegated)
    return value.value;
  OpBuilder apart(builder.getContext());
  return insert(
      arith::NegFOp::create(apart, value.value.getLoc(), value.value));
}

Signed Numbering::sum(Signed a, Signed b) {
  if (a.isNegated == b.isNegated)
    return {make<arith::AddFOp>(a.value, b.value), a.isNegated};
  Value more = a.isNegated ? b.value : a.value;
  Value less = a.isNegated ? a.value : b.value;
  OpBuilder apart(builder.getContext());
  auto reversed = arith::SubFOp::create(apart, less.getLoc(), less, more);
  Operation *known = find(reversed);
  reversed->destroy();
  if (known)
    return {known->getResult(0), true};
  return {make<arith::SubFOp>(more, less), false};
}

/// Does a comparison with zero distinguish a value from its negation?
static bool tellsSigns(arith::CmpFPredicate predicate) {
  using enum arith::CmpFPredicate;
  return predicate != OEQ && predicate != ONE && predicate != UEQ &&
         predicate != UNE;
}

/// The result of an operation on the values without their signs; nothing if
/// these matter.
std::optional<Signed> Numbering::writeSigned(Operation *op,
                                             ArrayRef<Signed> operands) {
  SmallVector<Value> values;
  for (const Signed &operand : operands)
    values.push_back(operand.value);
  if (isa<arith::NegFOp>(op))
    return Signed{values[0], !operands[0].isNegated};
  if (isa<arith::MulFOp, arith::DivFOp>(op))
    return Signed{copy(op, values),
                  operands[0].isNegated != operands[1].isNegated};
  if (isa<arith::AddFOp>(op))
    return sum(operands[0], operands[1]);
  if (isa<arith::SubFOp>(op))
    return sum(operands[0], {values[1], !operands[1].isNegated});
  if (isa<math::AbsFOp>(op))
    return Signed{copy(op, values)};
  if (isa<arith::ExtFOp, arith::TruncFOp>(op))
    return Signed{copy(op, values), operands[0].isNegated};
  if (auto compare = dyn_cast<arith::CmpFOp>(op);
      compare && !tellsSigns(compare.getPredicate()) && isZero(values[1]))
    return Signed{copy(op, values)};
  if (isa<arith::SelectOp>(op)) {
    bool first = operands[1].isNegated, second = operands[2].isNegated;
    if (first == second || isZero(values[2]))
      return Signed{copy(op, values), first};
    if (isZero(values[1]))
      return Signed{copy(op, values), second};
  }
  return std::nullopt;
}

Signed Numbering::write(Operation *op, ArrayRef<Signed> operands) {
  if (std::optional<Signed> made = writeSigned(op, operands))
    return *made;
  SmallVector<Value> values;
  for (const Signed &operand : operands)
    values.push_back(plain(operand));
  return {copy(op, values)};
}

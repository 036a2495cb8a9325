//===- ZeroProducts.cpp - Products with zero, where they cost least -------===//
// `e[q].dot(u)` with constant directions multiplies by zeros. Such a product
// has an effect: for an infinity or a NaN it is NaN, and then so is the sum.
// But it is always 0 or NaN, so it may be added elsewhere in the same
// expression: such a term passes through sums, differences and products
// unchanged, except for the sign of a zero. So each value is represented by its
// value without such terms, and the set of the operands of these terms; they
// are added again at the end of the expression or, if there is one, to a
// constant in it, which other expressions then share.
#include "chi/Dialect/Chi/ChiDialect.h"
#include "chi/Transforms/Scalar/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include <map>

namespace chi::scalar {
#define GEN_PASS_DEF_ZEROPRODUCTSPASS
#include "chi/Transforms/Scalar/Passes.h.inc"
} // namespace chi::scalar

using namespace mlir;
using namespace chi;

namespace {
/// A sum of values times zero: 0 if all are finite, else NaN. In one order, so
/// that equal sets are equal.
using Zeros = std::vector<Value>;

/// The form of a value: `core` and the zeros beside it.
struct Parts {
  Value core; ///< null for the number zero
  Zeros zeros;
  /// Values of which `core` is NaN already where they are not finite.
  llvm::SmallSetVector<Value, 4> held;
};

class ZeroMover {
public:
  explicit ZeroMover(Block &block)
      : block(block), builder(block.getParentOp()->getContext()) {}
  void run();

private:
  Parts &partsOf(Value value);
  Zeros unite(const Zeros &a, const Zeros &b);
  unsigned numberOf(Value value);
  bool split(Operation &op);
  Parts sumOf(Operation &op, const Parts &left, const Parts &right);
  Parts productOf(Operation &op, const Parts &left, const Parts &right);
  bool hold(Operation &op, Parts &parts, Value &left, Value &right);
  Value withZeros(Value core, ArrayRef<Value> zeros, Operation &at,
                  Operation &like);
  Value whole(Value value, Operation &at);
  Value zeroLike(Value value);

  Block &block;
  OpBuilder builder;
  llvm::DenseMap<Value, Parts> parts;
  llvm::DenseMap<Value, unsigned> numbers; ///< in the order they are met
  std::map<std::pair<void *, std::vector<void *>>, Value> made;
};
} // namespace

/// More zeros beside one value are added to it at once.
static constexpr size_t kMostZeros = 4;

/// May signs of zeros be lost? What is counted as saved needs contraction, too.
static bool losesSigns(Operation &op) {
  auto fast = dyn_cast<arith::ArithFastMathInterface>(op);
  auto flags = fast ? fast.getFastMathFlagsAttr() : nullptr;
  return flags && arith::bitEnumContainsAll(flags.getValue(),
                                            arith::FastMathFlags::nsz |
                                                arith::FastMathFlags::contract);
}

static bool isZero(Value value) {
  return matchPattern(value, m_AnyZeroFloat());
}

/// Never infinite and never NaN.
static bool isFinite(Value value) {
  APFloat number(0.0);
  return matchPattern(value, m_ConstantFloat(&number))
             ? number.isFinite()
             : isa_and_nonnull<arith::SIToFPOp, arith::UIToFPOp>(
                   value.getDefiningOp()) &&
                   !value.getType().isF16(); // which has no 65536
}

Parts &ZeroMover::partsOf(Value value) {
  auto [known, isNew] = parts.try_emplace(value);
  if (isNew && !isZero(value))
    known->second.core = value;
  return known->second;
}

unsigned ZeroMover::numberOf(Value value) {
  return numbers.try_emplace(value, numbers.size()).first->second;
}

Zeros ZeroMover::unite(const Zeros &a, const Zeros &b) {
  Zeros all = a;
  for (Value value : b)
    if (!llvm::is_contained(all, value))
      all.push_back(value);
  llvm::sort(all, [&](Value x, Value y) { return numberOf(x) < numberOf(y); });
  return all;
}

Value ZeroMover::zeroLike(Value value) {
  return arith::ConstantOp::create(builder, value.getLoc(),
                                   builder.getZeroAttr(value.getType()));
}

/// The core with zeros added, one by one, each sum once; made before `at`,
/// which follows all operations made so far, with the flags of `like`.
Value ZeroMover::withZeros(Value core, ArrayRef<Value> zeros, Operation &at,
                           Operation &like) {
  if (zeros.empty())
    return core;
  std::vector<void *> key;
  for (Value zero : zeros)
    key.push_back(zero.getAsOpaquePointer());
  // Equal constants are one value.
  Attribute constant;
  void *base = matchPattern(core, m_Constant(&constant))
                   ? const_cast<void *>(constant.getAsOpaquePointer())
                   : core.getAsOpaquePointer();
  Value &known = made[{base, key}];
  if (known)
    return known;
  Value rest = withZeros(core, zeros.drop_back(), at, like);
  builder.setInsertionPoint(&at);
  auto flags = cast<arith::ArithFastMathInterface>(like).getFastMathFlagsAttr();
  Value product =
      arith::MulFOp::create(builder, at.getLoc(), zeros.back(),
                            zeroLike(zeros.back()), flags.getValue());
  return known = arith::AddFOp::create(builder, at.getLoc(), rest, product,
                                       flags.getValue());
}

/// The value with all of its terms, for users that need it unchanged.
Value ZeroMover::whole(Value value, Operation &at) {
  auto found = parts.find(value);
  if (found == parts.end() || found->second.core == value)
    return value;
  Parts &split = found->second;
  builder.setInsertionPoint(&at);
  Value core = split.core ? split.core : zeroLike(value);
  // Flags of the operation that made it: `at` may be no arithmetic.
  return withZeros(core, split.zeros, at, *value.getDefiningOp());
}

/// A constant on the way takes the zeros.
bool ZeroMover::hold(Operation &op, Parts &parts, Value &left, Value &right) {
  Attribute constant;
  Value *taker = nullptr;
  for (Value *side : {&left, &right})
    if (*side && matchPattern(*side, m_Constant(&constant)))
      taker = side;
  if (!taker || parts.zeros.empty())
    return false;
  parts.held.insert_range(parts.zeros);
  *taker = withZeros(*taker, parts.zeros, op, op);
  parts.zeros.clear();
  return true;
}

Parts ZeroMover::sumOf(Operation &op, const Parts &a, const Parts &b) {
  Parts result;
  result.held = a.held;
  result.held.insert_range(b.held);
  result.zeros = unite(a.zeros, b.zeros);
  llvm::erase_if(result.zeros,
                 [&](Value zero) { return result.held.contains(zero); });
  Value left = a.core, right = b.core;
  hold(op, result, left, right);
  builder.setInsertionPoint(&op);
  auto flags = cast<arith::ArithFastMathInterface>(op).getFastMathFlagsAttr();
  bool isSum = isa<arith::AddFOp>(op);
  if (!right)
    result.core = left;
  else if (!left && isSum)
    result.core = right;
  else if (!left)
    result.core =
        arith::NegFOp::create(builder, op.getLoc(), right, flags.getValue());
  else if (left == op.getOperand(0) && right == op.getOperand(1))
    result.core = op.getResult(0);
  else if (isSum)
    result.core = arith::AddFOp::create(builder, op.getLoc(), left, right,
                                        flags.getValue());
  else
    result.core = arith::SubFOp::create(builder, op.getLoc(), left, right,
                                        flags.getValue());
  return result;
}

Parts ZeroMover::productOf(Operation &op, const Parts &a, const Parts &b) {
  Parts result;
  result.zeros = unite(a.zeros, b.zeros);
  result.held = a.held;
  result.held.insert_range(b.held);
  if (!a.core || !b.core) {
    // The zeros of the other side are NaN whenever it is.
    Value other = a.core ? a.core : b.core;
    result.held.clear();
    if (other && !isFinite(other))
      result.zeros = unite(result.zeros, {other});
    return result;
  }
  llvm::erase_if(result.zeros,
                 [&](Value zero) { return result.held.contains(zero); });
  result.core = op.getResult(0);
  if (a.core == op.getOperand(0) && b.core == op.getOperand(1))
    return result;
  builder.setInsertionPoint(&op);
  auto flags = cast<arith::ArithFastMathInterface>(op).getFastMathFlagsAttr();
  result.core = arith::MulFOp::create(builder, op.getLoc(), a.core, b.core,
                                      flags.getValue());
  return result;
}

/// Takes a result apart; false if that is not for this operation.
bool ZeroMover::split(Operation &op) {
  if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(op) ||
      !losesSigns(op) || !isa<FloatType>(op.getResult(0).getType()))
    return false;
  Parts left = partsOf(op.getOperand(0)), right = partsOf(op.getOperand(1));
  Parts result = isa<arith::MulFOp>(op) ? productOf(op, left, right)
                                        : sumOf(op, left, right);
  if (result.zeros.size() > kMostZeros)
    return false;
  parts[op.getResult(0)] = std::move(result);
  return true;
}

void ZeroMover::run() {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (split(op))
      continue;
    // Nested blocks, too, take values as they are.
    op.walk([&](Operation *user) {
      for (OpOperand &operand : user->getOpOperands())
        operand.set(whole(operand.get(), op));
    });
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static void eraseDead(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// Operations on floats, where a product that a sum takes is none of its own.
static int64_t costOf(Block &block) {
  int64_t cost = 0;
  for (Operation &op : block) {
    if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp>(op))
      continue;
    bool isTaken = isa<arith::MulFOp, arith::NegFOp>(op) && op.hasOneUse() &&
                   isa<arith::AddFOp, arith::SubFOp>(*op.user_begin());
    cost += !isTaken;
  }
  return cost;
}

static bool hasZeroProduct(Block &block) {
  return llvm::any_of(block.getOps<arith::MulFOp>(), [](arith::MulFOp op) {
    return isZero(op.getLhs()) || isZero(op.getRhs());
  });
}

namespace {
struct ZeroProductsPass
    : chi::scalar::impl::ZeroProductsPassBase<ZeroProductsPass> {
  using ZeroProductsPassBase::ZeroProductsPassBase;

  void runOnOperation() override {
    for (auto task : getOperation().getOps<ir::TaskOp>()) {
      bool hasAny = false;
      task.getBody().walk(
          [&](Block *block) { hasAny |= hasZeroProduct(*block); });
      if (hasAny)
        move(task);
    }
  }

  void move(ir::TaskOp task) {
    OwningOpRef<ir::TaskOp> moved = cast<ir::TaskOp>(task->clone());
    int64_t before = 0, after = 0;
    SmallVector<Block *> blocks;
    moved->getBody().walk([&](Block *block) { blocks.push_back(block); });
    for (Block *block : blocks) {
      before += costOf(*block);
      if (hasZeroProduct(*block)) {
        ZeroMover(*block).run();
        eraseDead(*block);
      }
      after += costOf(*block);
    }
    // For less, expressions that are alike are worth more alike (chi-slp).
    if (after * 20 <= before * 19)
      task.getBody().takeBody(moved->getBody());
  }
};
} // namespace

//===- NoteKinks.cpp - Where a derivative is chosen -----------------------===//
// For `chic gradcheck`: an operation of a task that a tape may record reports
// to the run time when its operands are at a tie or a kink.
#include "chi/Analysis/RecordedTasks.h"
#include "chi/Transforms/Checks/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace chi::checks {
#define GEN_PASS_DEF_NOTEKINKSPASS
#include "chi/Transforms/Checks/Passes.h.inc"
} // namespace chi::checks

using namespace mlir;
using namespace chi;

namespace {
/// An operation's kink: a condition, and the operation's name in the source.
struct Kink {
  Value condition;
  StringRef name;
};

class KinkFinder {
public:
  explicit KinkFinder(Operation *op) : b(op), loc(op->getLoc()), op(op) {
    b.setInsertionPointAfter(op);
  }
  /// No condition if the operation has none.
  Kink find();
  void note(Kink kink);

private:
  Value equal(Value x, Value y) {
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, x, y);
  }
  Value isZero(Value x) {
    return equal(x,
                 arith::ConstantOp::create(b, loc, b.getZeroAttr(x.getType())));
  }
  /// Is x a whole number, or one and a half?
  Value isWhole(Value x, bool andHalf = false) {
    if (andHalf) {
      Value half =
          arith::ConstantOp::create(b, loc, b.getFloatAttr(x.getType(), 0.5));
      x = arith::AddFOp::create(b, loc, x, half);
    }
    return equal(x, math::FloorOp::create(b, loc, x));
  }
  Value comparison(arith::CmpFOp compare);
  Value jump(Value x);
  Value power(Value base, Value exponent);
  Value operand(unsigned number) { return op->getOperand(number); }

  OpBuilder b;
  Location loc;
  Operation *op;
};
} // namespace

/// Except a test for NaN, which compares a value with itself.
Value KinkFinder::comparison(arith::CmpFOp compare) {
  bool isOfNumbers = compare.getPredicate() != arith::CmpFPredicate::ORD &&
                     compare.getPredicate() != arith::CmpFPredicate::UNO &&
                     compare.getLhs() != compare.getRhs();
  return isOfNumbers ? equal(compare.getLhs(), compare.getRhs()) : Value();
}

/// `trunc` has no jump at 0.
Value KinkFinder::jump(Value x) {
  Value isNotZero = arith::CmpFOp::create(
      b, loc, arith::CmpFPredicate::ONE, x,
      arith::ConstantOp::create(b, loc, b.getZeroAttr(x.getType())));
  return arith::AndIOp::create(b, loc, isWhole(x), isNotZero);
}

/// By a whole number a power is smooth at 0.
Value KinkFinder::power(Value base, Value exponent) {
  APFloat known(0.0);
  bool isSmooth = matchPattern(exponent, m_ConstantFloat(&known)) &&
                  known.isInteger() && !known.isNegative();
  return isSmooth ? Value() : isZero(base);
}

Kink KinkFinder::find() {
  return llvm::TypeSwitch<Operation *, Kink>(op)
      .Case<arith::MaxNumFOp, arith::MaximumFOp>(
          [&](auto) { return Kink{equal(operand(0), operand(1)), "max"}; })
      .Case<arith::MinNumFOp, arith::MinimumFOp>(
          [&](auto) { return Kink{equal(operand(0), operand(1)), "min"}; })
      .Case([&](math::AbsFOp) { return Kink{isZero(operand(0)), "abs"}; })
      .Case([&](math::SqrtOp) { return Kink{isZero(operand(0)), "sqrt"}; })
      .Case([&](ir::RootOp) { return Kink{isZero(operand(0)), "norm"}; })
      .Case([&](math::CbrtOp) { return Kink{isZero(operand(0)), "cbrt"}; })
      .Case(
          [&](ir::HypotOp) { return Kink{isZero(op->getResult(0)), "hypot"}; })
      .Case([&](math::FloorOp) { return Kink{isWhole(operand(0)), "floor"}; })
      .Case([&](math::CeilOp) { return Kink{isWhole(operand(0)), "ceil"}; })
      .Case([&](math::TruncOp) { return Kink{jump(operand(0)), "trunc"}; })
      .Case<math::RoundOp, math::RoundEvenOp>([&](auto) {
        return Kink{isWhole(operand(0), /*andHalf=*/true), "round"};
      })
      .Case(
          [&](ir::FFloorModOp) { return Kink{isZero(op->getResult(0)), "%"}; })
      .Case([&](math::PowFOp) {
        return Kink{power(operand(0), operand(1)), "**"};
      })
      .Case([&](arith::CmpFOp compare) {
        return Kink{comparison(compare), "a comparison"};
      })
      .Default([](Operation *) { return Kink(); });
}

void KinkFinder::note(Kink kink) {
  if (!kink.condition || matchPattern(kink.condition, m_Constant()))
    return;
  auto branch = scf::IfOp::create(b, loc, kink.condition, /*withElse=*/false);
  b.setInsertionPointToStart(branch.thenBlock());
  ir::NoteKinkOp::create(b, loc, b.getStringAttr(kink.name));
}

namespace {
struct NoteKinksPass : checks::impl::NoteKinksPassBase<NoteKinksPass> {
  void runOnOperation() override {
    analysis::RecordedTasks recorded(getOperation());
    for (auto task : getOperation().getOps<ir::TaskOp>()) {
      if (!recorded.contains(task))
        continue;
      SmallVector<Operation *> all;
      task.walk([&](Operation *op) { all.push_back(op); });
      for (Operation *op : all) {
        KinkFinder finder(op);
        finder.note(finder.find());
      }
    }
  }
};
} // namespace

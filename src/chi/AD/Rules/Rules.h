//===- Rules.h - Derivatives of operations ----------------------*- C++ -*-===//
#ifndef CHI_AD_RULES_RULES_H
#define CHI_AD_RULES_RULES_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/IR/Builders.h"

namespace chi::ad::rules {

/// The type in which the adjoint of a value of `type` is kept: f32 for f16.
mlir::Type adjointType(mlir::Type type);

/// Has `op`, which is no access and has no regions, a derivative by one of its
/// operands that is not zero everywhere?
bool hasDerivative(mlir::Operation *op);
/// Does it call a function with an adjoint of its own?
bool hasCustomAdjoint(mlir::Operation *op);
/// Do derivatives flow through `op`, by a rule or by an adjoint of its own?
inline bool isDifferentiable(mlir::Operation *op) {
  return hasDerivative(op) || hasCustomAdjoint(op);
}
/// Does `op` give derivatives to one of its operands and none to others, as
/// their values are?
bool discardsOperands(mlir::Operation *op);
/// Does `op` map floats to floats in a way that no rule is known for?
bool isUnknown(mlir::Operation *op);

/// The condition under which a derivative of the result of `op`, a select, is
/// that of the second operand; its condition and values are as `primal` returns
/// them.
mlir::Value conditionOf(mlir::OpBuilder &builder, mlir::arith::SelectOp op,
                        llvm::function_ref<mlir::Value(mlir::Value)> primal);

/// Where a rule writes the adjoint of an operation: the caller supplies values
/// and places.
class RuleBuilder {
public:
  /// `primal` returns a value of the primal task at the builder's place.
  /// `isDiscarded`: the adjoint may be zero because the operation's result is
  /// discarded (Discards).
  RuleBuilder(mlir::OpBuilder &builder, mlir::Operation *op,
              mlir::Value adjoint, bool isDiscarded,
              llvm::function_ref<mlir::Value(mlir::Value)> primal,
              llvm::function_ref<bool(mlir::Value)> isActive,
              llvm::function_ref<void(mlir::Value, mlir::Value)> add)
      : b(builder), loc(op->getLoc()), op(op), adjoint(adjoint),
        isDiscarded(isDiscarded), primalOf(primal), isActive(isActive),
        addTo(add) {}

  /// Adds to the adjoints of the operands, each by the partial derivative times
  /// the adjoint of the result. Where a partial has a pole, an adjoint of zero
  /// gives zero; an adjoint that may be discarded does so in every rule.
  void emit();

private:
  // RulesMath.cpp
  mlir::Value unaryMath();
  mlir::Value inverseFunction(mlir::Value x);
  mlir::Value hyperbolic(mlir::Value x, mlir::Value r);
  mlir::Value logarithm(mlir::Value x);
  void emitPower();
  void emitAtan2();
  void emitHypot();

  void emitArith();
  void emitSelect();
  void emitExtreme();
  void emitModulo();
  /// Is there something to add to the operand's adjoint?
  bool wants(unsigned operand) { return isActive(op->getOperand(operand)); }
  void add(unsigned operand, mlir::Value contribution);

  // Values of the primal task, in the type of adjoints.
  mlir::Value operand(unsigned number) { return wide(op->getOperand(number)); }
  mlir::Value result() { return wide(op->getResult(0)); }
  mlir::Value wide(mlir::Value value);
  mlir::Value converted(mlir::Value value, mlir::Type type);

  mlir::Value number(double value);
  mlir::Value times(mlir::Value x, mlir::Value y);
  mlir::Value over(mlir::Value x, mlir::Value y);
  mlir::Value plus(mlir::Value x, mlir::Value y);
  mlir::Value minus(mlir::Value x, mlir::Value y);
  mlir::Value negated(mlir::Value x);
  mlir::Value select(mlir::Value condition, mlir::Value x, mlir::Value y);
  mlir::Value compare(mlir::arith::CmpFPredicate how, mlir::Value x,
                      mlir::Value y);
  mlir::Value isZero(mlir::Value x);
  /// `value`, or zero where the result's adjoint is zero. `divisor`: of the
  /// primal task; where it stays away from zero, it is `value` in any case,
  /// unless the adjoint may be discarded.
  mlir::Value guarded(mlir::Value value, mlir::Value divisor = {});
  /// `value`, a multiple of the adjoint, or zero under a condition that makes
  /// it zero where it is a number.
  mlir::Value guardedBy(mlir::Value condition, mlir::Value value);

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Operation *op;
  mlir::Value adjoint;
  bool isDiscarded, isGuarded = false;
  llvm::function_ref<mlir::Value(mlir::Value)> primalOf;
  llvm::function_ref<bool(mlir::Value)> isActive;
  llvm::function_ref<void(mlir::Value, mlir::Value)> addTo;
};

} // namespace chi::ad::rules
#endif // CHI_AD_RULES_RULES_H

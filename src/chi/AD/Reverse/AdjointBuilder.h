//===- AdjointBuilder.h - The adjoint of one task ---------------*- C++ -*-===//
#ifndef CHI_AD_REVERSE_ADJOINTBUILDER_H
#define CHI_AD_REVERSE_ADJOINTBUILDER_H

#include "chi/AD/Plan/Discards.h"
#include "chi/AD/Plan/Plan.h"
#include "chi/AD/Prologue/SharedUpdates.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace chi::ad::reverse {

/// Writes the adjoint of a task after it. The primal is one whose loops are
/// plain (makeWhilePlain).
///
/// An iteration first runs forwards (*forward sweep*), without its effects, and
/// keeps the values that the plan selects on the local tape; then it goes
/// through the primal backwards (*reverse sweep*), with an adjoint for each
/// active value. Adjoints of values are values: an operation returns the sums
/// that its region adds to adjoints of values from outside. Adjoints of
/// elements are in fields, those of local arrays in local arrays.
class AdjointBuilder {
public:
  AdjointBuilder(ir::TaskOp primal, const prologue::SharedUpdates &updates,
                 const activity::Activity &activity, const plan::Plan &plan,
                 const plan::Discards &discards);

  /// Builds the adjoint task, named `name`.
  ir::TaskOp build(llvm::StringRef name);

private:
  /// The local tape of a loop: a scratch for each value that its iterations
  /// keep, all with one record for each iteration.
  struct Tape {
    llvm::SmallVector<mlir::Value> memory;
    /// For a loop in a loop: the number of records, in a local.
    mlir::Value counter;
    /// The record numbers of the loop's first iteration, null for 0, and of the
    /// current one.
    mlir::Value base, position;
  };

  // AdjointBuilder.cpp
  void makeTask(llvm::StringRef name);
  void addAdjointArguments();
  ir::FactsAttr factsOf(unsigned numAdded);
  void makeTapes();
  mlir::Value constant(mlir::Type type, int64_t value);
  mlir::Value zero(mlir::Type type);
  mlir::Value toI64(mlir::Value value, bool isUnsigned = false);
  mlir::Value numIterations(mlir::scf::ForOp loop);
  mlir::Value recordsSoFar(const Tape &tape);
  void setRecords(const Tape &tape, mlir::Value count);
  void setOffset(Tape &tape, mlir::Value iteration);
  /// The memory and the record in it of a value that belongs on a tape; none of
  /// other values.
  std::optional<std::pair<mlir::Value, mlir::Value>>
  recordOf(mlir::Value value);
  mlir::Value iterationOf(mlir::scf::ForOp loop, mlir::Value variable);

  // Forward.cpp
  void forward(mlir::Block &block);
  void forward(mlir::Operation *op);
  void forwardScratch(mlir::Operation *op);
  void forwardBranch(mlir::scf::IfOp branch);
  void forwardSide(mlir::scf::IfOp branch, mlir::Block *side);
  void forwardFor(mlir::scf::ForOp loop);
  void forwardWhile(mlir::scf::WhileOp loop);
  void keep(mlir::ValueRange values);

  // Reverse.cpp
  void enter(mlir::Block &block);
  void restore(mlir::ValueRange values);
  void reverse(mlir::Block &block);
  void reverse(mlir::Operation *op);
  void reverseAccess(ir::FieldAccessOpInterface access);
  void reverseProduct(ir::AccumOp accum, const prologue::Element &element);
  void reverseArray(mlir::Operation *op);
  mlir::Value isUnused(mlir::Operation *call);
  void reverseCall(mlir::Operation *call);
  void reverseBranch(mlir::scf::IfOp branch);
  void reverseSide(mlir::Block *side, mlir::ValueRange results,
                   llvm::ArrayRef<mlir::Value> free,
                   llvm::ArrayRef<mlir::Value> before);
  void reverseFor(mlir::scf::ForOp loop);
  void reverseWhile(mlir::scf::WhileOp loop);
  void reverseBody(mlir::Block &body, mlir::ValueRange carried,
                   mlir::ValueRange yielded, mlir::ValueRange adjointsIn,
                   llvm::ArrayRef<unsigned> active,
                   llvm::ArrayRef<mlir::Value> free);
  void reverseLoop(mlir::Operation *loop, mlir::ValueRange inits,
                   mlir::Block &body, mlir::ValueRange carried,
                   mlir::ValueRange yielded, mlir::Value from, mlir::Value to,
                   mlir::Value step, bool isUnsigned,
                   llvm::function_ref<void(mlir::Value)> begin);
  llvm::SmallVector<mlir::Value> freeValues(mlir::Operation *op);
  mlir::Value primalOf(mlir::Value value) { return map.lookup(value); }
  mlir::Value adjointField(mlir::Value field);
  mlir::Value adjointOrZero(mlir::Value value);
  mlir::Value take(mlir::Value value);
  void add(mlir::Value value, mlir::Value contribution);

  ir::TaskOp primal, task;
  const prologue::SharedUpdates &updates;
  const activity::Activity &activity;
  const plan::Plan &plan;
  const plan::Discards &discards;
  mlir::OpBuilder b;
  mlir::Location loc;
  /// The counterpart of a primal value at the builder's place.
  mlir::IRMapping map;
  /// Sums so far, where the builder is now.
  llvm::DenseMap<mlir::Value, mlir::Value> adjoints;
  /// The adjoints of local arrays, and of fields.
  llvm::DenseMap<mlir::Value, mlir::Value> adjointArrays, adjointFields;
  llvm::DenseMap<mlir::Operation *, Tape> tapes;
};

} // namespace chi::ad::reverse
#endif // CHI_AD_REVERSE_ADJOINTBUILDER_H

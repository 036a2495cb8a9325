//===- ResultOffsets.h - Where results of atomics are -----------*- C++ -*-===//
#ifndef CHI_AD_PROLOGUE_RESULTOFFSETS_H
#define CHI_AD_PROLOGUE_RESULTOFFSETS_H

#include "chi/AD/Prologue/AtomicResults.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace chi::ad::prologue {

/// The largest trip count of a loop, by constants.
struct TripCount {
  mlir::Value variable; ///< of its body: from `from` on, in steps
  int64_t from, step;
  int64_t most; ///< not less than 1

  /// Of an scf.for or scf.while; none if its bounds are not constant.
  static std::optional<TripCount> of(mlir::Operation *loop);
};

/// Writes down in a task where the results of its operations are.
class ResultOffsets {
public:
  /// `isRecorder`: where an iteration has other results than were counted, it
  /// fails. It saw what others wrote.
  ResultOffsets(ir::TaskOp task, bool isRecorder)
      : task(task), isRecorder(isRecorder),
        b(mlir::OpBuilder::atBlockBegin(&task.getBody().front())) {}

  /// The place of `result`, computed at `atomic`.
  mlir::Value of(ir::AtomicOp atomic, const KeptResult &result);
  /// A local that counts the results of an iteration so far; null if their
  /// number is bounded.
  mlir::Value getCounter() const { return counter; }

private:
  mlir::Value constant(int64_t value) {
    return mlir::arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  }
  mlir::Value iteration();
  mlir::Value numberOf(const TripCount &tripCount);
  mlir::Value bounded(ir::AtomicOp atomic);
  mlir::Value counted(ir::AtomicOp atomic, const KeptResult &result);
  mlir::Value startOf(mlir::Value iteration, const KeptResult &result);
  void check(mlir::arith::CmpIPredicate how, mlir::Value offset,
             mlir::Value end);

  ir::TaskOp task;
  bool isRecorder;
  mlir::OpBuilder b;
  mlir::Location loc = task.getLoc();
  mlir::Value counter;
};

} // namespace chi::ad::prologue
#endif // CHI_AD_PROLOGUE_RESULTOFFSETS_H

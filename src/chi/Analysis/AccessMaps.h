//===- AccessMaps.h - Which elements the iterations touch -------*- C++ -*-===//
#ifndef CHI_ANALYSIS_ACCESSMAPS_H
#define CHI_ANALYSIS_ACCESSMAPS_H

#include "chi/Analysis/Ranges.h"

namespace chi::analysis {

/// One access of a task: the element as sums over the task's index variables,
/// values that are the same in all iterations, and others.
struct Access {
  /// A handle; its accessors are not const.
  mutable ir::FieldAccessOpInterface op;
  /// The field, an argument of the task; below casts.
  mlir::Value field;
  /// Number of the scalar in the element; nothing if it is a run-time one.
  std::optional<int64_t> component;
  llvm::SmallVector<Linear, 0> index;
};

/// All accesses of a task.
class AccessMaps {
public:
  AccessMaps(ir::TaskOp task, Ranges &ranges);

  /// The accesses in the order of the task's body.
  llvm::ArrayRef<Access> getAccesses() const { return accesses; }
  /// May the two accesses touch the same scalar of a field, as far as field and
  /// component show?
  static bool mayOverlap(const Access &a, const Access &b);
  /// Is it proved that no two different iterations touch one element, one by
  /// `a` and the other by `b`? With `a` twice: is the access injective?
  bool isDisjoint(const Access &a, const Access &b);
  /// For each of `accesses` the number of the first one that does the same to
  /// the same element in the same block: facts proved for that one hold for it.
  /// Unrolled code has thousands of such accesses.
  static llvm::SmallVector<unsigned>
  firstAlike(llvm::ArrayRef<const Access *> accesses);
  /// The same, with two fields taken for one if their types allow it: a call
  /// may pass one field twice, or one that the task also captures.
  bool isDisjointAsOneField(const Access &a, const Access &b);
  /// Is the value the same in all iterations of the task?
  bool isUniform(mlir::Value value);
  /// Has the domain one iteration at most?
  bool isSingle();

  /// Does the access name the same element, and the same scalar of it, in all
  /// iterations of the task?
  bool isOneAddress(const Access &access);

private:
  bool isSharedLoad(mlir::Operation *op);
  struct Split;
  Split split(const Linear &sum, mlir::Operation *at);
  void align(Split &sum, const Split &other, mlir::Operation *at);
  bool haveDisjointIndices(const Access &a, const Access &b);
  bool separatesAxis(const Access &a, const Access &b, unsigned axis,
                     llvm::SmallVectorImpl<bool> &isEqual);

  ir::TaskOp task;
  Ranges &ranges;
  std::vector<Access> accesses;
  llvm::DenseMap<mlir::Value, bool> uniform;
  unsigned nesting = 0;
};

/// A hash of the operands that address an element of a field.
uint64_t hashOf(mlir::Value field, llvm::ArrayRef<Linear> index);

/// For an access of kind atomic: it must not be moved, but it changes nothing.
bool isAtomicLoad(ir::FieldAccessOpInterface op);
/// In what way an accumulation or atomic operation updates; none if it does
/// not. `x[i] += 1` and `atomic_sub(x[i], 1)` are one way.
std::optional<ir::AtomicKind> updateKindOf(ir::FieldAccessOpInterface op);

} // namespace chi::analysis
#endif // CHI_ANALYSIS_ACCESSMAPS_H

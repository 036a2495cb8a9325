//===- SlotLiveness.h - Which slots a structured op must carry --*- C++ -*-===//
#ifndef CHI_TRANSFORMS_OUTLINE_SLOTLIVENESS_H
#define CHI_TRANSFORMS_OUTLINE_SLOTLIVENESS_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "llvm/ADT/BitVector.h"

namespace chi::outline {

/// The scalar slots of one function that can become SSA values, numbered, and
/// for each structured op those whose value it changes and a later op reads.
/// Control flow is structured, so each region is visited twice and there is no
/// fixpoint: the slots live at the head of a loop are those that its body reads
/// before writing, and those live after the loop.
class SlotLiveness {
public:
  /// Needs a function of which `chi-structure` has been run.
  explicit SlotLiveness(mlir::Operation *function);

  /// The numbered slots, by their numbers.
  llvm::ArrayRef<ir::LocalOp> slots() const { return order; }
  /// Number of a slot, or nothing if it stays.
  std::optional<unsigned> numberOf(mlir::Value slot) const;
  /// Slots that `op` (scf.if, scf.for, scf.while) changes for a later reader.
  llvm::ArrayRef<unsigned> carried(mlir::Operation *op) const;

private:
  using Bits = llvm::BitVector;

  void collect(mlir::Block &block, mlir::Operation *parallel, bool isOpaque);
  void transfer(mlir::Block &block, Bits &live, Bits *changed);
  void transferOp(mlir::Operation *op, Bits &live, Bits *changed);
  void transferLoop(mlir::Operation *op, Bits &live, Bits *changed);
  void record(mlir::Operation *op, const Bits &live);

  llvm::SmallVector<ir::LocalOp> order;
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  llvm::DenseMap<mlir::Value, mlir::Operation *> owner; // parallel or null
  llvm::DenseSet<mlir::Value> refused;
  // `read`: upward exposed reads of a loop; `written`: slots that an op sets.
  llvm::DenseMap<mlir::Operation *, Bits> read, written;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned>> carriedSlots;
};

} // namespace chi::outline
#endif // CHI_TRANSFORMS_OUTLINE_SLOTLIVENESS_H

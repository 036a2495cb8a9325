//===- CheckRegions.h - Bounded nesting of checks ---------------*- C++ -*-===//
#ifndef CHI_CONVERSION_CHITOGPU_CHECKREGIONS_H
#define CHI_CONVERSION_CHITOGPU_CHECKREGIONS_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Dominance.h"

#include <memory>

namespace chi::conv::kernels {

/// A region of the control-flow graph with a single entry and a single exit, in
/// which some checks are. A thread whose check fails goes to its end, where one
/// branch decides.
struct CheckRegion {
  llvm::SetVector<mlir::Block *> blocks; ///< without `next`
  mlir::Block *next = nullptr;           ///< where it ends
  CheckRegion *outer = nullptr;
  /// Takes an i1: does the thread go on to `next`?
  mlir::Block *end = nullptr;
};

/// In structured control flow each check nests all code that follows it. This
/// divides the code of a kernel into regions of a bounded number of checks, and
/// these again, so that the depth grows with the logarithm of the number of
/// checks. Kernels of few checks are unchanged.
/// Source: Johnson, Pearson and Pingali, The Program Structure Tree, PLDI 1994.
class CheckRegions {
public:
  /// Consecutive blocks, with a single entry, that end at the next unit's
  /// first.
  struct Unit {
    llvm::SmallVector<mlir::Block *> blocks;
    bool hasCheck = false;
  };

  /// `leaving`: where a thread goes whose check fails. The control flow of the
  /// kernel is reducible. Values that leave a region go through memory of the
  /// thread.
  CheckRegions(mlir::gpu::GPUFuncOp kernel, mlir::Block *leaving);

  /// The innermost region of a check, or null if it has none.
  CheckRegion *of(ir::CheckOp check) const {
    return innermost.lookup(check->getBlock());
  }

private:
  void divideBlocks();
  void findChain(mlir::Block *head);
  Unit unitOf(mlir::Block *block, mlir::Block *next);
  static void append(Unit &unit, const Unit &next);
  void divide(llvm::SmallVector<Unit> units);
  llvm::SmallVector<Unit> grouped(llvm::SmallVector<Unit> units);
  void addRegion(const Unit &unit, mlir::Block *next);
  void addEnd(CheckRegion &region);
  void branchAtEnd(CheckRegion &region);
  bool canPassThroughMemory();
  void passThroughMemory(CheckRegion &region);
  void pass(mlir::Value value, CheckRegion &region);

  mlir::gpu::GPUFuncOp kernel;
  mlir::Block *leaving;
  llvm::DenseSet<mlir::Block *> atEnd; ///< what `leaving` dominates
  mlir::DominanceInfo dominance;
  mlir::PostDominanceInfo postDominance;
  llvm::SmallVector<std::unique_ptr<CheckRegion>> regions; ///< inner ones first
  llvm::DenseMap<mlir::Block *, CheckRegion *> innermost, outermost;
};

} // namespace chi::conv::kernels
#endif // CHI_CONVERSION_CHITOGPU_CHECKREGIONS_H

//===- Liveness.h - What is alive at the heads of loops ---------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_CHECKPOINTS_LIVENESS_H
#define CHI_TRANSFORMS_CHECKPOINTS_LIVENESS_H

#include "chi/Transforms/Checkpoints/Heads.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SmallBitVector.h"

namespace chi::checkpoints {

/// A set of loops: bit `k` is the loop of number `k`.
using LoopSet = uint64_t;
/// The highest number of a loop that a LoopSet can contain.
inline constexpr int32_t kMostLoops = 63;

/// At which heads the values of slots and globals are alive: the function, or
/// what it calls, may read them before it writes them. A release is no read.
/// Backward data flow over the structured operations of stage `chi`, a set of
/// variables for each place. An array is written by elements, so it stays alive
/// until its last use.
///
/// After the script nothing reads a global: programs whose functions are called
/// from elsewhere have no checkpoints.
class Liveness {
public:
  explicit Liveness(mlir::ModuleOp module);

  /// Analyses a function that `heads` has numbered, before it is changed. With
  /// more than kMostLoops loops all values are alive at all of them.
  void add(mlir::func::FuncOp function, const Heads &heads);

  /// The heads at which a slot, or a global, is alive; all heads for a slot
  /// that was made later.
  LoopSet headsOf(mlir::Operation *variable) const {
    auto known = live.find(variable);
    return known == live.end() ? ~LoopSet(0) : known->second;
  }

private:
  using Variables = llvm::SmallBitVector;
  /// What is alive where the operations that leave a region go on.
  struct Exits {
    Variables next, broken, continued;
  };

  void collect(mlir::func::FuncOp function);
  void touch(mlir::Operation *variable, bool isRead, Variables &set) const;
  const Variables &readBy(mlir::StringAttr symbol);
  mlir::Operation *globalOf(mlir::SymbolRefAttr symbol) const;
  void readSymbols(mlir::Operation *op, Variables &set);
  Variables before(mlir::Block &block, const Exits &exits);
  void beforeOp(mlir::Operation *op, const Exits &exits, Variables &set);
  void beforeIf(ir::IfOp op, const Exits &exits, Variables &set);
  void beforeFor(ir::ForOp loop, Variables &set);
  void beforeWhile(ir::WhileOp loop, Variables &set);
  void note(mlir::Operation *loop, const Variables &set);

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  const Heads *heads = nullptr;
  llvm::SmallVector<mlir::Operation *> variables; ///< slots and globals
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
  llvm::DenseMap<mlir::StringAttr, Variables> reads; ///< of functions
  llvm::DenseMap<mlir::Operation *, LoopSet> live;
};

} // namespace chi::checkpoints
#endif // CHI_TRANSFORMS_CHECKPOINTS_LIVENESS_H

//===- States.h - Recursive functions as states -----------------*- C++ -*-===//
// Note [States]: functions of kernels that call each other in a cycle become
// one loop (docs/design/0141-recursion-in-kernels.md). Their bodies are cut
// behind each such call, and where a branch or loop holds one. The pieces are
// states; each ends by naming the next one. What outlives a state is in the
// frame of its call, which lies on a stack of growing memory.
#ifndef CHI_TRANSFORMS_OUTLINE_STATES_H
#define CHI_TRANSFORMS_OUTLINE_STATES_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace chi::outline {

/// Functions that reach each other by calls.
using Cycle = llvm::SmallSetVector<mlir::Operation *, 4>;

/// Where a state goes, and the values that it gives to values there.
struct Step {
  unsigned target = 0;
  mlir::SmallVector<std::pair<mlir::Value, mlir::Value>> moves; ///< to, from
};

struct State {
  mlir::func::FuncOp function;
  /// The call whose results it begins with; null if it begins otherwise.
  mlir::func::CallOp resumed;
  mlir::SmallVector<mlir::Operation *> ops; ///< that run in it
  enum End { Jump, Choose, Call, Return, ForHead, ForNext } end = Jump;
  /// What it ends with: the call, the return or the loop.
  mlir::Operation *last = nullptr;
  mlir::Value condition; ///< Choose
  /// Jump, ForNext: the first; Choose, ForHead: if true, and if not; Call: the
  /// state behind it.
  Step steps[2];
};

/// The states of all functions on a cycle.
class States {
public:
  /// Cuts the bodies. False if one has what cannot be cut.
  bool build(const Cycle &cycle);

  llvm::ArrayRef<State> all() const { return states; }
  /// The first state of a function.
  unsigned entryOf(mlir::Operation *function) const {
    return entries.lookup(function);
  }
  /// The state that an operation runs in, or that it is nested in an operation
  /// of; none if it was cut.
  std::optional<unsigned> stateOf(mlir::Operation *op) const;
  /// The state that reads the operands of an operation; none if several do.
  std::optional<unsigned> readerOf(mlir::Operation *op) const;

private:
  using Finish = llvm::function_ref<void(unsigned, mlir::Operation *)>;
  unsigned add();
  bool isCut(mlir::Operation *op) const;
  void cutBlock(mlir::Block &block, unsigned first, Finish finish);
  unsigned cut(mlir::Operation *op, unsigned state);
  unsigned cutCall(mlir::func::CallOp op, unsigned state);
  unsigned cutIf(mlir::scf::IfOp op, unsigned state);
  unsigned cutFor(mlir::scf::ForOp op, unsigned state);
  unsigned cutWhile(mlir::scf::WhileOp op, unsigned state);

  Cycle cycle;
  mlir::func::FuncOp function;
  std::vector<State> states;
  llvm::DenseMap<mlir::Operation *, unsigned> entries, stateOfOp;
  /// Of what ends a state: that state.
  llvm::DenseMap<mlir::Operation *, unsigned> enders;
  llvm::DenseSet<mlir::Operation *> cutOps;
};

} // namespace chi::outline
#endif // CHI_TRANSFORMS_OUTLINE_STATES_H

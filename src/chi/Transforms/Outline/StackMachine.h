//===- StackMachine.h - A loop in place of recursive functions --*- C++ -*-===//
#ifndef CHI_TRANSFORMS_OUTLINE_STACKMACHINE_H
#define CHI_TRANSFORMS_OUTLINE_STACKMACHINE_H

#include "chi/Transforms/Outline/Frames.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace chi::outline {

/// Writes the loop that runs the states of a cycle (Note [States]).
class StackMachine {
public:
  StackMachine(const Cycle &cycle, const States &states, const Frames &frames)
      : cycle(cycle), states(states), frames(frames),
        loc(cycle.front()->getLoc()) {}

  /// A function beside `entry` that does what a call of it does, and calls no
  /// function on the cycle. Null if a field would have to lie on the stack.
  mlir::func::FuncOp write(mlir::func::FuncOp entry);

private:
  bool findFields(mlir::func::FuncOp entry, mlir::func::FuncOp machine);
  void makeMemory();
  void enter(mlir::Operation *function, mlir::ValueRange args,
             mlir::Value first, mlir::Value returnsTo);
  void writeState(unsigned number);
  void cloneInto(mlir::Operation *op);
  void mapOperands(mlir::Operation *op);
  void rewriteAccess(mlir::Operation *op);
  void keepResults(mlir::ValueRange results);
  void endState(const State &state);
  void endCall(const State &state);
  void endReturn(const State &state);
  void endHead(const State &state);
  void endNext(const State &state);
  void go(const Step &step);
  void resume(mlir::func::CallOp call, const State &state);

  mlir::Value valueOf(mlir::Value value);
  mlir::Value number(int64_t value);
  mlir::Value at(mlir::Value first, mlir::Value offset);
  mlir::Value load(mlir::Type type, mlir::Value index);
  void store(mlir::Value value, mlir::Value index);
  void setState(mlir::Value state);
  mlir::Value offsetIn(mlir::Value array, mlir::ValueRange indices);

  const Cycle &cycle;
  const States &states;
  const Frames &frames;
  std::optional<mlir::OpBuilder> b;
  mlir::Location loc;
  llvm::DenseMap<mlir::Type, mlir::Value> stacks;
  llvm::DenseMap<mlir::Operation *, mlir::SmallVector<mlir::Value>> results;
  llvm::DenseMap<mlir::Value, mlir::Value> fields; ///< of each function: ours
  mlir::Value next, base; ///< the state, and the index of the top frame
  // Of the state that is written.
  mlir::IRMapping known;
  mlir::Value first; ///< the value of `base`
};

} // namespace chi::outline
#endif // CHI_TRANSFORMS_OUTLINE_STACKMACHINE_H

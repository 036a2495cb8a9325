//===- Arena.h - Memory that threads of a kernel take -----------*- C++ -*-===//
// Local memory that grows (chi.scratch), and local arrays that do not fit a
// thread, are allocated from memory of the launch, of which threads take
// blocks. Where an iteration finds none and has no effect so far, its thread
// notes it, ends, and continues there in a launch with more memory. Where it
// may have stored, the whole launch is repeated.
//===----------------------------------------------------------------------===//
#ifndef CHI_CONVERSION_CHITOGPU_ARENA_H
#define CHI_CONVERSION_CHITOGPU_ARENA_H

#include "chi/Conversion/ChiToGPU/TaskKernel.h"

namespace chi::conv::kernels {

/// The arena of one kernel.
class Arena {
public:
  Arena(const conv::TaskShape &shape, TaskKernel &kernel, conv::Emitter &emit);

  /// Whether the task needs no memory of an arena.
  bool isEmpty() const { return scalars.empty(); }
  /// Adds the parameters.
  void bind();
  /// Returns the iteration where a thread resumes, or -1 if it starts.
  /// Allocates the local arrays; `first`: the thread's first iteration, which
  /// exists if it is less than `last`.
  mlir::Value begin(mlir::Value thread, mlir::Value first, mlir::Value last);
  /// Lowers the growing memory of a loop's iterations.
  void lower(mlir::Operation *loop, mlir::Value number);
  /// Notes that a thread has done all, and moves the local arrays.
  void end(mlir::Value thread);

private:
  /// For a scratch, in the thread's own memory: its place, in units, and its
  /// capacity in scalars.
  struct Room {
    mlir::Value base, count;
    mlir::Type scalar;
  };

  mlir::Value view(mlir::Type scalar) { return views.lookup(scalar); }
  mlir::Value own(mlir::Type type);
  mlir::Value load(mlir::Value slot);
  void store(mlir::Value value, mlir::Value slot);
  mlir::Value offsetIn(mlir::Type scalar, mlir::Value base, mlir::Value index);
  mlir::Value take(mlir::Value units, mlir::Value number);
  void reserve(ir::ReserveOp op, const Room &room, mlir::Value number);
  void grow(const Room &room, mlir::Value size, mlir::Value number);
  void lowerUser(mlir::Operation *op, const Room &room, mlir::Value number);
  void moveLocal(mlir::memref::AllocaOp local, int64_t offset);

  TaskKernel &kernel;
  conv::Emitter &emit;
  bool isLate;                           ///< asksLate
  llvm::SmallVector<mlir::Type> scalars; ///< that lie there
  llvm::MapVector<mlir::Type, mlir::Value> views;
  int64_t firstBytes = 0; ///< that a thread takes at first
  int64_t localBytes = 0; ///< of local arrays
  mlir::Value header, resume, restarted, locals;
};

/// Bytes of a local array, if it is of those that lie in the arena.
int64_t largeLocalBytes(ir::TaskOp task, ir::LocalOp local);

/// Do threads of its kernel take memory of an arena?
bool takesMemory(ir::TaskOp task);

/// Does an iteration allocate memory after an effect that must not be repeated?
bool asksLate(ir::TaskOp task);

} // namespace chi::conv::kernels
#endif // CHI_CONVERSION_CHITOGPU_ARENA_H

//===- Arena.h - Memory that threads of a kernel take ----------*- C++ -*-===//
// Local memory that grows (chi.scratch), and local arrays that no thread has
// room for, lie in memory of the launch, of which threads take blocks. Where an
// iteration that finds none has done nothing yet its thread notes it, ends, and
// goes on there in a launch with more. Where it may have stored all begins
// anew.
//===----------------------------------------------------------------------===//
#ifndef CHI_CONVERSION_CHITOGPU_ARENA_H
#define CHI_CONVERSION_CHITOGPU_ARENA_H

#include "chi/Conversion/ChiToGPU/TaskKernel.h"

namespace chi::conv::kernels {

/// What one kernel takes.
class Arena {
public:
  Arena(const conv::TaskShape &shape, TaskKernel &kernel, conv::Emitter &emit);

  bool isEmpty() const { return scalars.empty(); }
  /// Adds the parameters.
  void bind();
  /// Gives the iteration where a thread goes on, or -1 if it begins. Local
  /// arrays get their memory; `first`: the thread's first iteration, which it
  /// has if it comes before `last`.
  mlir::Value begin(mlir::Value thread, mlir::Value first, mlir::Value last);
  /// Lowers what the iterations of a loop have of memory that grows.
  void lower(mlir::Operation *loop, mlir::Value number);
  /// Notes that a thread has done all, and moves the local arrays.
  void end(mlir::Value thread);

private:
  /// Of a scratch, in the thread's own memory: where it lies, in units, and how
  /// many scalars there is room for.
  struct Room {
    mlir::Value base, count;
    mlir::Type scalar;
  };

  mlir::Value view(mlir::Type scalar) { return views.lookup(scalar); }
  mlir::Value own(mlir::Type type);
  mlir::Value load(mlir::Value slot);
  void store(mlir::Value value, mlir::Value slot);
  mlir::Value placeIn(mlir::Type scalar, mlir::Value base, mlir::Value index);
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
  mlir::Value header, resume, again, locals;
};

/// Bytes of a local array, if it is of those that lie in the arena.
int64_t largeLocalBytes(ir::TaskOp task, ir::LocalOp local);

/// Do threads of its kernel take memory of an arena?
bool takesMemory(ir::TaskOp task);

/// Does an iteration ask for memory behind what it must not do twice?
bool asksLate(ir::TaskOp task);

} // namespace chi::conv::kernels
#endif // CHI_CONVERSION_CHITOGPU_ARENA_H

//===- SharedCopies.h - Small fields in a block's memory --------*- C++ -*-===//
// Where iterations of a block of threads often add to one element (a
// histogram), each block adds to a copy of its own, and that to the field at
// the end.
//===----------------------------------------------------------------------===//
#ifndef CHI_CONVERSION_CHITOGPU_SHAREDCOPIES_H
#define CHI_CONVERSION_CHITOGPU_SHAREDCOPIES_H

#include "chi/Conversion/ChiToGPU/TaskKernel.h"

namespace chi::conv::kernels {

/// Memory that the threads of a block share, made where the kernel begins.
mlir::Value makeShared(TaskKernel &kernel, conv::Emitter &emit,
                       mlir::Type scalar, int64_t count);

/// The copies of one kernel's fields.
class SharedCopies {
public:
  SharedCopies(const conv::TaskShape &shape, TaskKernel &kernel,
               conv::Emitter &emit);

  /// Makes the copies, at the builder's place, and makes the iterations use
  /// them.
  void begin(conv::IterationLowering &code);
  /// Adds them to their fields.
  void end();

  /// Whether no field has a copy in shared memory.
  bool isEmpty() const { return copies.empty(); }
  /// Iterations that are worth a block's copies, for each of its threads.
  int64_t perThread() const;

private:
  struct Copy {
    conv::PrivatizedField of;
    mlir::Type scalar;
    int64_t count;
    mlir::Value data, memory; ///< of the field, of the copy
  };
  void eachScalar(const Copy &copy, llvm::function_ref<void(mlir::Value)> body);

  const conv::TaskShape &shape;
  TaskKernel &kernel;
  conv::Emitter &emit;
  llvm::SmallVector<Copy> copies;
};

} // namespace chi::conv::kernels
#endif // CHI_CONVERSION_CHITOGPU_SHAREDCOPIES_H

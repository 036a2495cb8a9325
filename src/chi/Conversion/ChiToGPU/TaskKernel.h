//===- TaskKernel.h - A kernel that is made of a task -----------*- C++ -*-===//
#ifndef CHI_CONVERSION_CHITOGPU_TASKKERNEL_H
#define CHI_CONVERSION_CHITOGPU_TASKKERNEL_H

#include "chi/Conversion/ChiToGPU/Kernels.h"
#include "chi/Conversion/ChiToLoops/TaskShape.h"
#include "chi/Conversion/Iteration/IterationLowering.h"
#include "chi/Dialect/Chi/KernelParams.h"

namespace chi::conv::kernels {

/// A kernel among those of its task.
struct KernelForm {
  std::string name;
  bool isShort = false;  ///< it counts in 32 bits
  bool hasLarge = false; ///< another one is for large launches
  /// Partial sums of each reduction that a block of iterations has.
  int64_t lanes = kReductionLanes;
};

/// The function of a kernel, its parameters, and the identity of its threads.
/// Parameters are added before `finishSignature`, code after it.
class TaskKernel {
public:
  /// Begins it at the end of `kernels`. The builder is inside it afterwards.
  TaskKernel(ir::TaskOp task, mlir::gpu::GPUModuleOp kernels,
             const KernelForm &form, conv::Emitter &emit);

  /// Appends a parameter of `type` and returns it as a value of the body.
  /// `kind`, the number of an argument of the task or of an axis of its domain,
  /// and an axis of that argument describe its value to the run time
  /// (chirt_kernel_param).
  mlir::Value parameter(mlir::Type type, ir::KernelParam kind,
                        int32_t number = 0, int32_t axis = 0);
  /// The captured values of the task, bound in `code`.
  void bindCaptured(conv::IterationLowering &code);
  /// Sets the type of the function from the parameters so far, `llvm.noalias`
  /// on the fields that nothing overlaps, and the list of what each parameter
  /// is (ir::kKernelParamsAttr).
  void finishSignature();
  /// What launches must provide; `finishSignature` sets it on the kernel.
  ir::KernelABI &abi() { return requirements; }

  /// The number of this thread in the launch, from 0, of type index: block
  /// number times threads of a block, plus the number in the block.
  mlir::Value threadNumber();
  /// The number of threads of the launch, of type index.
  mlir::Value threadCount();
  /// Makes an operation of the `gpu` dialect for axis x, such as BlockIdOp;
  /// launches are one-dimensional.
  template <typename Op> mlir::Value ofGrid() {
    return Op::create(emit.builder, emit.loc, mlir::gpu::Dimension::x);
  }

  /// The function, whose type is set by `finishSignature`.
  mlir::gpu::GPUFuncOp function() { return kernel; }

private:
  conv::FieldView fieldView(ir::FieldType type, int32_t number);
  mlir::Value scalar(mlir::Type type, int32_t number);

  ir::TaskOp task;
  conv::Emitter &emit;
  mlir::gpu::GPUFuncOp kernel;
  mlir::Block *body = nullptr;
  ir::KernelABI requirements;
  llvm::SmallVector<unsigned>
      disjoint; ///< parameters that no other one overlaps
};

/// Another captured field that may be this one, one of both written?
bool mayOverlap(ir::TaskOp task, unsigned captured);

/// Bytes of the partial sums of a block of iterations, of the reductions before
/// `number`: each lane of a reduction leaves one.
int64_t partialBytes(const conv::TaskShape &shape, size_t number,
                     int64_t lanes);

/// Makes the kernel that joins the partial sums of a task's reductions from a
/// kernel of that form, and adds them to the fields.
mlir::LogicalResult makeFinish(const conv::TaskShape &shape,
                               mlir::gpu::GPUModuleOp kernels,
                               const KernelForm &form);

/// The suffix that `makeFinish` adds to the name of a kernel.
inline constexpr llvm::StringLiteral kFinishSuffix = ".finish";
/// The suffix of a kernel for large launches after the task's name.
inline constexpr llvm::StringLiteral kLargeSuffix = ".large";

} // namespace chi::conv::kernels
#endif // CHI_CONVERSION_CHITOGPU_TASKKERNEL_H

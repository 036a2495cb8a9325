//===- LastLaunches.h - What tapes record last ------------------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_NEST_LASTLAUNCHES_H
#define CHI_TRANSFORMS_NEST_LASTLAUNCHES_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace chi::nest {

/// The launches behind which a tape ends, with nothing in between that could
/// look at what they write.
class LastLaunches {
public:
  explicit LastLaunches(mlir::ModuleOp module);

  /// Of such a launch, the task whose adjoint `adjoint` is; null if there is
  /// none.
  ir::TaskOp primalOf(ir::TaskOp adjoint) const;
  /// `primal` may wait for the end of the tape: `both` does its work then.
  void wait(ir::TaskOp primal, ir::TaskOp both);

private:
  struct LastLaunch {
    ir::LaunchOp launch;
    ir::TaskOp task;
    mlir::func::CallOp call; ///< the tape records the launch before it
  };
  llvm::SmallVector<LastLaunch> all;
};

/// Makes a task behind `adjoint` that does what it does and what `primal` does.
/// Null, and nothing is made, if they do not run over the same domain.
ir::TaskOp joinPrimal(ir::TaskOp adjoint, ir::TaskOp primal);

} // namespace chi::nest
#endif // CHI_TRANSFORMS_NEST_LASTLAUNCHES_H

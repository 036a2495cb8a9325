//===- LastLaunches.h - What tapes record last ------------------*- C++ -*-===//
#ifndef CHI_TRANSFORMS_NEST_LASTLAUNCHES_H
#define CHI_TRANSFORMS_NEST_LASTLAUNCHES_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace chi::nest {

/// The launches that the end of a tape follows, with nothing in between that
/// could read the elements that they write.
class LastLaunches {
public:
  explicit LastLaunches(mlir::ModuleOp module);

  /// For such a launch, the task whose adjoint `adjoint` is; null if there is
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

/// Makes a task after `adjoint` that fuses it with `primal`. Null, without
/// changes, if they do not run over the same domain.
ir::TaskOp joinPrimal(ir::TaskOp adjoint, ir::TaskOp primal);

} // namespace chi::nest
#endif // CHI_TRANSFORMS_NEST_LASTLAUNCHES_H

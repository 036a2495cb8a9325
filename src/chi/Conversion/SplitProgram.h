//===- SplitProgram.h - Kernels apart from host code ------------*- C++ -*-===//
#ifndef CHI_CONVERSION_SPLITPROGRAM_H
#define CHI_CONVERSION_SPLITPROGRAM_H

#include "chi/Conversion/Passes.h"

namespace chi::conv {

/// A kernel is the unit of compilation: its control function, its tasks, and
/// what they call.
struct KernelModule {
  std::string name;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// A program at `simplified`, cut. Globals live in the host module and are
/// declared in the others; each part can be lowered, hashed and compiled apart.
struct ProgramParts {
  mlir::OwningOpRef<mlir::ModuleOp> host;
  llvm::SmallVector<KernelModule> kernels; ///< in the order of the text
};

/// Copies the parts of `module`, which stays as it is.
ProgramParts splitProgram(mlir::ModuleOp module);

} // namespace chi::conv
#endif // CHI_CONVERSION_SPLITPROGRAM_H

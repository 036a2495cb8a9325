//===- PTX.h - Code of kernels for NVIDIA's devices -------------*- C++ -*-===//
#ifndef CHI_TARGET_NVVM_PTX_H
#define CHI_TARGET_NVVM_PTX_H

#include "chi/Target/NVVM/Quotients.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <string>

namespace chi::target::nvvm {

/// Whether code can be made for an architecture ("sm_80").
bool isKnownArchitecture(llvm::StringRef arch);

/// The architecture itself if code can be made for it; else the latest one that
/// came before it, whose code it takes. `arch` if there is none.
std::string nearestArchitecture(llvm::StringRef arch);

/// The options and the input of the PTX compiler.
struct PTXTarget {
  llvm::StringRef arch;
  llvm::StringRef libdevice; ///< a file, or "" if nothing of it is called
  Quotients quotients = Quotients::Estimated;
};

/// The text of one `gpu.module` from convert-kernels-to-nvvm, optimised for the
/// architecture, in the oldest version of PTX that supports it, so that old
/// drivers accept it. Fails if the module does not translate, or libdevice
/// lacks a function that it calls.
llvm::Expected<std::string> emitPTX(mlir::ModuleOp kernels,
                                    const PTXTarget &target);

} // namespace chi::target::nvvm
#endif // CHI_TARGET_NVVM_PTX_H

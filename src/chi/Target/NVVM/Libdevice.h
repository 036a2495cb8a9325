//===- Libdevice.h - NVIDIA's elementary functions --------------*- C++ -*-===//
#ifndef CHI_TARGET_NVVM_LIBDEVICE_H
#define CHI_TARGET_NVVM_LIBDEVICE_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace chi::target::nvvm {

/// What a declaration that chi-native-math made is there
/// (`chi.native.sin.f32`: `__nv_sinf`); "" for other functions.
std::string libdeviceName(llvm::StringRef function);

/// Whether a function of stage `nvvm` is one of libdevice's.
bool isOfLibdevice(mlir::LLVM::LLVMFuncOp function);

/// Puts what the kernels call of libdevice, the bitcode in `path`, into their
/// module, and what that calls. Nothing is read if they call none of it.
llvm::Error linkLibdevice(llvm::Module &kernels, llvm::StringRef path);

} // namespace chi::target::nvvm
#endif // CHI_TARGET_NVVM_LIBDEVICE_H

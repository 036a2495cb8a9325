//===- Libdevice.h - NVIDIA's elementary functions --------------*- C++ -*-===//
#ifndef CHI_TARGET_NVVM_LIBDEVICE_H
#define CHI_TARGET_NVVM_LIBDEVICE_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace chi::target::nvvm {

/// The libdevice function of a declaration that chi-native-math made
/// (`chi.native.sin.f32`: `__nv_sinf`); "" for other functions.
std::string libdeviceName(llvm::StringRef function);

/// Whether a function of stage `nvvm` is one of libdevice's.
bool isOfLibdevice(mlir::LLVM::LLVMFuncOp function);

/// Links the functions of libdevice, the bitcode in `path`, that the kernels
/// call into their module, with their callees. The file is not read if the
/// kernels call none.
llvm::Error linkLibdevice(llvm::Module &kernels, llvm::StringRef path);

} // namespace chi::target::nvvm
#endif // CHI_TARGET_NVVM_LIBDEVICE_H

//===- Passes.td - Kernels for NVIDIA's devices ------------*- tablegen -*-===//
#ifndef CHI_TARGET_NVVM_PASSES_TD
#define CHI_TARGET_NVVM_PASSES_TD
include "mlir/Pass/PassBase.td"

def KernelsToNVVMPass : Pass<"convert-kernels-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "Lower kernels to the LLVM dialect for NVPTX";
  let description = [{
    A `gpu.module` becomes a module of `llvm.func`s, its kernels with the
    calling convention of PTX kernels. Flat memrefs become bare pointers,
    `noalias` where the facts of the task allow it. Atomics are relaxed, with
    device scope. Characters of kernel names that PTX does not accept are
    replaced.

    Precondition: the result of `chi-record-checks`. Postcondition: the LLVM
    dialect.
  }];
}

#endif // CHI_TARGET_NVVM_PASSES_TD

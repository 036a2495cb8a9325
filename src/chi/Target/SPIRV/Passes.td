//===- Passes.td - Kernels for Vulkan ----------------------*- tablegen -*-===//
#ifndef CHI_TARGET_SPIRV_PASSES_TD
#define CHI_TARGET_SPIRV_PASSES_TD
include "mlir/Pass/PassBase.td"

def SplitKernelsPass : Pass<"chi-split-kernels", "::mlir::ModuleOp"> {
  let summary = "Split modules into one module for each kernel";
  let description = [{
    A `gpu.module` with several kernels becomes one for each of them,
    `@kernels.NAME`, with copies of the functions and constant arrays that the
    kernel uses. A SPIR-V binary declares the capabilities of all of its
    kernels, so that a kernel in a shared module would need those of the others.

    Precondition: the result of `chi-record-checks`. Postcondition: the same; no
    `gpu.module` has two kernels.
  }];
}

def FoldBranchesPass : Pass<"chi-fold-branches"> {
  let summary = "Fold conditions and erase unreachable blocks, in turn";
  let description = [{
    Canonicalizes values without a change of the control flow, replaces branches
    whose condition is a constant then, and erases blocks that nothing reaches;
    again until nothing changes.

    The canonicalizer does both at once. A loop that a folded condition leaves
    without a predecessor is still there for its patterns, and where its blocks
    are merged a value may become its own operand (`%i = arith.addi %i, %c1`),
    which they fold for ever. It runs after this pass.

    Precondition: functions whose control flow is branches. Postcondition: the
    same.
  }];
}

def AddSumVariantsPass : Pass<"chi-add-sum-variants", "::mlir::ModuleOp"> {
  let summary = "Add variants of kernels for devices without atomic sums of f32";
  let description = [{
    A `gpu.module` with atomic sums of f32 in fields is followed by a copy,
    `@NAME.exchange_sums`, marked `exchange_sums`. `convert-kernels-to-spirv`
    lowers these sums in the copy to compare-exchange loops, and to instructions
    in the original. The run time selects one of them.

    Precondition: the result of `chi-halve-integers`. Postcondition: the same.
  }];
}

def HalveIntegersPass : Pass<"chi-halve-integers", "::mlir::ModuleOp"> {
  let summary = "Replace 64-bit integers that Chi adds by pairs of 32-bit integers";
  let description = [{
    In a `gpu.module` whose kernels have small launches (`shortIndices`,
    `smallLaunches` of `#chi.kernel_abi`), each i64 becomes a `vector<2xi32>`, if no field and
    no scalar of the program has 64-bit integers, and if all operations on them
    can be computed by halves: no quotients, most conversions from and to
    floats, or atomics. Otherwise the module stays as it is, and its kernels
    need a device with 64-bit integers
    (docs/design/0060-devices-without-int64.md).

    Precondition: the result of `chi-record-checks`. Postcondition: the same.
  }];
}

def KernelsToSPIRVPass : Pass<"convert-kernels-to-spirv", "::mlir::ModuleOp"> {
  let summary = "Lower kernels to entry points of a SPIR-V module for Vulkan";
  let description = [{
    A `gpu.module` becomes a `spirv.module` for Vulkan 1.2. Control flow is
    structured, and fields are accessed by device addresses. The words of a
    kernel (`#chi.kernel_abi`) that it uses are push constants; if there are more than
    16, the only push constant is the address of the words. An `index` has 32
    bits if all kernels of the module have small launches (`shortIndices`,
    `smallLaunches`), else 64. Float arithmetic that must not be contracted
    is decorated. An atomic operation that SPIR-V lacks becomes a
    compare-exchange loop, as do atomic sums of f32 in modules marked
    `exchange_sums`.

    Precondition: the result of `chi-record-checks`. Postcondition: the SPIR-V
    dialect.
  }];
}

#endif // CHI_TARGET_SPIRV_PASSES_TD

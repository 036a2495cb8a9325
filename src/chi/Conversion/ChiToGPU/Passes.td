//===- Passes.td - From tasks to kernels of devices --------*- tablegen -*-===//
#ifndef CHI_CONVERSION_CHITOGPU_PASSES_TD
#define CHI_CONVERSION_CHITOGPU_PASSES_TD
include "mlir/Pass/PassBase.td"

def ChiToGPUPass : Pass<"convert-chi-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Convert tasks to GPU kernels with grid-stride loops";
  let description = [{
    Each `chi.task` becomes a `gpu.func` of the `gpu.module` @kernels: thread t
    of n executes the iterations t, t + n, … An iteration is lowered as for a
    processor (docs/design/0026-iteration-lowering.md). The attribute
    `#chi.kernel_abi` describes what launches of the kernel provide. A kernel
    that computes indices in 32 bits (docs/design/0047-short-indices.md) has
    `shortIndices`; if only the launch knows whether 32 bits suffice, there
    is a second kernel `T.large`. A construct that devices do not support yet is
    an error at its source location; all of them are reported. Control and host
    code is erased, because it is compiled for the processor.

    Precondition: `optimised`, elementary functions expanded. Postcondition:
    `gpu`: of the chi dialect only `chi.check`, `chi.overflow`, `chi.print`,
    `chi.record_access` and `chi.to_int`.
  }];
  let options = [
    Option<"fast", "fast", "bool", /*default=*/"true",
           "Allow fast-math in tasks that are not strict">,
    Option<"shortIndices", "short-indices", "bool", /*default=*/"true",
           "Use 32-bit indices in kernels of small launches">];
}

def ShortIndicesPass : Pass<"chi-short-indices", "::mlir::ModuleOp"> {
  let summary = "Narrow indices of kernels for small launches to 32 bits";
  let description = [{
    In kernels with `shortIndices` in their `#chi.kernel_abi`, values of type `index` become i32:
    numbers of iterations and threads, extents, offsets in scalars. They are
    extended to `index` where an access takes them. Integers of the user's
    program keep their types.

    Precondition: `gpu`; no number of a launch of such a kernel is larger than
    CHIRT_SMALL_NUMBERS (chirt/device_code.h). Postcondition: `gpu`; in these
    kernels only operands and results of operations outside of `arith` and `scf`
    are of type `index`.
  }];
}

def RecordChecksPass : Pass<"chi-record-checks", "::mlir::ModuleOp"> {
  let summary = "Lower checks of kernels to branches that write a record";
  let description = [{
    A failing check takes the next number of the failures of its launch, unless
    an earlier iteration has failed. The first CHIRT_MAX_RECORDS failures with a
    number store a `chirt_record`: the number of the check in the module's table
    (`chi.unit.device`), the iteration, the values. Iterations are compared by
    the least one so far, an atomic maximum of complements: in 32 bits for
    kernels with short indices; in 64, with `wide-atomics`, for others, whose
    failures are compared on no other device. The thread then ends, or branches
    to the exit barrier: its later iterations cannot be the first that failed. A
    print writes the number of its format, its iteration and its values; an
    access that --check=races instruments writes the number of its location, its
    iteration, and the scalar that it accesses. With `in-place` the record is filled at the check, also inside a
    loop, so that fewer values are live after the loop.

    Precondition: `gpu`, `cf` instead of `scf`. Postcondition: no `chi.check`,
    no `chi.print`, no `chi.record_access`; the code that writes records is in
    an `scf.if`.
  }];
  let options = [
    Option<"inPlace", "in-place", "bool", /*default=*/"false",
           "Fill a record at its check">,
    Option<"wideAtomics", "wide-atomics", "bool", /*default=*/"false",
           "The device has atomic maxima of 64-bit integers">];
}

#endif // CHI_CONVERSION_CHITOGPU_PASSES_TD

//===- Passes.td - Passes that make kernels of devices -----*- tablegen -*-===//
#ifndef CHI_OFFLOAD_PASSES_TD
#define CHI_OFFLOAD_PASSES_TD
include "mlir/Pass/PassBase.td"

def ChiToGPUPass : Pass<"convert-chi-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Tasks become kernels with grid-stride loops";
  let description = [{
    Each `chi.task` becomes a `gpu.func` of the `gpu.module` @kernels: thread t
    of n does the iterations t, t + n, … What one iteration does is what it does
    on a processor (docs/design/0026-iteration-lowering.md). The attribute
    `chi.words` says what its parameters are. A kernel that counts in 32 bits
    (docs/design/0047-short-indices.md) has `chi.short_indices`; where only the
    launch knows whether that is enough, there is another one, `T.large`. What no device can do yet is an
    error at its place in the source; all of them are told. Control and host
    code goes: it is compiled for the processor.

    Precondition: `optimised`, elementary functions expanded. Postcondition:
    `gpu`: of the chi dialect only `chi.check`, `chi.overflow`, `chi.print`,
    `chi.record_access` and `chi.to_int`.
  }];
  let options = [
    Option<"fast", "fast", "bool", /*default=*/"true",
           "Float arithmetic may be rewritten in tasks that are not strict">,
    Option<"shortIndices", "short-indices", "bool", /*default=*/"true",
           "Kernels of launches that are small count in 32 bits">];
}

def ShortIndicesPass : Pass<"chi-short-indices", "::mlir::ModuleOp"> {
  let summary = "Kernels for small launches count in 32 bits";
  let description = [{
    In kernels with `chi.short_indices` what was an `index` is an i32: numbers
    of iterations and threads, extents, offsets in scalars. It becomes an index
    again where an access takes it. Numbers of the user keep their types.

    Precondition: `gpu`; no number of a launch of such a kernel is larger than
    CHIRT_SMALL_NUMBERS (chirt/device_code.h). Postcondition: `gpu`; in these
    kernels an `index` is what an operation outside of `arith` and `scf` takes
    or gives, and no more.
  }];
}

def RecordChecksPass : Pass<"chi-record-checks", "::mlir::ModuleOp"> {
  let summary = "Checks of kernels become branches that leave a record";
  let description = [{
    A failing check takes the next number of the launch's failures. The first
    CHIRT_MAX_RECORDS of them store a `chirt_record`: the number of the check in
    the module's table (`chi.unit.device`), the iteration, the values. Then the
    thread ends, or goes where the others meet: later iterations of its own
    cannot be the least that failed. What is printed leaves its format's number,
    its iteration and its values; an access that --check=races looks at the
    number of its place, its iteration, and which scalar it is. With `in-place`
    the record is filled where the check stands, in a loop as well: less is left
    to keep for behind the loop.

    Precondition: `gpu`, `cf` instead of `scf`. Postcondition: no `chi.check`,
    no `chi.print`, no `chi.record_access`; what they leave they leave in an
    `scf.if`.
  }];
  let options = [
    Option<"inPlace", "in-place", "bool", /*default=*/"false",
           "Fill a record where the check stands">];
}

def KernelsToNVVMPass : Pass<"convert-kernels-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "Kernels become functions of the LLVM dialect for NVPTX";
  let description = [{
    A `gpu.module` becomes a module of `llvm.func`s, its kernels with the
    calling convention of PTX's entries. Flat memrefs become bare pointers,
    without aliases where the task's facts say so. Atomics are relaxed, in the scope of
    the device. The names of kernels are made of what PTX takes.

    Precondition: what `chi-record-checks` leaves. Postcondition: the LLVM dialect.
  }];
}

def SplitKernelsPass : Pass<"chi-split-kernels", "::mlir::ModuleOp"> {
  let summary = "Each kernel has a module of its own";
  let description = [{
    A `gpu.module` with several kernels becomes one for each of them,
    `@kernels.NAME`, with copies of the functions and of the arrays of constants
    that it uses: a binary of SPIR-V says for all of its kernels what they need
    of a device.

    Precondition: what `chi-record-checks` leaves. Postcondition: the same; no
    `gpu.module` has two kernels.
  }];
}

def HalveIntegersPass : Pass<"chi-halve-integers", "::mlir::ModuleOp"> {
  let summary = "Integers of 64 bits that Chi adds become pairs of 32 bits";
  let description = [{
    In a `gpu.module` whose kernels have small launches (`chi.short_indices`,
    `chi.small_launches`) each i64 becomes a `vector<2xi32>`, if no field and no
    scalar of the program has 64-bit integers, and if all that is done with
    them gives the same by halves: not quotients, most casts from and to floats,
    or atomics. Otherwise the module stays as it is, and its kernels need a device
    with 64-bit integers (docs/design/0060-devices-without-int64.md).

    Precondition: what `chi-record-checks` leaves. Postcondition: the same.
  }];
}

def KernelsToSPIRVPass : Pass<"convert-kernels-to-spirv", "::mlir::ModuleOp"> {
  let summary = "Kernels become entry points of a SPIR-V module for Vulkan";
  let description = [{
    A `gpu.module` becomes a `spirv.module` for Vulkan 1.2: control flow is
    structured, fields are reached by device addresses, the words of a kernel
    (`chi.words`) that it uses are push constants, or, if there are more than 16, lie where
    the one push constant points to. What is an `index` has 32 bits where all
    kernels of the module have small launches (`chi.short_indices`,
    `chi.small_launches`), else 64. Float arithmetic that may not be
    contracted says so. What SPIR-V has no atomic for is a loop round a
    compare-exchange.

    Precondition: what `chi-record-checks` leaves. Postcondition: the SPIR-V dialect.
  }];
}
#endif // CHI_OFFLOAD_PASSES_TD

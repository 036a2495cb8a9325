//===- Passes.td - Passes that leave the chi dialect -------*- tablegen -*-===//
#ifndef CHI_CONVERSION_PASSES_TD
#define CHI_CONVERSION_PASSES_TD
include "mlir/Pass/PassBase.td"

def FastMathPass : Pass<"chi-fast-math", "::mlir::ModuleOp"> {
  let summary = "Set fast-math flags on the float arithmetic of tasks";
  let description = [{
    Sets `reassoc contract arcp afn nsz` on the float operations of all tasks
    that are not `strict`; never `nnan` or `ninf`. Runs before
    `chi-expand-math`, whose function bodies rely on the order in which they are
    written.

    Precondition: `simplified`. Postcondition: `simplified`.
  }];
}

def NativeMathPass : Pass<"chi-native-math", "::mlir::ModuleOp"> {
  let summary = "Replace elementary functions by calls of the device's math library";
  let description = [{
    Replaces `math.exp` and other elementary functions of f32 and f64 (f16 is
    extended to f32) by calls of declared functions such as
    `@chi.native.exp.f32`, which the code generator of the device resolves.
    Applies to tasks that are not `strict`, and to functions that no strict task
    calls. Remainders stay, and so do operations that the hardware has.

    Precondition: `simplified`. Postcondition: `simplified`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect"];
}

def ExpandMathPass : Pass<"chi-expand-math", "::mlir::ModuleOp"> {
  let summary = "Expand elementary functions to their bodies in Chi's library";
  let description = [{
    Replaces `math.exp` and other elementary functions by clones of the
    functions of the library module: `exp.f32`, `exp.f64`; f16 is extended to
    f32. Operations that the hardware has (sqrt floor ceil trunc rint abs fma
    copysign) stay, as do those that the library lacks. `fmod` is expanded on
    devices only. With `halves`, tasks that are not strict use `sin_halves.f32`
    for `sin` and so on, which are fast without fused multiply-add.

    Precondition: `simplified`. Postcondition: `simplified`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
  let options = [
    Option<"libraryFile", "library", "std::string", /*default=*/"\"\"",
           "File of the library module; for tests">,
    Option<"remainders", "remainders", "::chi::conv::Remainders",
           /*default=*/"::chi::conv::Remainders::processor",
           "How `%` of floats and fmod are lowered", [{::llvm::cl::values(
             clEnumValN(::chi::conv::Remainders::processor, "processor",
                        "a call of fmod"),
             clEnumValN(::chi::conv::Remainders::fused, "fused",
                        "quotients and fused multiply-add"),
             clEnumValN(::chi::conv::Remainders::bits, "bits",
                        "integer arithmetic"))}]>,
    Option<"halves", "halves", "bool", /*default=*/"false",
           "Use functions without fused operations in tasks that are not strict">];
}

def ChiToLoopsPass : Pass<"convert-chi-to-loops", "::mlir::ModuleOp"> {
  let summary = "Convert tasks to functions with loops over flat memory";
  let description = [{
    Each `chi.task` becomes a function over flat memrefs that executes a range
    of its iterations. Each `chi.launch` becomes a call of the run time, or of
    the function itself if the task's `schedule` is `direct`. The pass
    implements the schedule and makes no decisions. See
    docs/design/0003-cpu-lowering.md. With `recorded`, each control function
    `@k` gets a second form `@k.rec`, each task an entry `@t.launch` and a
    constant descriptor `@t.task`, and each kernel a constant `@k.table` of
    these: docs/design/0018-recorded-kernels.md. Instrumentation for races needs
    this form. With `choices`, launches measure what the schedule leaves open:
    docs/design/0076-measured-choices.md.

    Precondition: `simplified`. Postcondition: no task and no launch. Of the chi
    dialect, functions of tasks contain only `chi.check`, `chi.overflow`,
    `chi.print`, `chi.record_access`, `chi.to_int` and growing memory
    (`chi.scratch`); of the LLVM dialect, only the calls of the run time that
    the loops themselves need (docs/design/0026-iteration-lowering.md).
  }];
  let options = [
    Option<"fast", "fast", "bool", /*default=*/"true",
           "Allow fast-math in tasks that are not strict">,
    Option<"recorded", "recorded", "bool", /*default=*/"false",
           "Add a second form of kernels that launches through chirt_launch">,
    Option<"choices", "choices", "bool", /*default=*/"false",
           "Let launches measure the choices that no model settles">];
}

def HostToRuntimePass : Pass<"convert-host-to-runtime", "::mlir::ModuleOp"> {
  let summary = "Lower host and control functions to calls of the run time";
  let description = [{
    Fields and strs become pointers, globals become memory, and `chi.rt` becomes
    a call. If the module contains the program's script, the pass creates its
    table `chi_program`.

    Precondition: no tasks and launches. Postcondition: `loops`: of the chi
    dialect only `chi.check`, `chi.overflow`, `chi.to_int` and, in functions of
    tasks, `chi.print`, `chi.record_access` and growing memory.
  }];
}

def StructuredToBranchesPass : Pass<"convert-structured-to-branches",
                                    "::mlir::ModuleOp"> {
  let summary = "Convert structured control flow to branches in linear time";
  let description = [{
    Creates the same blocks as `convert-scf-to-cf`, in time linear in the size
    of the module: the operations that follow an operation in its block are
    lowered before it.

    Precondition: any stage with `scf`. Postcondition: `cf` instead of `scf`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect"];
}

def ExpandBFloatPass : Pass<"chi-expand-bfloat", "::mlir::ModuleOp"> {
  let summary = "Compute bf16 in f32, and keep it in memory as i16";
  let description = [{
    Arithmetic on bf16 extends its operands to f32 and rounds its result.
    Conversions become operations on integers. All other values, memory and
    constants of bf16 become i16.

    Precondition: the result of `chi-lower-checks`, or of
    `chi-record-checks`. Postcondition: no bf16.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

def LowerChecksPass : Pass<"chi-lower-checks", "::mlir::ModuleOp"> {
  let summary = "Lower checks to branches to cold blocks";
  let description = [{
    A failing check stores its values, calls `chirt_fail` and leaves the
    function; in host code it calls `chirt_raise`. Texts that tasks print, and
    messages of their assertions, are formatted where the task runs, or recorded
    as numbers from which the host formats the text
    (docs/design/0019-host-access.md).

    Precondition: `cf` instead of `scf`. Postcondition: of the chi dialect only
    `chi.overflow`, `chi.to_int` and growing memory.
  }];
  let options = [
    Option<"records", "records", "bool", /*default=*/"false",
           "Leave the formatting of prints and messages to the host">];
}

def LoopsToCPUPass : Pass<"convert-loops-to-cpu", "::mlir::ModuleOp"> {
  let summary = "Lower func, cf, arith, math and flat memrefs to the LLVM dialect";
  let description = [{
    Flat memrefs become bare pointers. Atomic updates are relaxed.

    Precondition: the result of `chi-lower-checks`. Postcondition: the LLVM
    dialect.
  }];
}
#endif // CHI_CONVERSION_PASSES_TD

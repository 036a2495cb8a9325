//===- Passes.td - Passes that leave the chi dialect -------*- tablegen -*-===//
#ifndef CHI_CONVERSION_PASSES_TD
#define CHI_CONVERSION_PASSES_TD
include "mlir/Pass/PassBase.td"

def FastMathPass : Pass<"chi-fast-math", "::mlir::ModuleOp"> {
  let summary = "Allow the rewriting of float arithmetic in tasks";
  let description = [{
    Sets `reassoc contract arcp afn nsz` on the float operations of all tasks
    that are not `strict`; never `nnan` or `ninf`. Runs before `chi-expand-math`,
    whose bodies rely on the order that they are written in.

    Precondition: `simplified`. Postcondition: `simplified`.
  }];
}

def NativeMathPass : Pass<"chi-native-math", "::mlir::ModuleOp"> {
  let summary = "Elementary functions become calls of a device's own";
  let description = [{
    `math.exp` and its like of f32 and f64 numbers (f16 goes by f32) in tasks
    that are not `strict`, and in functions that no strict task calls, become
    calls of `@chi.native.exp.f32` and so on, which are declared: code of the
    device says what they are. Remainders, and what the hardware has, stay.

    Precondition: `simplified`. Postcondition: `simplified`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect"];
}

def ExpandMathPass : Pass<"chi-expand-math", "::mlir::ModuleOp"> {
  let summary = "Put the bodies of Chi's own elementary functions in their place";
  let description = [{
    Replaces `math.exp` and its like by clones of the function `exp.f32` (or
    `.f64`; f16 goes by f32) of the library module. Operations that the
    hardware has (sqrt floor ceil trunc rint abs fma copysign) stay, as do
    those that the library lacks. `fmod` is the library's on devices alone.
    With `halves` tasks that are not strict get `sin_halves.f32` for `sin`,
    and so on: what does well where nothing is fused.

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
           "How `%` of floats is done, and fmod", [{::llvm::cl::values(
             clEnumValN(::chi::conv::Remainders::processor, "processor",
                        "fmod stays"),
             clEnumValN(::chi::conv::Remainders::fused, "fused",
                        "by quotients and fused operations"),
             clEnumValN(::chi::conv::Remainders::bits, "bits",
                        "by integers"))}]>,
    Option<"halves", "halves", "bool", /*default=*/"false",
           "Tasks that are not strict get what needs no fused operations">];
}

def ChiToLoopsPass : Pass<"convert-chi-to-loops", "::mlir::ModuleOp"> {
  let summary = "Tasks become functions with loops over flat memory";
  let description = [{
    Each `chi.task` becomes a function over flat memrefs and a part of its
    iterations, each `chi.launch` a call of the run time (or of the body, if
    the task's `schedule` says `direct`). What the schedule says is done, and
    no more. See docs/design/0003-cpu-lowering.md. With `recorded`
    each control function `@k` gets a second form `@k.rec`, each task an entry
    `@t.launch` and a constant descriptor `@t.task`, each kernel a constant
    `@k.table` of these: docs/design/0018-recorded-kernels.md. What is
    instrumented for races needs it.

    Precondition: `simplified`. Postcondition: no task and no launch; in what was a task
    only `chi.check`, `chi.overflow`, `chi.print`, `chi.record_access`, `chi.to_int` and
    memory that grows (`chi.scratch`) of the chi dialect, and of LLVM's only what the loops themselves
    ask of the run time (docs/design/0026-iteration-lowering.md).
  }];
  let options = [
    Option<"fast", "fast", "bool", /*default=*/"true",
           "Float arithmetic may be rewritten in tasks that are not strict">,
    Option<"recorded", "recorded", "bool", /*default=*/"false",
           "Kernels get a second form, which launches by chirt_launch">];
}

def HostToRuntimePass : Pass<"convert-host-to-runtime", "::mlir::ModuleOp"> {
  let summary = "Host and control functions call the run time";
  let description = [{
    Fields and strs become pointers, globals become memory, `chi.rt` becomes
    a call. If the module holds the program's script, its table `chi_program`
    is made.

    Precondition: no tasks and launches. Postcondition: `loops`: of the chi dialect only
    `chi.check`, `chi.overflow`, `chi.to_int` and, in what was a task, `chi.print`,
    `chi.record_access` and memory that grows.
  }];
}

def StructuredToBranchesPass : Pass<"convert-structured-to-branches",
                                    "::mlir::ModuleOp"> {
  let summary = "Structured control flow becomes branches, from the back";
  let description = [{
    The same blocks that `convert-scf-to-cf` makes, in time that grows as the
    module does: what follows an operation in its block is lowered before it.

    Precondition: any stage with `scf`. Postcondition: `cf` instead of `scf`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect"];
}

def LowerChecksPass : Pass<"chi-lower-checks", "::mlir::ModuleOp"> {
  let summary = "Checks become branches to cold blocks";
  let description = [{
    A failing check stores its values, calls `chirt_fail` and leaves the
    function; in host code it calls `chirt_raise`. What tasks print, and the
    messages of their assertions, are texts made where they run, or numbers of
    which the host makes the texts (docs/design/0019-host-access.md).

    Precondition: `cf` instead of `scf`. Postcondition: no chi operation but `chi.overflow`, `chi.to_int`
    and memory that grows.
  }];
  let options = [
    Option<"records", "records", "bool", /*default=*/"false",
           "Tasks leave the texts of prints and messages to the host">];
}

def LoopsToCPUPass : Pass<"convert-loops-to-cpu", "::mlir::ModuleOp"> {
  let summary = "func, cf, arith, math and flat memrefs to the LLVM dialect";
  let description = [{
    Flat memrefs become bare pointers. Atomic updates are relaxed.

    Precondition: what `chi-lower-checks` leaves. Postcondition: the LLVM dialect.
  }];
}
#endif // CHI_CONVERSION_PASSES_TD

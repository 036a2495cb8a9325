//===- Passes.td - Kernels become tasks --------------------*- tablegen -*-===//
#ifndef CHI_TRANSFORMS_OUTLINE_PASSES_TD
#define CHI_TRANSFORMS_OUTLINE_PASSES_TD
include "mlir/Pass/PassBase.td"

def StructurePass : Pass<"chi-structure", "::mlir::ModuleOp"> {
  let summary = "Convert control flow with early exits to scf";
  let description = [{
    Converts `chi.if`, `chi.for` and `chi.while` to `scf.if`, `scf.for` and
    `scf.while`. An early exit (`chi.break`, `chi.continue`, or `chi.return` in
    a nested region) sets a flag in a slot, and the operations that follow it
    are guarded by that flag. Flags are created only where there are exits: a
    loop without exits becomes a plain `scf.for`, a loop with `break` an
    `scf.while`.

    Precondition: stage `chi`. Postcondition: no `chi.if`, `chi.for`,
    `chi.while`, `chi.break`, `chi.continue`; `chi.next` ends the bodies of
    `chi.parallel`, `chi.return` those of kernels, `func.return` those of
    functions.
  }];
  let dependentDialects = ["::chi::ir::ChiDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def RecursionPass : Pass<"chi-recursion", "::mlir::ModuleOp"> {
  let summary = "Convert recursive functions of kernels to loops with a stack";
  let description = [{
    Functions that call each other in a cycle, and are no host code, become a
    function with one loop for each of them that others call (`@f.stack`). Their
    bodies are cut into states behind each call on the cycle; frames with what
    the states share lie on stacks of `chi.scratch`
    (docs/design/0141-recursion-in-kernels.md). A cycle with a value that can
    lie on no stack stays.

    Precondition: `chi-structure` has run. Postcondition: no recursion in
    kernels, but that of such cycles.
  }];
  let dependentDialects = ["::chi::ir::ChiDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def InlinePass : Pass<"chi-inline", "::mlir::ModuleOp"> {
  let summary = "Inline all calls in kernels";
  let description = [{
    Inlines all calls in kernels, callees first. Locations become call-site
    locations. A private function without callers is erased.

    Precondition: `chi-structure` has run. Postcondition: no `func.call` in a
    kernel.
  }];
}

def PromotePass : Pass<"chi-promote", "::mlir::ModuleOp"> {
  let summary = "Promote scalar slots to SSA values";
  let description = [{
    Replaces scalar slots by SSA values, which `scf.if`, `scf.for` and
    `scf.while` carry and parallel loops capture if they read them. Small local
    arrays whose indices are all constant are first split into slots. A read
    before any write yields zero.

    Precondition: `chi-structure` has run. Postcondition: no `!chi.local` of a
    scalar except one that a parallel loop writes.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SimplifyKernelsPass : Pass<"chi-simplify-kernels", "::mlir::ModuleOp"> {
  let summary = "Canonicalise kernels and their callees, and share expressions (CSE)";
  let description = [{
    Runs MLIR's canonicalizer and CSE on kernels, tasks, control code and their
    callees. The pipeline uses it after passes that do not change host
    functions, so that a script of thousands of statements is not processed
    again.

    Precondition: any stage. Postcondition: the same stage.
  }];
}

def OutlineTasksPass : Pass<"chi-outline-tasks", "::mlir::ModuleOp"> {
  let summary = "Split kernels into control functions and tasks";
  let description = [{
    Converts a `chi.kernel` to a `func.func` with `chi.control`. Each of its
    parallel loops becomes a `chi.task` (`@k.t0`, `@k.t1`, …), which the control
    function launches. Code between the loops becomes a task of rank 0 if it
    accesses fields, prints, checks or draws random numbers, or if it computes
    with floats; in the last case the task is `strict`. Values pass from one
    task to another through cells, and so do floats that loops and conditions of
    control code carry: tasks load them; control code loads a float only to
    compare or to return it. Constants are rematerialised in the task. Globals
    are read once, at the entry of the kernel.

    Precondition: `chi-promote` has run. Postcondition: no `chi.kernel`,
    `chi.parallel`, `chi.call`, `chi.return`; control functions compare floats
    but do not compute with them.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect"];
}

def NumberRandomPass : Pass<"chi-number-random", "::mlir::ModuleOp"> {
  let summary = "Number the random draws of kernels";
  let description = [{
    Adds to each `chi.random` of a kernel the operands that make it pure: the
    number of its loop in the kernel, the ordinal of the kernel's call
    (`chi.ordinal`, at the entry of each kernel that draws), the launch index of
    the loop in this call, the iteration (`chi.iteration`), and the number of
    draws that the iteration made before. Draws between the loops have the loop
    number -1 and a separate counter. The numbers follow the source: the pass
    runs before any operation is removed or folded, and no option changes them.

    Precondition: `chi-inline` has run. Postcondition: each `chi.random` in a
    kernel is pure.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // CHI_TRANSFORMS_OUTLINE_PASSES_TD

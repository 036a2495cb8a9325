//===- Passes.td - Kernels become tasks --------------------*- tablegen -*-===//
#ifndef CHI_TRANSFORMS_OUTLINE_PASSES_TD
#define CHI_TRANSFORMS_OUTLINE_PASSES_TD
include "mlir/Pass/PassBase.td"

def StructurePass : Pass<"chi-structure", "::mlir::ModuleOp"> {
  let summary = "Turn control with exits into scf with single exits";
  let description = [{
    `chi.if`, `chi.for` and `chi.while` become `scf.if`, `scf.for` and
    `scf.while`. An exit (`chi.break`, `chi.continue`, `chi.return` inside
    nested regions) becomes a flag in a slot, and what follows it is guarded.
    Flags are made only where exits are: a loop without exits is a plain
    `scf.for`, one with `break` an `scf.while`.

    Precondition: stage `chi`. Postcondition: no `chi.if`, `chi.for`, `chi.while`,
    `chi.break`, `chi.continue`; `chi.next` ends the bodies of `chi.parallel`,
    `chi.return` those of kernels, `func.return` those of functions.
  }];
  let dependentDialects = ["::chi::ir::ChiDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def InlinePass : Pass<"chi-inline", "::mlir::ModuleOp"> {
  let summary = "Inline what kernels call";
  let description = [{
    All calls in kernels are inlined, callees first. Locations become call
    sites. A function that nothing calls any more is erased if it is private.

    Precondition: `chi-structure` has run. Postcondition: no `func.call` in a kernel.
  }];
}

def PromotePass : Pass<"chi-promote", "::mlir::ModuleOp"> {
  let summary = "Turn scalar slots into SSA values";
  let description = [{
    Slots become values carried by `scf.if`, `scf.for` and `scf.while`, and
    captured by parallel loops that read them. Small local arrays whose indices
    are all constant are split into slots first. A value carried by a loop is
    changed and read there. A read before any write gives zero.

    Precondition: `chi-structure` has run. Postcondition: no `!chi.local` of a scalar
    except one that a parallel loop writes.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SimplifyKernelsPass : Pass<"chi-simplify-kernels", "::mlir::ModuleOp"> {
  let summary = "Canonicalise all but host functions, and share expressions";
  let description = [{
    MLIR's canonicalizer and CSE on kernels, tasks, control code and what they
    call. For after passes that change nothing in host functions: a script of
    thousands of statements is not looked through again each time.

    Precondition: any of the stages. Postcondition: the same stage.
  }];
}

def OutlineTasksPass : Pass<"chi-outline-tasks", "::mlir::ModuleOp"> {
  let summary = "Split kernels into control functions and tasks";
  let description = [{
    A `chi.kernel` becomes a `func.func` with `chi.control`, each of its
    parallel loops a `chi.task` `@k.t0`, `@k.t1` … launched from there. A
    serial stretch between loops that touches fields, prints, checks or draws
    random numbers becomes a task of rank 0, and so does one that computes with
    floats; that one is `strict`. What a task hands on goes through cells, and so
    do floats that loops and conditions of control code carry: tasks load them,
    control code only where it compares or returns a float. Constants are made
    again in the task. Values of globals are read once, at the entry of the
    kernel.

    Precondition: `chi-promote` has run. Postcondition: no `chi.kernel`, `chi.parallel`,
    `chi.call`, `chi.return`; control functions compare floats and compute none.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect"];
}

def NumberRandomPass : Pass<"chi-number-random", "::mlir::ModuleOp"> {
  let summary = "Give each random draw its number";
  let description = [{
    Each `chi.random` of a kernel gets what makes it pure: the number of its
    loop among those of the kernel, the ordinal of the kernel's call
    (`chi.ordinal`, at the entry of each kernel that draws), how often that loop
    was met before in this call, the iteration (`chi.iteration`), and the number
    of draws of its iteration before it. The draws between the loops have a
    loop's number, -1, and a counter of their own.
    It goes by the source: nothing was dropped or folded yet, and no check nor
    any other option changes what stands there.

    Precondition: `chi-inline` has run. Postcondition: pure `chi.random` in kernels.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // CHI_TRANSFORMS_OUTLINE_PASSES_TD

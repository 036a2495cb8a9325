//===- Passes.td - Passes from chi to chi ------------------*- tablegen -*-===//
#ifndef CHI_TRANSFORMS_PASSES_TD
#define CHI_TRANSFORMS_PASSES_TD
include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Structural passes, in their order
//===----------------------------------------------------------------------===//

def StructurePass : Pass<"chi-structure", "::mlir::ModuleOp"> {
  let summary = "Turn control with exits into scf with single exits";
  let description = [{
    `chi.if`, `chi.for` and `chi.while` become `scf.if`, `scf.for` and
    `scf.while`. An exit (`chi.break`, `chi.continue`, `chi.return` inside
    nested regions) becomes a flag in a slot, and what follows it is guarded.
    Flags are made only where exits are: a loop without exits is a plain
    `scf.for`, one with `break` an `scf.while`.

    Expects: stage `chi`. Leaves: no `chi.if`, `chi.for`, `chi.while`,
    `chi.break`, `chi.continue`; `chi.next` ends the bodies of `chi.parallel`,
    `chi.return` those of kernels, `func.return` those of functions.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def InlinePass : Pass<"chi-inline", "::mlir::ModuleOp"> {
  let summary = "Inline what kernels call";
  let description = [{
    All calls in kernels are inlined, callees first. Locations become call
    sites. A function that nothing calls any more is erased if it is private.

    Expects: `chi-structure` has run. Leaves: no `func.call` in a kernel.
  }];
}

def PromotePass : Pass<"chi-promote", "::mlir::ModuleOp"> {
  let summary = "Turn scalar slots into SSA values";
  let description = [{
    Slots become values carried by `scf.if`, `scf.for` and `scf.while`, and
    captured by parallel loops that read them. Small local arrays whose indices
    are all constant are split into slots first. A value carried by a loop is
    changed and read there. A read before any write gives zero.

    Expects: `chi-structure` has run. Leaves: no `!chi.local` of a scalar
    except one that a parallel loop writes.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def OutlineTasksPass : Pass<"chi-outline-tasks", "::mlir::ModuleOp"> {
  let summary = "Split kernels into control functions and tasks";
  let description = [{
    A `chi.kernel` becomes a `func.func` with `chi.control`, each of its
    parallel loops a `chi.task` `@k.t0`, `@k.t1` … launched from there. A
    serial stretch between loops that touches fields, prints, checks or draws
    random numbers becomes a task of rank 0; what it hands to control code
    goes through cells. Constants are made again in the task. Values of
    globals are read once, at the entry of the kernel.

    Expects: `chi-promote` has run. Leaves: no `chi.kernel`, `chi.parallel`,
    `chi.call`, `chi.return`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect"];
}

def NumberRandomPass : Pass<"chi-number-random", "::mlir::ModuleOp"> {
  let summary = "Give each random draw its number";
  let description = [{
    Each `chi.random` gets the number of draws of its iteration before it, and
    the number of its task in the kernel. Tasks that draw get `chi.draws` and
    the pass (launches of this task before, in this call) as last captured
    argument; control and host functions that draw get `chi.draws`.

    Expects: `chi-outline-tasks` has run. Leaves: pure `chi.random` in tasks.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

//===----------------------------------------------------------------------===//
// Optimising passes, in their order
//===----------------------------------------------------------------------===//

#endif // CHI_TRANSFORMS_PASSES_TD

//===- Passes.td - Adjoints of tasks -----------------------*- tablegen -*-===//
#ifndef CHI_AD_REVERSE_PASSES_TD
#define CHI_AD_REVERSE_PASSES_TD
include "mlir/Pass/PassBase.td"

def DifferentiatePass : Pass<"chi-differentiate", "::mlir::ModuleOp"> {
  let summary = "Create the adjoint of each task that a tape may record";
  let description = [{
    Reverse mode within one task (Griewank & Walther, "Evaluating Derivatives",
    2008, ch. 4 and 6). An iteration of the adjoint task recomputes the values
    of the primal iteration that it needs, then propagates adjoints backwards,
    statement by statement. `@k.t0.adj` follows `@k.t0`, whose attribute
    `adjoint` (`#chi.adjoint`) names it. A task that writes no field of floats
    has no adjoint.
    Where iterations share elements that they update by `*=`, `min` or `max`,
    tasks that run before the adjoint task compute what it needs from all
    iterations (`prologue`, `workspace`;
    docs/design/0033-adjoint-prologues.md). A task with atomic operations whose
    results are used also has a recorder, `@k.t0.records` (`recorder`), and,
    where the number of results is not constant, a counter `@k.t0.counts`
    (docs/design/0038-results-of-atomics.md). Where launches differ in the
    fields that depend on a marked field, there are further adjoints,
    `@k.t0.adj.1` to `.3`, for fewer active fields (`variant`;
    docs/design/0050-adjoints-by-activity.md).

    Processes the tasks that run while a tape is open or that `k.grad()`
    differentiates; with `all`, every task.

    Precondition: stage `simplified`. Postcondition: each of these tasks that
    writes a field of floats has an adjoint, in the form of stage `simplified`.
  }];
  let options = [Option<"all", "all", "bool", "false",
                        "Differentiate every task, not only those that a tape may record">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect"];
}

def InlineAdjointsPass : Pass<"chi-inline-adjoints", "::mlir::ModuleOp"> {
  let summary = "Inline calls of functions with a custom adjoint";
  let description = [{
    Inlines calls of functions with an adjoint of their own (`custom_adjoint`),
    and of these adjoints, in tasks. A private function without callers is
    erased.

    Precondition: `chi-differentiate` has run. Postcondition: no `func.call`
    with `custom_adjoint`.
  }];
}

def MarkTurnsPass : Pass<"chi-mark-turns", "::mlir::ModuleOp"> {
  let summary = "Tell tapes where the turns of a kernel's loops begin";
  let description = [{
    A tape with a memory budget begins again at turns of loops
    (docs/design/0120-memory-budgets.md). Those of host code have their marks
    from the front end; here the loops that launch tasks from a control function
    get theirs: `chirt_tape_loop` before a loop, with the number of its turns
    where it is one by steps of 1, and `chirt_tape_turn` in its body. Only in
    kernels with a task that has an adjoint. The form of a kernel that runs
    where nothing is recorded does without them (`chi-to-loops`).

    Precondition: `chi-differentiate` has run. Postcondition: each loop that
    launches, of such a kernel, has its marks.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def DropStopGradientsPass : Pass<"chi-drop-stop-gradients", "::mlir::ModuleOp"> {
  let summary = "Replace chi.stop_gradient by its operand";
  let description = [{
    Removes `chi.stop_gradient` and the attributes `chi.old_wins` and
    `chi.guard`, which have no use after differentiation.

    Precondition: `grad`. Postcondition: no `chi.stop_gradient`, no
    `chi.old_wins`, no `chi.guard`.
  }];
}

#endif // CHI_AD_REVERSE_PASSES_TD

//===- Passes.td - Adjoints of tasks -----------------------*- tablegen -*-===//
#ifndef CHI_AD_REVERSE_PASSES_TD
#define CHI_AD_REVERSE_PASSES_TD
include "mlir/Pass/PassBase.td"

def DifferentiatePass : Pass<"chi-differentiate", "::mlir::ModuleOp"> {
  let summary = "Make the adjoint of each task that a tape may record";
  let description = [{
    Reverse mode inside one task (Griewank & Walther, "Evaluating Derivatives",
    2008, ch. 4 and 6). An iteration of the adjoint task runs the iteration of
    the primal one again, as far as its values are needed, then carries adjoints
    backwards, statement by statement. `@k.t0.adj` stands behind `@k.t0`, whose
    attribute `adjoint` names it. A task that writes no field of floats gets
    none. Where iterations share what they update by `*=`, `min` or `max`, tasks
    that run before the adjoint one find out what it has to know of all of them
    (`chi.prior`, `chi.extras`; docs/design/0033-chains-of-adjoints.md). Of a task
    with atomic operations whose results something hangs on there is a recorder
    too, `@k.t0.records` (`chi.recorder`), and where it has to be counted how many
    there are, `@k.t0.counts` (docs/design/0038-results-of-atomics.md). Where
    launches differ in the fields that hang on a marked one there are more
    adjoints, `@k.t0.adj.1` to `.3`, that go back to less of them (`chi.variant`;
    docs/design/0050-adjoints-by-activity.md).

    Looks at the tasks that run while a tape is open or that `k.grad()` goes
    back through; with `all` set at every task.

    Precondition: stage `simplified`. Postcondition: each of these tasks
    that writes a field of floats has an adjoint, in the form of stage `simplified`.
  }];
  let options = [Option<"all", "all", "bool", "false",
                        "Whether or not a tape may record them">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect"];
}

def InlineAdjointsPass : Pass<"chi-inline-adjoints", "::mlir::ModuleOp"> {
  let summary = "Inline calls that were kept for derivatives";
  let description = [{
    Calls of functions with an adjoint of their own (`custom_adjoint`), and of these
    adjoints, become part of the tasks that they stand in. Functions that nothing
    calls any more are erased if they are private.

    Precondition: `chi-differentiate` has run. Postcondition: no `func.call` with
    `custom_adjoint`.
  }];
}

def DropStopGradientsPass : Pass<"chi-drop-stop-gradients", "::mlir::ModuleOp"> {
  let summary = "What was constant for differentiation is its value";
  let description = [{
    Removes `chi.stop_gradient` and the attribute `chi.old_wins`, which nobody
    asks for once all is differentiated.

    Precondition: `grad`. Postcondition: no `chi.stop_gradient`, no
    `chi.old_wins`.
  }];
}

#endif // CHI_AD_REVERSE_PASSES_TD

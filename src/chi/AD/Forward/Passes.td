//===- Passes.td - Tangents of tasks -----------------------*- tablegen -*-===//
#ifndef CHI_AD_FORWARD_PASSES_TD
#define CHI_AD_FORWARD_PASSES_TD
include "mlir/Pass/PassBase.td"

def TangentsPass : Pass<"chi-tangents", "::mlir::ModuleOp"> {
  let summary = "Create the tangent task of each task that runs in forward mode";
  let description = [{
    Forward mode within one task (Griewank & Walther, "Evaluating Derivatives",
    2008, ch. 3). The tangent task does what the task does, and computes a
    tangent beside each active float: loads, stores and sums of tangents are
    beside those of the floats, in fields of tangents that follow the captured
    values. `@k.t0.tan` follows `@k.t0`, whose attribute `chi.tangent` names it.
    A task that writes no field of floats has none. Where iterations share
    elements that they update by `min` or `max`, tasks that run before the
    tangent task find the winners, as before an adjoint task
    (docs/design/0033-adjoint-prologues.md). It is an error (E1021) if an
    iteration does something else whose tangent depends on other iterations: an
    update of a shared element by `*=`, or an atomic operation on floats whose
    result is used.

    Processes the tasks that run between `chirt_forward_begin` and
    `chirt_forward_end`, and if a tape may be opened there, their adjoints and
    recorders: the tangents of gradients are second derivatives. With the
    attribute `chi.tangents_of_tapes` of the module (`chic gradcheck`) tapes
    and calls of kernels with `k.grad()` count as forward mode, too. With `all`,
    every task.

    Precondition: `chi-inline-adjoints` has run. Postcondition: each of these
    tasks that writes a field of floats has a tangent task, in the form of stage
    `simplified`.
  }];
  let options = [Option<"all", "all", "bool", "false",
                        "Every task, not only those that run in forward mode">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // CHI_AD_FORWARD_PASSES_TD

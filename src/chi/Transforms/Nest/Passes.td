//===- Passes.td - Other orders of iterations --------------*- tablegen -*-===//
#ifndef CHI_TRANSFORMS_NEST_PASSES_TD
#define CHI_TRANSFORMS_NEST_PASSES_TD
include "mlir/Pass/PassBase.td"

def InterchangePass : Pass<"chi-interchange", "::mlir::ModuleOp"> {
  let summary = "Interchange the loops of adjoint tasks over pairs";
  let description = [{
    An adjoint task over pairs (`x̄[i] += f(i, j); x̄[j] += g(i, j)`) becomes a
    task over `i` with a loop over `j`: loop interchange (K. Kennedy and J. R.
    Allen, "Optimizing Compilers for Modern Architectures", 2002, ch. 5). If
    both axes have the same bounds, the contributions to elements that `j`
    selects are computed with the two variables exchanged. Each iteration then
    owns its elements and sums in a value. Common subexpressions of the two
    halves are computed once, where `b - a` counts as minus `a - b`. Factors
    that are invariant in the loop are moved out of the sums. `domainAxes` of
    the task's `#chi.adjoint` lists the remaining axes of the domain.

    If the launch of the primal task is the last action of its kernel, and a
    tape ends directly after a call of that kernel, the pass also creates a
    fused task that computes primal and adjoint (`fused`, on the primal). The
    launch is marked `last`, and `chirt_tape_last` precedes the call.

    The pass leaves the task unchanged if it does more than load and add, if it
    is `strict`, or if the two halves have too little in common.

    Precondition: `grad`, proved checks removed. Postcondition: the same.
  }];
  let options = [
    ListOption<"without", "without", "std::string",
               "Parts to disable: fused-adjoints">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def ScatterToGatherPass : Pass<"chi-scatter-to-gather", "::mlir::ModuleOp"> {
  let summary = "Rewrite scatters in adjoint loops as gathers";
  let description = [{
    Splits an adjoint task whose loops add to elements that other iterations
    share (`for u: k̄[b, u] += ȳ[b, t] * w[t - u]`, the adjoint of a
    convolution). Each group of such additions becomes a task over the elements,
    with loops over all contributions to one element; the original task, without
    these additions, is the last task of the chain. The iterations are rewritten
    as linear inequalities (loop interchange with exact bounds, as in
    `chi-interchange`), so that each is executed exactly once. `domainAxes`
    maps the axes of such a task to axes of the domain, or is -1 where the facts
    of the task give the axis. If only launches know which one of several ends
    of an axis is nearest, `chi.axis_bounds` has all of them.

    The pass leaves the task unchanged if indices or bounds are not linear, if
    the task has checks, writes fields of the primal or is `strict`, or if too
    few elements remain.

    Precondition: `grad`, proved checks removed. Postcondition: the same.
  }];
  let options = [
    Option<"knownEndsOnly", "known-ends-only", "bool", "false",
           "Only spaces that kernels for devices can go over: each axis has "
           "constant ends, or is the axis of the domain with its number">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def UnreadResultsPass : Pass<"chi-unread-results", "::mlir::ModuleOp"> {
  let summary = "Only check in recorded launches whose results are not read";
  let description = [{
    The record of a host function (`@f.record`, beside `@f.record.backward`)
    calls the function to record its launches for a vector-Jacobian product. The
    fields that the function makes and returns are not read then. The pass makes
    the record call a copy of the function and of its kernels (`.checks`). If a
    launch there writes only such fields, and neither any task nor an adjoint
    reads them, it launches a copy of its task without stores (`.checks`), with
    the same attributes: it is recorded as before, and checks the indices that
    its adjoint relies on. A field counts as unread if it is made by the
    function and used only by one call of a kernel, besides being returned,
    counted or asked for its extents.

    Tasks that accumulate, draw, print, call functions, or have a recorder stay
    as they are.

    Precondition: `optimised`, effects known. Postcondition: the same.
  }];
}

#endif // CHI_TRANSFORMS_NEST_PASSES_TD

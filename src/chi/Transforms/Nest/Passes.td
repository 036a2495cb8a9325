//===- Passes.td - Other orders of iterations --------------*- tablegen -*-===//
#ifndef CHI_TRANSFORMS_NEST_PASSES_TD
#define CHI_TRANSFORMS_NEST_PASSES_TD
include "mlir/Pass/PassBase.td"

def InterchangePass : Pass<"chi-interchange", "::mlir::ModuleOp"> {
  let summary = "Let who has an element add up what all pairs give it";
  let description = [{
    An adjoint task over pairs (`x̄[i] += f(i, j); x̄[j] += g(i, j)`) becomes one
    over `i` with a loop over `j`: loop interchange (K. Kennedy and J. R. Allen,
    "Optimizing Compilers for Modern Architectures", 2002, ch. 5). What is added
    to elements that `j` names is computed with the two variables exchanged, if
    both axes have the same bounds, so that each iteration has elements of its
    own and adds up in a value. What the two halves share is computed once, where
    `b - a` counts as minus `a - b`; factors that the loop does not change are
    taken out of the sums. `chi.domain_axes` says which axes of the domain are
    left.

    Where a kernel launches the primal as the last thing that it does, and a tape
    ends right behind a call of that kernel, a task that adds up what both do is
    made, too (`chi.both`, of the primal): the launch is marked (`chi.last`),
    and `chirt_tape_last` stands before the call.

    Not where the task does more than load and add, where it is `strict`, or
    where the two halves have too little in common.

    Precondition: `grad`, proved checks gone. Postcondition: the same.
  }];
  let options = [
    ListOption<"without", "without", "std::string",
               "Parts to leave out: joined-adjoints">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def GatherSumsPass : Pass<"chi-gather-sums", "::mlir::ModuleOp"> {
  let summary = "Let who has an element add up what loops scatter to it";
  let description = [{
    An adjoint task whose loops add to elements that other iterations share
    (`for u: k̄[b, u] += ȳ[b, t] * w[t - u]`, the adjoint of a convolution)
    becomes several: one for each group of such additions, over the elements,
    with loops over all that goes to one; and the task itself, without them, as
    the last one of the chain. The iterations are rewritten as linear
    inequalities (loop interchange with exact bounds, as for `chi-interchange`),
    so that each is there once. `chi.domain_axes` says which axes of the domain
    the axes of such a task are, or (-1) that its facts say.

    Not where indices or bounds are not linear, where the task checks, writes
    fields of the primal, or is `strict`, nor where too few elements are left.

    Precondition: `grad`, proved checks gone. Postcondition: the same.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // CHI_TRANSFORMS_NEST_PASSES_TD

//===- Passes.td - Which values carry derivatives ----------*- tablegen -*-===//
#ifndef CHI_AD_ACTIVITY_PASSES_TD
#define CHI_AD_ACTIVITY_PASSES_TD
include "mlir/Pass/PassBase.td"

def WarnGradientsPass : Pass<"chi-warn-gradients", "::mlir::ModuleOp"> {
  let summary = "Warn of gradients that are known to be zero";
  let description = [{
    Warns of a marked field (`grad=True`) from which no task that a tape may
    record leads to a loss: not at all (W1012), or not through floats (W1013).
    Names that may refer to the same field count as one field; a call of an
    unknown function counts as a path. No warning is given if the program uses
    `k.grad()`, or for watched fields.

    Precondition: stage `simplified`. Postcondition: the module is unchanged.
  }];
}

#endif // CHI_AD_ACTIVITY_PASSES_TD

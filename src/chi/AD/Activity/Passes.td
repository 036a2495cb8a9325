//===- Passes.td - Which values carry derivatives ----------*- tablegen -*-===//
#ifndef CHI_AD_ACTIVITY_PASSES_TD
#define CHI_AD_ACTIVITY_PASSES_TD
include "mlir/Pass/PassBase.td"

def WarnGradientsPass : Pass<"chi-warn-gradients", "::mlir::ModuleOp"> {
  let summary = "Warn of fields whose gradient is surely zero";
  let description = [{
    A field that is marked (`grad=True`) and from which no task that a tape may
    record leads to a loss: not at all (W1012), or not by floats (W1013). Names
    that may stand for one field are one, and a function that is not looked into
    leads everywhere. Says nothing where `k.grad()` is used, or of fields that are
    watched.

    Precondition: stage `simplified`. Postcondition: nothing is changed.
  }];
}

#endif // CHI_AD_ACTIVITY_PASSES_TD

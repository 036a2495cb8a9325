//===- Passes.td - What looks after the other passes -------*- tablegen -*-===//
#ifndef CHI_PIPELINE_PASSES_TD
#define CHI_PIPELINE_PASSES_TD
include "mlir/Pass/PassBase.td"

def VerifyStagePass : Pass<"chi-verify-stage", "::mlir::ModuleOp"> {
  let summary = "Verify the postconditions of passes";
  let description = [{
    Each pass of the pipeline has a postcondition, which later passes preserve.
    `after` names a pass: the postconditions of this pass and of all passes
    before it in the pipeline are verified. The first operation that violates
    one is reported with the pass that has this postcondition. `stage` names a
    stage instead, which stands for the last pass before that stage. Debug
    builds run this pass after every pass; `--chi-to-S=verify` does so in any
    build.

    Precondition: any module. Postcondition: the module is unchanged.
  }];
  let options = [
    Option<"after", "after", "std::string", /*default=*/"\"\"",
           "Last pass that has run">,
    Option<"stage", "stage", "std::string", /*default=*/"\"\"",
           "Stage that the module has reached">];
}
#endif // CHI_PIPELINE_PASSES_TD

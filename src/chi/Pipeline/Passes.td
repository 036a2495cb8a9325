//===- Passes.td - What looks after the other passes -------*- tablegen -*-===//
#ifndef CHI_PIPELINE_PASSES_TD
#define CHI_PIPELINE_PASSES_TD
include "mlir/Pass/PassBase.td"

def VerifyStagePass : Pass<"chi-verify-stage", "::mlir::ModuleOp"> {
  let summary = "Fail where a pass did not leave what it promises";
  let description = [{
    Each pass of the pipeline says what it leaves (its postcondition), and later
    ones keep it. `after` names a pass: all that it and those before it in the
    pipeline promise is looked for, and the first operation that breaks a
    promise is told with the pass whose promise it is. `stage` names a stage
    instead, and with it the last pass that leads there. Debug builds run it
    after every pass, `--chi-to-S=verify` does in any build.

    Precondition: any module. Postcondition: the module as it was.
  }];
  let options = [
    Option<"after", "after", "std::string", /*default=*/"\"\"",
           "The last pass that has run">,
    Option<"stage", "stage", "std::string", /*default=*/"\"\"",
           "The stage that is reached">];
}
#endif // CHI_PIPELINE_PASSES_TD

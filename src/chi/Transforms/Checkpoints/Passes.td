//===- Passes.td - Host code that keeps its state ----------*- tablegen -*-===//
#ifndef CHI_TRANSFORMS_CHECKPOINTS_PASSES_TD
#define CHI_TRANSFORMS_CHECKPOINTS_PASSES_TD
include "mlir/Pass/PassBase.td"

def CheckpointsPass : Pass<"chi-checkpoints", "::mlir::ModuleOp"> {
  let summary = "Write and read checkpoints at the heads of host loops";
  let description = [{
    Copies the script, and `main` if the script calls it last, to functions that
    the script calls if the run time takes checkpoints or resumes. At the head of
    each loop of a copy that stands in no other operation than loops and
    conditionals, the copy asks the run time whether a checkpoint is due, and
    then gives it all globals that are no params and all slots. To resume, it
    restores them, skips what comes before the loop, and enters the loop at the
    position of the checkpoint.

    Loops in a `with Tape` have no such heads (W0417). A program without any head
    is an error (E0415, E0416, E0418).

    Precondition: stage `chi`. Postcondition: stage `chi`.
  }];
  let options = [
    Option<"identity", "identity", "std::string", "\"\"",
           "Names the text of the program and the options of its meaning">];
  let dependentDialects = ["::chi::ir::ChiDialect", "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect"];
}
#endif // CHI_TRANSFORMS_CHECKPOINTS_PASSES_TD

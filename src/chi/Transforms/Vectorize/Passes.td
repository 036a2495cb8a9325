//===- Passes.td - Neighbouring iterations as vectors ------*- tablegen -*-===//
#ifndef CHI_TRANSFORMS_VECTORIZE_PASSES_TD
#define CHI_TRANSFORMS_VECTORIZE_PASSES_TD
include "mlir/Pass/PassBase.td"

def SpeculateLoadsPass : Pass<"chi-speculate-loads", "::mlir::ModuleOp"> {
  let summary = "Load always where most rows do";
  let description = [{
    An `scf.if` in a task whose condition compares an index variable other than
    the innermost with a constant, and whose usual side is a few loads and pure
    operations, becomes these operations and a `select`. Indices are bounded to
    the field where only the guard kept them inside.

    So does an `scf.if` whose sides are a few cheap operations and loads of
    elements that lie, on each axis, among those that the iteration has loaded
    before it. Those need no bounds. Nor do loads of elements that are proved
    to lie in their field whatever the condition is: where the condition hangs
    on data, and the indices on loop variables and captured values only. Sides
    with loads have 4 of them and 12 operations at most.

    So does one without loads, whose sides are a few operations that an
    untaken side need not compute before stage `grad` (see
    docs/design/0020-stage-grad.md).

    Precondition: `optimised`: guards say less afterwards. Postcondition: the same,
    simplified where it changed.
  }];
  let options = [
    ListOption<"without", "without", "std::string",
               "Parts to leave out: speculated-loads, flat-branches">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def LanesPass : Pass<"chi-lanes", "::mlir::ModuleOp"> {
  let summary = "Widen tasks whose iterations LLVM's vectoriser leaves";
  let description = [{
    Gives a task a second body (`wide`) that does several neighbouring
    iterations of the innermost axis at once: values that differ between them
    become vectors, control that differs becomes masks. Taken for tasks with
    loops that iterations leave at different iterations, or that only some
    iterations enter, which LLVM's vectoriser leaves as they are; and for sums
    over windows and products, of which several registers of lanes and several
    rows of an outer axis (`rows`) share the loads. Not where the task says
    `lanes = 1`.

    Precondition: `optimised`, elementary functions expanded. Postcondition: the same;
    wide bodies hold vectors.
  }];
  let options = [
    ListOption<"without", "without", "std::string",
               "Parts to leave out: blocks, row-blocks, element-rows">];
  let dependentDialects = ["::chi::ir::ChiDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // CHI_TRANSFORMS_VECTORIZE_PASSES_TD

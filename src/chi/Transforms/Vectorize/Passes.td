//===- Passes.td - Neighbouring iterations as vectors ------*- tablegen -*-===//
#ifndef CHI_TRANSFORMS_VECTORIZE_PASSES_TD
#define CHI_TRANSFORMS_VECTORIZE_PASSES_TD
include "mlir/Pass/PassBase.td"

def SpeculateLoadsPass : Pass<"chi-speculate-loads", "::mlir::ModuleOp"> {
  let summary = "Speculate loads, and convert short branches to selects";
  let description = [{
    Converts an `scf.if` in a task to straight-line code and a `select` in three
    cases.

    The condition compares an index variable other than the innermost one with a
    constant, and the side that is usually taken is a few loads and pure
    operations. Indices are clamped to the field if only the guard kept them in
    bounds.

    Both sides are a few cheap operations and loads of elements that lie, on
    each axis, between elements that the iteration has loaded before. These
    loads need no clamping. Neither do loads of elements that are proved to be
    in bounds whatever the condition, where the condition depends on data and
    the indices depend only on loop variables and captured values. Sides with
    loads have at most 4 loads and 12 operations.

    There are no loads, and each side is a few operations that an untaken side
    need not compute before stage `grad` (docs/design/0020-stage-grad.md).

    Precondition: `optimised`, because guards carry less information afterwards.
    Postcondition: the same, simplified where it changed.
  }];
  let options = [
    ListOption<"without", "without", "std::string",
               "Parts to disable: speculated-loads, flat-branches">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def LanesPass : Pass<"chi-lanes", "::mlir::ModuleOp"> {
  let summary = "Vectorise tasks that LLVM's loop vectoriser does not";
  let description = [{
    Adds a second body (`wide`) to a task, which executes several neighbouring
    iterations of the innermost axis at once: varying values become vectors,
    divergent control flow becomes masks. The pass handles two kinds of tasks.
    The first has loops that iterations leave at different times, or that only
    some iterations enter; LLVM's vectoriser does not vectorise these. The
    second computes sums over windows and products, where several vectors of
    lanes and several rows of an outer axis (`rows`) share the loads, or several
    vectors of lanes the windows of a shifted operand. Tasks with `lanes = 1`
    stay as they are.

    Precondition: `optimised`, elementary functions expanded. Postcondition: the
    same; wide bodies hold vectors.
  }];
  let options = [
    ListOption<"without", "without", "std::string",
               "Parts to disable: blocks, row-blocks, element-rows">];
  let dependentDialects = ["::chi::ir::ChiDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // CHI_TRANSFORMS_VECTORIZE_PASSES_TD

//===- Passes.td - Vectors within one iteration ------------*- tablegen -*-===//
#ifndef CHI_TRANSFORMS_SLP_PASSES_TD
#define CHI_TRANSFORMS_SLP_PASSES_TD
include "mlir/Pass/PassBase.td"

def SLPPass : Pass<"chi-slp", "::mlir::ModuleOp"> {
  let summary = "Vectorise accesses to adjacent scalars within one iteration (SLP)";
  let description = [{
    Combines accumulations of an iteration into adjacent scalars, at an address
    that depends on the program's data, into one accumulation of a vector
    (`contiguous`), and computes the accumulated values as vectors. Where sums
    may be reassociated, it does the same for sums over scalars that are loaded
    side by side. Both halves of a particle method consist of such tasks, which
    LLVM's vectorisers hardly improve. A task stays as it is if the vectors save
    less than a fifth of its operations.

    Precondition: `optimised`, with fast-math flags. Postcondition: the same,
    with vectors.
  }];
  let options = [
    ListOption<"without", "without", "std::string",
               "Parts to disable: slp-sums">];
  let dependentDialects = ["::chi::ir::ChiDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

def PackComponentsPass : Pass<"chi-pack-components", "::mlir::ModuleOp"> {
  let summary = "Compute the components of an element as one vector";
  let description = [{
    Converts arithmetic on the three or four components of an element that an
    iteration loads at an index of its own (a particle's position) to arithmetic
    on vectors, as far as the components are computed alike, like a `vec3` in
    the program. The bounds checks of such components become one check, which is
    repeated for each component if it fails. The pass applies to tasks without
    lanes whose indices depend on data, if it saves operations. See
    docs/design/0045-components.md.

    Precondition: the result of `chi-checked-casts`. Postcondition: the same,
    with vectors.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // CHI_TRANSFORMS_SLP_PASSES_TD

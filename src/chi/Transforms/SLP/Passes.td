//===- Passes.td - Vectors within one iteration ------------*- tablegen -*-===//
#ifndef CHI_TRANSFORMS_SLP_PASSES_TD
#define CHI_TRANSFORMS_SLP_PASSES_TD
include "mlir/Pass/PassBase.td"

def RowsPass : Pass<"chi-rows", "::mlir::ModuleOp"> {
  let summary = "Neighbours in memory of one iteration as one vector";
  let description = [{
    Accumulations of an iteration into scalars that lie side by side, at a
    place that hangs on the program's data, become one accumulation of a vector
    (`contiguous`), and what they add is computed as vectors. So do, where sums may
    be reassociated, sums over what was loaded side by side. Such tasks are the
    two halves of a particle method; LLVM's vectorisers make little of them.
    A task stays as it is if the vectors do not save a fifth of its operations.

    Precondition: `optimised`, with fast-math flags. Postcondition: the same, with vectors.
  }];
  let options = [
    ListOption<"without", "without", "std::string",
               "Parts to leave out: row-sums">];
  let dependentDialects = ["::chi::ir::ChiDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

def PackComponentsPass : Pass<"chi-pack-components", "::mlir::ModuleOp"> {
  let summary = "Components of an element computed as one vector";
  let description = [{
    Arithmetic on the components of an element of three or four, which an
    iteration loads at a place of its own (a particle's position), becomes
    arithmetic on vectors, as far as the components are computed alike: what
    `vec3` says in the program. Bounds checks of such components ask once for
    all, and each for itself where one fails. In tasks that go where the
    program's data say, without lanes, if operations are saved.
    See docs/design/0045-components.md.

    Precondition: what `chi-checked-casts` leaves. Postcondition: the same, with vectors.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // CHI_TRANSFORMS_SLP_PASSES_TD

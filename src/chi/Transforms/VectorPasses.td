//===- VectorPasses.td - Passes of the stage lanes ---------*- tablegen -*-===//
#ifndef CHI_TRANSFORMS_VECTORPASSES_TD
#define CHI_TRANSFORMS_VECTORPASSES_TD
include "mlir/Pass/PassBase.td"

def ZeroProductsPass : Pass<"chi-zero-products", "::mlir::ModuleOp"> {
  let summary = "Add products with zero where they cost least";
  let description = [{
    A product with the constant zero is NaN if the other factor is infinite or
    NaN, else zero. It may therefore be added to another part of its sum or
    product: to a constant if there is one, and once for all terms. Results are
    the same except for signs of zeros. The pass applies where floats may lose
    those (`--float=fast`), and if it saves at least a twentieth of the
    operations of a task. See docs/design/0049-zero-products.md.

    Precondition: `optimised`, with fast-math flags. Postcondition: the same.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def IndexCastsPass : Pass<"chi-index-casts", "::mlir::ModuleOp"> {
  let summary = "Mark conversions of small 64-bit indices to floats";
  let description = [{
    Sets `chi.in_range` on each `arith.sitofp` of a task whose i64 operand is
    known to lie within 2^51 of zero. Such a conversion is lowered to a sum of
    f64, which every processor can vectorise. The pass does nothing if the
    device has an instruction for the conversion.

    Precondition: `optimised`. Postcondition: the same.
  }];
  let dependentDialects = ["::chi::ir::ChiDialect"];
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
    lanes and several rows of an outer axis (`rows`) share the loads. Tasks with
    `lanes = 1` stay as they are.

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

def RowsPass : Pass<"chi-rows", "::mlir::ModuleOp"> {
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
               "Parts to disable: row-sums">];
  let dependentDialects = ["::chi::ir::ChiDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

def PackLoadsPass : Pass<"chi-pack-loads", "::mlir::ModuleOp"> {
  let summary = "Mark loads that several rows share through a packed buffer";
  let description = [{
    In a body for several rows that sums over a loop (`s += A[i, k] * B[k, j]`),
    marks with `packed` the loads of lanes that are the same for all rows, and
    sets the number of rows of a `strip` on the task. The loads of a column of
    lane groups are copied, once for each strip, to a buffer that fits into the
    second-level cache. See docs/design/0022-packed-loads.md.

    Precondition: the result of `chi-lanes`. Postcondition: the same with
    attributes.
  }];
  let dependentDialects = ["::chi::ir::ChiDialect"];
}

def NarrowIntegersPass : Pass<"chi-narrow-integers", "::mlir::ModuleOp"> {
  let summary = "Narrow integers to the bits that their comparisons need";
  let description = [{
    Computes sums, products, minima, maxima and selects of extended 8-bit or
    16-bit integers and constants in 8 or 16 bits, if only comparisons and
    truncations use them. This is valid if every value fits, signed or unsigned,
    or if sums of non-negative values are compared with constants below the
    largest number; a saturating sum (`a + min(b, ~a)`) then stands for all
    larger values. The pass applies to the innermost loops of tasks without
    lanes, which LLVM may vectorise. See docs/design/0023-narrow-integers.md.

    Precondition: the result of `chi-lanes`. Postcondition: the same.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def BufferStoresPass : Pass<"chi-buffer-stores", "::mlir::ModuleOp"> {
  let summary = "Choose which stores go through a buffer";
  let description = [{
    Numbers stores (`buffer`) that write a scalar of a field once in each
    iteration, if no other access of the task touches the field, and starts the
    task's `schedule` with their buffers. If the task is memory-bound and its
    fields together exceed the caches, the buffers are written a row at a time
    by non-temporal stores. Rows that repeat (`x[j] = tile[j % 32]`) have a
    `period`. If stores are contiguous along one axis and loads along another,
    the schedule has a `tile`. See docs/design/0010-memory-bound.md.

    Precondition: the result of `chi-lanes`. Postcondition: the same with
    buffers.
  }];
  let dependentDialects = ["::chi::ir::ChiDialect"];
  let options = [
    ListOption<"without", "without", "std::string",
               "Parts to disable: streaming-stores, tiles, row-period">];
}

def CheckedCastsPass : Pass<"chi-checked-casts", "::mlir::ModuleOp"> {
  let summary = "Check the float that an index is converted from";
  let description = [{
    A bounds check of an integer that was converted from a float, against a
    known extent, compares the float instead. The uses that follow the check
    take a conversion that need not saturate (`inrange`). The check moves up to
    the conversion if only arithmetic and loads are between them. Wide bodies
    stay as they are.

    Precondition: the last stage before loops. Postcondition: the same.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
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

#endif // CHI_TRANSFORMS_VECTORPASSES_TD

//===- VectorPasses.td - Passes of the stage lanes ---------*- tablegen -*-===//
#ifndef CHI_TRANSFORMS_VECTORPASSES_TD
#define CHI_TRANSFORMS_VECTORPASSES_TD
include "mlir/Pass/PassBase.td"

def ZeroProductsPass : Pass<"chi-zero-products", "::mlir::ModuleOp"> {
  let summary = "Add products with zero where they cost least";
  let description = [{
    A product with the constant zero is NaN where the other factor is infinite
    or NaN, else zero: it may be added to another part of the sum or product that it
    is in, to a constant if there is one, and once for all terms. Results are
    the same but for signs of zeros. Where floats may lose those
    (`--float=fast`), and only if a twentieth of a task's operations is saved.
    See docs/design/0049-zero-products.md.

    Precondition: `optimised`, with fast-math flags. Postcondition: the same.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def IndexCastsPass : Pass<"chi-index-casts", "::mlir::ModuleOp"> {
  let summary = "Mark floats of indices of 64 bits that are small";
  let description = [{
    An `arith.sitofp` of a task from an i64 that is known to lie within 2^51 of
    zero gets `chi.in_range`; it is then computed by a sum of f64, of which
    every processor has a vector form. Not where the device casts them itself.

    Precondition: `optimised`. Postcondition: the same.
  }];
  let dependentDialects = ["::chi::ir::ChiDialect"];
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

def PackLoadsPass : Pass<"chi-pack-loads", "::mlir::ModuleOp"> {
  let summary = "Say which loads several rows share from a packed buffer";
  let description = [{
    In a body for several rows that sums over a loop (`s += A[i, k] * B[k, j]`),
    what is loaded for the lanes and is the same for all rows gets `packed`, and
    the task the number of rows of a `strip`: the loads of a column of groups
    are copied to a buffer that stays in the second cache, once for a strip.
    See docs/design/0022-packed-loads.md.

    Precondition: what `chi-lanes` leaves. Postcondition: the same with attributes.
  }];
  let dependentDialects = ["::chi::ir::ChiDialect"];
}

def NarrowIntegersPass : Pass<"chi-narrow-integers", "::mlir::ModuleOp"> {
  let summary = "Compute integers in the bits that comparisons need of them";
  let description = [{
    Sums, products, minima, maxima and choices between extended integers of 8 or
    16 bits and constants, which only comparisons and truncations use, are
    computed in 8 or 16 bits: where every value fits, signed or unsigned, or
    where sums of what is not negative are compared with constants below the
    largest number, which then stands for all larger ones (`a + min(b, ~a)`).
    In the innermost loops of tasks without lanes, which LLVM may widen.
    See docs/design/0023-narrow-integers.md.

    Precondition: what `chi-lanes` leaves. Postcondition: the same.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def BufferStoresPass : Pass<"chi-buffer-stores", "::mlir::ModuleOp"> {
  let summary = "Say which stores gather in a buffer before they go to memory";
  let description = [{
    Numbers stores (`buffer`) that write a scalar of a field once in each
    iteration, where no other access of the task touches the field, and begins
    the task's `schedule` with their buffers. In a task
    that waits for memory and whose fields exceed the caches together they are
    written a row at a time, past the caches; rows that repeat
    (`x[j] = tile[j % 32]`) have a `period`. Where stores walk along memory by
    one axis and loads by another, there is a `tile`.
    See docs/design/0010-memory-bound.md.

    Precondition: what `chi-lanes` leaves. Postcondition: the same with buffers.
  }];
  let dependentDialects = ["::chi::ir::ChiDialect"];
  let options = [
    ListOption<"without", "without", "std::string",
               "Parts to leave out: streaming-stores, tiles, row-period">];
}

def CheckedCastsPass : Pass<"chi-checked-casts", "::mlir::ModuleOp"> {
  let summary = "Check the float from which an index comes";
  let description = [{
    A bounds check of a cast from a float, against a known extent, compares the
    float; the uses behind the check take a cast that need not saturate
    (`inrange`). The check moves up to the cast where nothing but
    arithmetic and loads stand between them. Bodies of lanes stay as they are.

    Precondition: the last stage before loops. Postcondition: the same.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
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

#endif // CHI_TRANSFORMS_VECTORPASSES_TD

//===- Passes.td - Values of one iteration -----------------*- tablegen -*-===//
#ifndef CHI_TRANSFORMS_SCALAR_PASSES_TD
#define CHI_TRANSFORMS_SCALAR_PASSES_TD
include "mlir/Pass/PassBase.td"

def ExactFloatsPass : Pass<"chi-exact-floats", "::mlir::ModuleOp"> {
  let summary = "Compute with integers what floats say of them exactly";
  let description = [{
    In a task, a float that is an integer plus a constant is followed through
    sums, `floor` and `ceil` while it is exact; a conversion back becomes the
    integer (plus a constant), a difference of two from one integer a constant.
    No result changes, in either mode of floats.

    Precondition: tasks with their launches. Postcondition: the same; `floor((i + 0.5) -
    0.5)`, converted, is `i`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ExpandUpdatesPass : Pass<"chi-expand-updates", "::mlir::ModuleOp"> {
  let summary = "Make updates of one's own elements loads and stores";
  let description = [{
    `chi.accum mul`, `min`, `max`, `and`, `or` and `xor` of an element that no
    other iteration touches becomes a load, the operation and a store; so does
    a sum that the iteration loads again. Other sums stay: what they add to is
    not needed for their derivatives.

    Precondition: tasks with their launches, accesses checked. Postcondition: the same;
    a `chi.accum` other than `add` that is left may meet others.
  }];
  let options = [
    Option<"onlyRecorded", "only-recorded", "bool", "false",
           "Only in tasks that a tape may record: what else they do is as the "
           "source has it, but there would be no derivatives">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ForwardElementsPass : Pass<"chi-forward-elements", "::mlir::ModuleOp"> {
  let summary = "Load an element once, and not what was just stored";
  let description = [{
    A load of an element that the iteration has loaded or stored before is
    replaced by that value, if nothing in between may have changed the element:
    a write to it, also by another argument of a type that allows it to be the
    same field, or an atomic operation, behind which other iterations are seen.
    What is known before a branch or a loop is known in it, and behind it, as
    far as it writes nothing of it. Stores stay: a check that fails later ends
    the iteration, and what it has stored by then counts.

    Precondition: tasks with structured control. Postcondition: the same with fewer
    loads.
  }];
}

def ElideCopiesPass : Pass<"chi-elide-copies", "::mlir::ModuleOp"> {
  let summary = "Make local arrays where they stay, and zero them once";
  let description = [{
    A local array that is filled, copied to another one and not looked at again
    becomes that other one, if nobody uses that in between. Zeros that are set
    in an array before anything else go: a `chi.local` of an array is zeroed.

    Precondition: tasks with structured control. Postcondition: the same with fewer
    arrays.
  }];
}

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

#endif // CHI_TRANSFORMS_SCALAR_PASSES_TD

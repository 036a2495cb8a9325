//===- Passes.td - Values of one iteration -----------------*- tablegen -*-===//
#ifndef CHI_TRANSFORMS_SCALAR_PASSES_TD
#define CHI_TRANSFORMS_SCALAR_PASSES_TD
include "mlir/Pass/PassBase.td"

def ExactFloatsPass : Pass<"chi-exact-floats", "::mlir::ModuleOp"> {
  let summary = "Replace float arithmetic on integers by integer arithmetic where it is exact";
  let description = [{
    Tracks floats in a task that equal an integer plus a constant through sums,
    `floor` and `ceil`, as long as they are exact. A conversion to an integer
    becomes the integer plus a constant; the difference of two such floats of
    the same integer becomes a constant. Results do not change, in either float
    mode.

    Precondition: tasks with their launches. Postcondition: the same; `floor((i
    + 0.5) - 0.5)`, converted, is `i`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ExpandUpdatesPass : Pass<"chi-expand-updates", "::mlir::ModuleOp"> {
  let summary = "Expand accumulations into unshared elements to loads and stores";
  let description = [{
    Replaces `chi.accum mul`, `min`, `max`, `and`, `or` and `xor` of an element
    that no other iteration accesses by a load, the operation and a store;
    likewise a sum that the iteration loads again. Other sums stay, because
    their derivatives do not need the value that they add to.

    Precondition: tasks with their launches, accesses checked. Postcondition:
    the same; a remaining `chi.accum` other than `add` may conflict with other
    accesses.
  }];
  let options = [
    Option<"onlyRecorded", "only-recorded", "bool", "false",
           "Expand only tasks that a tape may record, which have no derivatives "
           "otherwise">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ForwardElementsPass : Pass<"chi-forward-elements", "::mlir::ModuleOp"> {
  let summary = "Forward loaded and stored elements to later loads";
  let description = [{
    Replaces a load of an element that the iteration has already loaded or
    stored by that value, if no operation in between can change the element.
    Operations that can are a write to it, also through another argument that
    may be the same field, and an atomic operation, after which writes of other
    iterations are visible. Values known before a branch or a loop are also
    known inside it, and after it unless it writes the element. Stores stay,
    because the stores that precede a failing check take effect.

    Precondition: tasks with structured control. Postcondition: the same with
    fewer loads.
  }];
}

def ElideCopiesPass : Pass<"chi-elide-copies", "::mlir::ModuleOp"> {
  let summary = "Elide copies of local arrays, and redundant zeros";
  let description = [{
    If a local array is filled, copied to another array and not used again, it
    is replaced by the other array, provided that the other array is not used in
    between. Removes stores of zeros that come before all other uses of an
    array, because a `chi.local` of an array is zero-initialised.

    Precondition: tasks with structured control. Postcondition: the same with
    fewer arrays.
  }];
}

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

#endif // CHI_TRANSFORMS_SCALAR_PASSES_TD

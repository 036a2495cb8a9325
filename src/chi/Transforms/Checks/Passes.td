//===- Passes.td - Checks of a running program -------------*- tablegen -*-===//
#ifndef CHI_TRANSFORMS_CHECKS_PASSES_TD
#define CHI_TRANSFORMS_CHECKS_PASSES_TD
include "mlir/Pass/PassBase.td"

def InsertChecksPass : Pass<"chi-insert-checks", "::mlir::ModuleOp"> {
  let summary = "Insert bounds checks before field accesses";
  let description = [{
    Inserts a `chi.check bounds` for each axis before each access that is not
    `inbounds` (values: index, extent; `what` is the access's `field_name`), and
    one for a run-time component, whose axis is the rank of the field. As an
    unsigned number a negative index exceeds every extent, so that one
    comparison suffices. No check is inserted if an earlier check of the same
    index and extent dominates it. Indices of fewer than 32 bits count as
    signed.

    Precondition: structured control (`chi-outline-tasks` has run).
    Postcondition: every access is `inbounds`.
  }];
  let options = [
    Option<"unchecked", "unchecked", "bool", "false",
           "Mark the accesses without inserting checks">,
    ListOption<"without", "without", "std::string",
               "Parts to disable: removed-checks">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def RemoveChecksPass : Pass<"chi-remove-checks", "::mlir::ModuleOp"> {
  let summary = "Remove, merge and hoist checks, and set overflow flags";
  let description = [{
    Erases each check whose condition `Ranges` proves. Merges bounds checks in
    one block on `b + c0`, `b + c1`, …, for constants c, that have the same
    extent and source location (unrolled loops). Hoists a check out of an
    `scf.for` if it is loop-invariant, or if its index is the sum of the loop
    variable and loop-invariant values; in the second case the hoisted check
    tests the first and the last index. No check moves across a print, a call,
    an assertion or a check that is not of bounds. Integer sums, differences and
    products that are proved not to wrap are marked `overflow<nsw>`.

    Precondition: `grad`. Postcondition: the same behaviour, except for which of
    several failing bounds checks of an iteration is reported.
  }];
  let options = [
    ListOption<"without", "without", "std::string",
               "Parts to disable: removed-checks, merged-checks, hoisted-checks, "
               "overflow-flags">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def FindRacesPass : Pass<"chi-find-races", "::mlir::ModuleOp"> {
  let summary = "Reject tasks that are proved to race";
  let description = [{
    Evaluates a sample of neighbouring iterations of each task exactly. Reports
    two iterations that access the same element if one stores and the values may
    differ, or if one updates it and the other reads it or updates it by another
    operation. Whatever the sample leaves undecided is not reported. Distinct
    fields of a task are taken to be distinct storage.

    Precondition: `simplified` tasks with their launches. Postcondition: the
    module is unchanged; the pass fails after it has reported `[E0410]` errors.
  }];
}

def InstrumentNanPass : Pass<"chi-instrument-nan", "::mlir::ModuleOp"> {
  let summary = "Instrument float operations that yield NaN or infinity (--check=nan)";
  let description = [{
    IRGen inserts a `chi.check nan` after each operation of the source, with its
    operands, its result and a condition that tests the result for finiteness.
    This pass sets the final condition of each: a NaN is an error if no operand
    was NaN, an infinity if all operands were finite. Sums and products into
    elements become updates that return the old value: atomic updates in
    parallel tasks, else a load and a store. Scalars into which all iterations
    of a task accumulate, in the order that the language defines, are checked
    after each launch by a task of rank 0 (`@k.t0.nan0`).

    Precondition: `grad`, of a module compiled for this check. Postcondition:
    the same.
  }];
  let options = [
    Option<"allOperations", "all-operations", "bool", "false",
           "Check all float operations of the tasks, also those that are not in "
           "the source">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect"];
}

def InstrumentRacesPass : Pass<"chi-instrument-races", "::mlir::ModuleOp"> {
  let summary = "Instrument accesses that may race (--check=races)";
  let description = [{
    Marks each access of a parallel task that is not proved disjoint from those
    of all other iterations, where at least one of the two writes. Two fields
    that may be the same argument of a call count as one. The access gets
    `race_kind = K : i32`, its kind for the run time: 0 a load, 1 a store, 2 a
    store of a value that all iterations share, 3 + k an update of kind k
    (AccumKind; an atomic `sub` counts as `add`). The lowering of the access
    calls `chirt_race_access` before it. Kernels with such tasks always use the
    recorded form, so that `chirt_launch` sees the begin and the end of each
    launch.

    Precondition: `simplified` tasks with their launches. Postcondition:
    `simplified`.
  }];
}

def NoteKinksPass : Pass<"chi-note-kinks", "::mlir::ModuleOp"> {
  let summary = "Report to gradcheck which operations are evaluated at kinks";
  let description = [{
    Inserts a `chi.note_kink` after each operation of a recorded task that is
    not differentiable everywhere (`min`, `max`, `abs`, roots, `floor`, `ceil`,
    `trunc`, `round`, `%`, `**`, comparisons of floats). It executes if the
    operands are at such a point.

    Precondition: `chi-differentiate` has run. Postcondition: `simplified`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect"];
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

#endif // CHI_TRANSFORMS_CHECKS_PASSES_TD

//===- Passes.td - Checks of a running program -------------*- tablegen -*-===//
#ifndef CHI_TRANSFORMS_CHECKS_PASSES_TD
#define CHI_TRANSFORMS_CHECKS_PASSES_TD
include "mlir/Pass/PassBase.td"

def InsertChecksPass : Pass<"chi-insert-checks", "::mlir::ModuleOp"> {
  let summary = "Check the indices of every access";
  let description = [{
    Before each access that is not `inbounds` one `chi.check bounds` for each
    axis (values: index, extent; `what` is the access's `field_name`), and one
    for a run-time component, whose axis is the rank of the field. A negative
    index is above every extent as an unsigned number, so that one comparison
    does. A check that an earlier one of the same index and extent dominates is
    not made. Indices of less than 32 bits count as signed.

    Precondition: structured control (`chi-outline-tasks` has run). Postcondition: every
    access `inbounds`.
  }];
  let options = [
    Option<"unchecked", "unchecked", "bool", "false",
           "Only mark the accesses: the program is trusted">,
    ListOption<"without", "without", "std::string",
               "Parts to leave out: removed-checks">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def RemoveChecksPass : Pass<"chi-remove-checks", "::mlir::ModuleOp"> {
  let summary = "Drop proved checks, merge and hoist others, mark no overflow";
  let description = [{
    Erases each check whose condition `Ranges` proves. Of the bounds checks of
    `b + c0`, `b + c1` … in one block, for constants c, one extent and one place
    in the source (unrolled loops), one is left. A check in an `scf.for` whose index is a sum of the loop's variable
    and values from outside becomes one before the loop, of the first and the
    last index; so does one that does not change in the loop. No check moves
    over a print, a call, an assertion or another check that is not of bounds.
    Integer sums, differences and products that are proved not to wrap are
    marked `overflow<nsw>`.

    Precondition: `grad`. Postcondition: the same behaviour, but for
    which of several failing bounds checks of an iteration is reported.
  }];
  let options = [
    ListOption<"without", "without", "std::string",
               "Parts to leave out: removed-checks, merged-checks, hoisted-checks, "
               "overflow-flags">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def FindRacesPass : Pass<"chi-find-races", "::mlir::ModuleOp"> {
  let summary = "Refuse tasks that are proved to race";
  let description = [{
    Follows a sample of neighbouring iterations of each task, exactly, and
    reports two of them that touch one element, where one stores and the values
    may differ, or one updates and the other reads or updates in another way.
    What is not decided for the sample is no race. Distinct fields of a task
    are distinct storage.

    Precondition: `simplified` tasks with their launches. Postcondition: the module as it
    was; fails after having reported `[E0410]` errors.
  }];
}

def InstrumentNanPass : Pass<"chi-instrument-nan", "::mlir::ModuleOp"> {
  let summary = "Check for floats that become NaN or infinite (--check=nan)";
  let description = [{
    IRGen puts a `chi.check nan` behind each operation of the source, with its
    operands, its result and a condition that asks for a finite result. Each
    gets the rule as its condition: a NaN is an error if no operand was one, an
    infinity if all operands were finite. Sums and products into elements
    become updates that tell what was there: atomic ones in parallel tasks, else
    a load and a store. Scalars into which all iterations of a task accumulate,
    whose order is part of the language, are looked at behind each launch, by
    a task of rank 0 (`@k.t0.nan0`).

    Precondition: `grad`, of a module made for it. Postcondition: the same.
  }];
  let options = [
    Option<"allOperations", "all-operations", "bool", "false",
           "Look at all operations of floats of the tasks, whether the source "
           "names them or not">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect"];
}

def InstrumentRacesPass : Pass<"chi-instrument-races", "::mlir::ModuleOp"> {
  let summary = "Mark the accesses that could race, for --check=races";
  let description = [{
    Of each parallel task, an access that is not proved to be apart from those
    of all other iterations (one of the two writes; two fields whose types allow
    it count as one, which a call may pass twice) gets `race_kind = K : i32`,
    the kind of access for the run time: 0 a load, 1 a store, 2 a store of a
    value that all iterations share, 3 + k an update of kind k (AccumKind; an
    atomic `sub` counts as `add`). What lowers the access calls
    `chirt_race_access` before it; kernels with such tasks are always recorded,
    so that `chirt_launch` knows when a launch begins and ends.

    Precondition: `simplified` tasks with their launches. Postcondition: `simplified`.
  }];
}

def NoteKinksPass : Pass<"chi-note-kinks", "::mlir::ModuleOp"> {
  let summary = "Tell where a tape lies on ties and kinks, for gradcheck";
  let description = [{
    Of each task that a tape may record, an operation that has no derivative
    somewhere (`min`, `max`, `abs`, roots, `floor` and its like, `%`, a comparison
    of floats) gets a `chi.note_kink` behind it, under the condition that its
    operands lie there.

    Precondition: `chi-differentiate` has run. Postcondition: `simplified`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect"];
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

#endif // CHI_TRANSFORMS_CHECKS_PASSES_TD

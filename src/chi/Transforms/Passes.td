//===- Passes.td - Passes from chi to chi ------------------*- tablegen -*-===//
#ifndef CHI_TRANSFORMS_PASSES_TD
#define CHI_TRANSFORMS_PASSES_TD
include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Structural passes, in their order
//===----------------------------------------------------------------------===//

def StructurePass : Pass<"chi-structure", "::mlir::ModuleOp"> {
  let summary = "Convert control flow with early exits to scf";
  let description = [{
    Converts `chi.if`, `chi.for` and `chi.while` to `scf.if`, `scf.for` and
    `scf.while`. An early exit (`chi.break`, `chi.continue`, or `chi.return` in
    a nested region) sets a flag in a slot, and the operations that follow it
    are guarded by that flag. Flags are created only where there are exits: a
    loop without exits becomes a plain `scf.for`, a loop with `break` an
    `scf.while`.

    Precondition: stage `chi`. Postcondition: no `chi.if`, `chi.for`,
    `chi.while`, `chi.break`, `chi.continue`; `chi.next` ends the bodies of
    `chi.parallel`, `chi.return` those of kernels, `func.return` those of
    functions.
  }];
  let dependentDialects = ["::chi::ir::ChiDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def InlinePass : Pass<"chi-inline", "::mlir::ModuleOp"> {
  let summary = "Inline all calls in kernels";
  let description = [{
    Inlines all calls in kernels, callees first. Locations become call-site
    locations. A private function without callers is erased.

    Precondition: `chi-structure` has run. Postcondition: no `func.call` in a
    kernel.
  }];
}

def PromotePass : Pass<"chi-promote", "::mlir::ModuleOp"> {
  let summary = "Promote scalar slots to SSA values";
  let description = [{
    Replaces scalar slots by SSA values, which `scf.if`, `scf.for` and
    `scf.while` carry and parallel loops capture if they read them. Small local
    arrays whose indices are all constant are first split into slots. A read
    before any write yields zero.

    Precondition: `chi-structure` has run. Postcondition: no `!chi.local` of a
    scalar except one that a parallel loop writes.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SimplifyKernelsPass : Pass<"chi-simplify-kernels", "::mlir::ModuleOp"> {
  let summary = "Canonicalise kernels and their callees, and share expressions (CSE)";
  let description = [{
    Runs MLIR's canonicalizer and CSE on kernels, tasks, control code and their
    callees. The pipeline uses it after passes that do not change host
    functions, so that a script of thousands of statements is not processed
    again.

    Precondition: any stage. Postcondition: the same stage.
  }];
}

def OutlineTasksPass : Pass<"chi-outline-tasks", "::mlir::ModuleOp"> {
  let summary = "Split kernels into control functions and tasks";
  let description = [{
    Converts a `chi.kernel` to a `func.func` with `chi.control`. Each of its
    parallel loops becomes a `chi.task` (`@k.t0`, `@k.t1`, …), which the control
    function launches. Code between the loops becomes a task of rank 0 if it
    accesses fields, prints, checks or draws random numbers, or if it computes
    with floats; in the last case the task is `strict`. Values pass from one
    task to another through cells, and so do floats that loops and conditions of
    control code carry: tasks load them; control code loads a float only to
    compare or to return it. Constants are rematerialised in the task. Globals
    are read once, at the entry of the kernel.

    Precondition: `chi-promote` has run. Postcondition: no `chi.kernel`,
    `chi.parallel`, `chi.call`, `chi.return`; control functions compare floats
    but do not compute with them.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect"];
}

def LaunchFactsPass : Pass<"chi-launch-facts", "::mlir::ModuleOp"> {
  let summary = "Record on each task what holds at all of its launches";
  let description = [{
    Sets the `facts` of each task that is launched in the module: bounds of the
    domain and captured integers as ranges and as sums of other captured values
    and extents; which captured fields are cells; and which come from variables
    that share their field with no other variable. Analyses query the task
    instead of its launches, so that a task whose launches are in another module
    can be analysed as well. The pass runs a second time after control code was
    simplified and `noalias` is known. A fact is kept if the launches yield
    none.

    Precondition: `chi-outline-tasks` has run. Postcondition: each launched task
    has `facts`.
  }];
}

def NumberRandomPass : Pass<"chi-number-random", "::mlir::ModuleOp"> {
  let summary = "Number the random draws of kernels";
  let description = [{
    Adds to each `chi.random` of a kernel the operands that make it pure: the
    number of its loop in the kernel, the ordinal of the kernel's call
    (`chi.ordinal`, at the entry of each kernel that draws), the launch index of
    the loop in this call, the iteration (`chi.iteration`), and the number of
    draws that the iteration made before. Draws between the loops have the loop
    number -1 and a separate counter. The numbers follow the source: the pass
    runs before any operation is removed or folded, and no option changes them.

    Precondition: `chi-inline` has run. Postcondition: each `chi.random` in a
    kernel is pure.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

//===----------------------------------------------------------------------===//
// Optimising passes, in their order
//===----------------------------------------------------------------------===//

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

def DropStopGradientsPass : Pass<"chi-drop-stop-gradients", "::mlir::ModuleOp"> {
  let summary = "Replace chi.stop_gradient by its operand";
  let description = [{
    Removes `chi.stop_gradient` and the attribute `chi.old_wins`, which have no
    use after differentiation.

    Precondition: `grad`. Postcondition: no `chi.stop_gradient`, no
    `chi.old_wins`.
  }];
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

def OrderSumsPass : Pass<"chi-order-sums", "::mlir::ModuleOp"> {
  let summary = "Mark the accumulations whose order the language defines";
  let description = [{
    Where a parallel task only accumulates into a field of rank 0, by one
    operation, these accumulations get `strategy(tree)`: a deterministic
    reduction by a tree of fixed shape, for every backend and the interpreter.
    All other strategies are performance choices and are made after stage
    `grad`.

    Precondition: tasks with their launches. Postcondition: the same.
  }];
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
    not differentiable everywhere (`min`, `max`, `abs`, roots, `floor` and the
    like, `%`, comparisons of floats). It executes if the operands are at such a
    point.

    Precondition: `chi-differentiate` has run. Postcondition: `simplified`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect"];
}

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

def InterchangePass : Pass<"chi-interchange", "::mlir::ModuleOp"> {
  let summary = "Interchange the loops of adjoint tasks over pairs";
  let description = [{
    An adjoint task over pairs (`x̄[i] += f(i, j); x̄[j] += g(i, j)`) becomes a
    task over `i` with a loop over `j`: loop interchange (K. Kennedy and J. R.
    Allen, "Optimizing Compilers for Modern Architectures", 2002, ch. 5). If
    both axes have the same bounds, the contributions to elements that `j`
    selects are computed with the two variables exchanged. Each iteration then
    owns its elements and sums in a value. Common subexpressions of the two
    halves are computed once, where `b - a` counts as minus `a - b`. Factors
    that are invariant in the loop are moved out of the sums. `chi.domain_axes`
    lists the remaining axes of the domain.

    If the launch of the primal task is the last action of its kernel, and a
    tape ends directly after a call of that kernel, the pass also creates a
    fused task that computes primal and adjoint (`chi.both`, on the primal). The
    launch is marked `chi.last`, and `chirt_tape_last` precedes the call.

    The pass leaves the task unchanged if it does more than load and add, if it
    is `strict`, or if the two halves have too little in common.

    Precondition: `grad`, proved checks removed. Postcondition: the same.
  }];
  let options = [
    ListOption<"without", "without", "std::string",
               "Parts to disable: joined-adjoints">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def GatherSumsPass : Pass<"chi-gather-sums", "::mlir::ModuleOp"> {
  let summary = "Rewrite scatters in adjoint loops as gathers";
  let description = [{
    Splits an adjoint task whose loops add to elements that other iterations
    share (`for u: k̄[b, u] += ȳ[b, t] * w[t - u]`, the adjoint of a
    convolution). Each group of such additions becomes a task over the elements,
    with loops over all contributions to one element; the original task, without
    these additions, is the last task of the chain. The iterations are rewritten
    as linear inequalities (loop interchange with exact bounds, as in
    `chi-interchange`), so that each is executed exactly once. `chi.domain_axes`
    maps the axes of such a task to axes of the domain, or is -1 where the facts
    of the task give the axis.

    The pass leaves the task unchanged if indices or bounds are not linear, if
    the task has checks, writes fields of the primal or is `strict`, or if too
    few elements remain.

    Precondition: `grad`, proved checks removed. Postcondition: the same.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def ChooseStrategiesPass : Pass<"chi-choose-strategies", "::mlir::ModuleOp"> {
  let summary = "Choose a strategy for each accumulation";
  let description = [{
    Sets `plain` if no other iteration accesses the element, `tree` for fields
    of rank 0 (as `chi-order-sums` does), `privatized` for other fields that the
    task only accumulates into, by one operation, and else `atomic`.

    Precondition: `grad`. Postcondition: each `chi.accum` has a `strategy`.
  }];
  let options = [
    ListOption<"without", "without", "std::string",
               "Parts to disable: plain-updates, privatization">];
}

def NoaliasFieldsPass : Pass<"chi-noalias-fields", "::mlir::ModuleOp"> {
  let summary = "Find variables that share their field with no other variable";
  let description = [{
    Sets `noalias` on a global that is only assigned newly created fields, or
    fields of other such globals in an exchange (`a, b = b, a`). No two of these
    globals hold the same field, so that tasks on them need no code for overlap.
    The pass needs the whole program; kernels, which are compiled separately,
    keep the attribute.

    Precondition: host functions with their stores to globals. Postcondition:
    the same.
  }];
}

def EstimateCostPass : Pass<"chi-estimate-cost", "::mlir::ModuleOp"> {
  let summary = "Estimate the time of one iteration of each task";
  let description = [{
    Sets `cost`, in 1/16 ns, from counts of operations, math functions and
    accesses. A loop counts with its trip count if that is known, else 8 times.

    Precondition: tasks (`chi-outline-tasks` has run). Postcondition: each task
    has `cost`, from which the run time computes its grain.
  }];
}

def TaskEffectsPass : Pass<"chi-task-effects", "::mlir::ModuleOp"> {
  let summary = "Record how each task accesses its captured fields";
  let description = [{
    Sets `effects`: the arguments that a task reads (updates count as reads),
    those that it writes, and those that it overwrites, which means that every
    launch stores each scalar of the field by a plain store and reads none. Code
    that moves fields between memories, or saves them for derivatives, uses this
    attribute and not the body.

    Precondition: `simplified` tasks with their launches. Postcondition: each
    task has `effects`.
  }];
}

def TaskBoxesPass : Pass<"chi-task-boxes", "::mlir::ModuleOp"> {
  let summary = "Record the index ranges of the accesses of recorded tasks";
  let description = [{
    Sets `chi.boxes` on tasks that have an adjoint, and on their adjoints. For
    each access and axis it holds the least and the greatest index as sums of
    domain bounds, captured integers and extents, encoded as words
    (`chirt_task::boxes`). A tape evaluates them at each launch, and saves only
    the needed elements of a field that is written.

    Precondition: `grad`. Postcondition: `grad`.
  }];
}

def AttachDevicePass : Pass<"chi-attach-device", "::mlir::ModuleOp"> {
  let summary = "Attach the description of the target processor";
  let description = [{
    Sets `chi.device` of the module. Later passes take all facts on the
    processor from it: registers, masks, caches.

    Precondition: any module. Postcondition: a module with `chi.device`.
  }];
  let dependentDialects = ["::chi::ir::ChiDialect"];
  let options = [
    Option<"vectorBytes", "vector-bytes", "int64_t", /*default=*/"64",
           "Size of the vector registers; 0: no vectorisation">,
    Option<"vectorRegisters", "vector-registers", "int64_t", /*default=*/"32",
           "Number of vector registers">,
    Option<"hasMasks", "has-masks", "bool", /*default=*/"true",
           "Instructions take masks at no extra cost">,
    Option<"castsLongs", "casts-longs", "bool", /*default=*/"true",
           "One instruction converts vectors of i64 to floats">,
    Option<"l1Bytes", "l1-bytes", "int64_t", /*default=*/"32 << 10",
           "Size of the first-level data cache">,
    Option<"l2Bytes", "l2-bytes", "int64_t", /*default=*/"512 << 10",
           "Size of the second-level cache">,
    Option<"cacheBytes", "cache-bytes", "int64_t", /*default=*/"32 << 20",
           "Size of the last-level cache">,
    Option<"lineBytes", "line-bytes", "int64_t", /*default=*/"64",
           "Size of a cache line">];
}

include "chi/Transforms/VectorPasses.td"

def SchedulePass : Pass<"chi-schedule", "::mlir::ModuleOp"> {
  let summary = "Decide how the iterations of each task are executed";
  let description = [{
    Sets the `schedule` of every task and keeps buffers that are already there.
    It decides chunks of a launch, tiles, loop peeling, deterministic
    reductions, private copies for threads, which fields may overlap, and how
    the last lane group of a row is executed. `convert-chi-to-loops` implements
    the schedule and decides nothing. See
    docs/design/0017-facts-and-schedules.md.

    Precondition: the last pass before loops. Postcondition: each task has
    `schedule`.
  }];
  let dependentDialects = ["::chi::ir::ChiDialect"];
  let options = [
    ListOption<"without", "without", "std::string",
               "Parts to disable: tiles, loop-peeling, last-group, "
               "buffered-sums, grouped-sums, whole-rows, noalias">];
}

#endif // CHI_TRANSFORMS_PASSES_TD

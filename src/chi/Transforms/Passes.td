//===- Passes.td - Passes from chi to chi ------------------*- tablegen -*-===//
#ifndef CHI_TRANSFORMS_PASSES_TD
#define CHI_TRANSFORMS_PASSES_TD
include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Structural passes, in their order
//===----------------------------------------------------------------------===//

def StructurePass : Pass<"chi-structure", "::mlir::ModuleOp"> {
  let summary = "Turn control with exits into scf with single exits";
  let description = [{
    `chi.if`, `chi.for` and `chi.while` become `scf.if`, `scf.for` and
    `scf.while`. An exit (`chi.break`, `chi.continue`, `chi.return` inside
    nested regions) becomes a flag in a slot, and what follows it is guarded.
    Flags are made only where exits are: a loop without exits is a plain
    `scf.for`, one with `break` an `scf.while`.

    Precondition: stage `chi`. Postcondition: no `chi.if`, `chi.for`, `chi.while`,
    `chi.break`, `chi.continue`; `chi.next` ends the bodies of `chi.parallel`,
    `chi.return` those of kernels, `func.return` those of functions.
  }];
  let dependentDialects = ["::chi::ir::ChiDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def InlinePass : Pass<"chi-inline", "::mlir::ModuleOp"> {
  let summary = "Inline what kernels call";
  let description = [{
    All calls in kernels are inlined, callees first. Locations become call
    sites. A function that nothing calls any more is erased if it is private.

    Precondition: `chi-structure` has run. Postcondition: no `func.call` in a kernel.
  }];
}

def PromotePass : Pass<"chi-promote", "::mlir::ModuleOp"> {
  let summary = "Turn scalar slots into SSA values";
  let description = [{
    Slots become values carried by `scf.if`, `scf.for` and `scf.while`, and
    captured by parallel loops that read them. Small local arrays whose indices
    are all constant are split into slots first. A value carried by a loop is
    changed and read there. A read before any write gives zero.

    Precondition: `chi-structure` has run. Postcondition: no `!chi.local` of a scalar
    except one that a parallel loop writes.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SimplifyKernelsPass : Pass<"chi-simplify-kernels", "::mlir::ModuleOp"> {
  let summary = "Canonicalise all but host functions, and share expressions";
  let description = [{
    MLIR's canonicalizer and CSE on kernels, tasks, control code and what they
    call. For after passes that change nothing in host functions: a script of
    thousands of statements is not looked through again each time.

    Precondition: any of the stages. Postcondition: the same stage.
  }];
}

def OutlineTasksPass : Pass<"chi-outline-tasks", "::mlir::ModuleOp"> {
  let summary = "Split kernels into control functions and tasks";
  let description = [{
    A `chi.kernel` becomes a `func.func` with `chi.control`, each of its
    parallel loops a `chi.task` `@k.t0`, `@k.t1` … launched from there. A
    serial stretch between loops that touches fields, prints, checks or draws
    random numbers becomes a task of rank 0, and so does one that computes with
    floats; that one is `strict`. What a task hands on goes through cells, and so
    do floats that loops and conditions of control code carry: tasks load them,
    control code only where it compares or returns a float. Constants are made
    again in the task. Values of globals are read once, at the entry of the
    kernel.

    Precondition: `chi-promote` has run. Postcondition: no `chi.kernel`, `chi.parallel`,
    `chi.call`, `chi.return`; control functions compare floats and compute none.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect"];
}

def LaunchFactsPass : Pass<"chi-launch-facts", "::mlir::ModuleOp"> {
  let summary = "Write on each task what holds at all of its launches";
  let description = [{
    Sets `facts` of tasks that are launched in the module: bounds of the domain
    and captured integers as ranges, and as sums of other captured values and of
    extents; captured fields that are cells, or of variables that share their
    field with no other. What analyses ask of a launch they ask of the task, so
    that one whose launches stand elsewhere is as good. Runs again when control
    code was simplified and `noalias` is known; what a task says already is kept
    where its launches say nothing.

    Precondition: `chi-outline-tasks` has run. Postcondition: each launched task with
    `facts`.
  }];
}

def NumberRandomPass : Pass<"chi-number-random", "::mlir::ModuleOp"> {
  let summary = "Give each random draw its number";
  let description = [{
    Each `chi.random` of a kernel gets what makes it pure: the number of its
    loop among those of the kernel, the ordinal of the kernel's call
    (`chi.ordinal`, at the entry of each kernel that draws), how often that loop
    was met before in this call, the iteration (`chi.iteration`), and the number
    of draws of its iteration before it. The draws between the loops have a
    loop's number, -1, and a counter of their own.
    It goes by the source: nothing was dropped or folded yet, and no check nor
    any other option changes what stands there.

    Precondition: `chi-inline` has run. Postcondition: pure `chi.random` in kernels.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

//===----------------------------------------------------------------------===//
// Optimising passes, in their order
//===----------------------------------------------------------------------===//

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

def DropStopGradientsPass : Pass<"chi-drop-stop-gradients", "::mlir::ModuleOp"> {
  let summary = "What was constant for differentiation is its value";
  let description = [{
    Removes `chi.stop_gradient` and the attribute `chi.old_wins`, which nobody
    asks for once all is differentiated.

    Precondition: `grad`. Postcondition: no `chi.stop_gradient`, no
    `chi.old_wins`.
  }];
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

def OrderSumsPass : Pass<"chi-order-sums", "::mlir::ModuleOp"> {
  let summary = "Mark the accumulations whose order the language says";
  let description = [{
    Where a parallel task does nothing with a field of rank 0 but accumulate
    into it in one way, these accumulations get `strategy(tree)`: the order is
    that of a tree of fixed shape, for every backend and the interpreter. All
    other strategies are chosen for speed, behind stage `grad`.

    Precondition: tasks with their launches. Postcondition: the same.
  }];
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

def SpeculateLoadsPass : Pass<"chi-speculate-loads", "::mlir::ModuleOp"> {
  let summary = "Load always where most rows do";
  let description = [{
    An `scf.if` in a task whose condition compares an index variable other than
    the innermost with a constant, and whose usual side is a few loads and pure
    operations, becomes these operations and a `select`. Indices are bounded to
    the field where only the guard kept them inside.

    So does an `scf.if` whose sides are a few cheap operations and loads of
    elements that lie, on each axis, among those that the iteration has loaded
    before it. Those need no bounds. Nor do loads of elements that are proved
    to lie in their field whatever the condition is: where the condition hangs
    on data, and the indices on loop variables and captured values only. Sides
    with loads have 4 of them and 12 operations at most.

    So does one without loads, whose sides are a few operations that an
    untaken side need not compute before stage `grad` (see
    docs/design/0020-stage-grad.md).

    Precondition: `optimised`: guards say less afterwards. Postcondition: the same,
    simplified where it changed.
  }];
  let options = [
    ListOption<"without", "without", "std::string",
               "Parts to leave out: speculated-loads, flat-branches">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def InterchangePass : Pass<"chi-interchange", "::mlir::ModuleOp"> {
  let summary = "Let who has an element add up what all pairs give it";
  let description = [{
    An adjoint task over pairs (`x̄[i] += f(i, j); x̄[j] += g(i, j)`) becomes one
    over `i` with a loop over `j`: loop interchange (K. Kennedy and J. R. Allen,
    "Optimizing Compilers for Modern Architectures", 2002, ch. 5). What is added
    to elements that `j` names is computed with the two variables exchanged, if
    both axes have the same bounds, so that each iteration has elements of its
    own and adds up in a value. What the two halves share is computed once, where
    `b - a` counts as minus `a - b`; factors that the loop does not change are
    taken out of the sums. `chi.domain_axes` says which axes of the domain are
    left.

    Where a kernel launches the primal as the last thing that it does, and a tape
    ends right behind a call of that kernel, a task that adds up what both do is
    made, too (`chi.both`, of the primal): the launch is marked (`chi.last`),
    and `chirt_tape_last` stands before the call.

    Not where the task does more than load and add, where it is `strict`, or
    where the two halves have too little in common.

    Precondition: `grad`, proved checks gone. Postcondition: the same.
  }];
  let options = [
    ListOption<"without", "without", "std::string",
               "Parts to leave out: joined-adjoints">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def GatherSumsPass : Pass<"chi-gather-sums", "::mlir::ModuleOp"> {
  let summary = "Let who has an element add up what loops scatter to it";
  let description = [{
    An adjoint task whose loops add to elements that other iterations share
    (`for u: k̄[b, u] += ȳ[b, t] * w[t - u]`, the adjoint of a convolution)
    becomes several: one for each group of such additions, over the elements,
    with loops over all that goes to one; and the task itself, without them, as
    the last one of the chain. The iterations are rewritten as linear
    inequalities (loop interchange with exact bounds, as for `chi-interchange`),
    so that each is there once. `chi.domain_axes` says which axes of the domain
    the axes of such a task are, or (-1) that its facts say.

    Not where indices or bounds are not linear, where the task checks, writes
    fields of the primal, or is `strict`, nor where too few elements are left.

    Precondition: `grad`, proved checks gone. Postcondition: the same.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def ChooseStrategiesPass : Pass<"chi-choose-strategies", "::mlir::ModuleOp"> {
  let summary = "Say how each accumulation is carried out";
  let description = [{
    `plain` where no other iteration touches the element, `tree` for fields of
    rank 0 (as `chi-order-sums`), `privatized` for other fields that the task only accumulates into with
    one kind, else `atomic`.

    Precondition: `grad`. Postcondition: each `chi.accum` with a `strategy`.
  }];
  let options = [
    ListOption<"without", "without", "std::string",
               "Parts to leave out: plain-updates, privatization">];
}

def NoaliasFieldsPass : Pass<"chi-noalias-fields", "::mlir::ModuleOp"> {
  let summary = "Find variables that share their field with no other";
  let description = [{
    A global that is only ever assigned fields that are made there, or that
    others of its kind hand it in an exchange (`a, b = b, a`), gets `noalias`:
    no two of them hold one field, so that tasks on them need no code for
    overlaps. Sees the whole program; kernels are compiled apart, and keep the
    attribute.

    Precondition: host functions with their stores to globals. Postcondition: the same.
  }];
}

def EstimateCostPass : Pass<"chi-estimate-cost", "::mlir::ModuleOp"> {
  let summary = "Estimate the time of one iteration of each task";
  let description = [{
    Sets `cost`, in 1/16 ns, from counts of operations, math functions and
    accesses; a loop counts as often as it iterates where that is known, else 8
    times.

    Precondition: tasks (`chi-outline-tasks` has run). Postcondition: each task with `cost`,
    from which the run time takes its grain.
  }];
}

def TaskEffectsPass : Pass<"chi-task-effects", "::mlir::ModuleOp"> {
  let summary = "Say what each task does to the fields that it captures";
  let description = [{
    Sets `effects`: which arguments a task reads (what it updates counts: it
    needs what was there), which it writes, and which of these it overwrites:
    each scalar of the field is stored by a plain store in every launch, and
    none is looked at. Whoever moves fields between memories, or keeps them for
    a derivative, asks this and not the body.

    Precondition: `simplified` tasks with their launches. Postcondition: each task with
    `effects`.
  }];
}

def TaskBoxesPass : Pass<"chi-task-boxes", "::mlir::ModuleOp"> {
  let summary = "Say where the accesses of what a tape records lie";
  let description = [{
    Sets `chi.boxes` of tasks that have an adjoint, and of these: for each access
    and axis the least and the greatest index, sums of the domain's ends, captured
    integers and extents, as words (`chirt_task::boxes`). A tape evaluates them at
    each launch, and keeps of a field that is written what is needed of it.

    Precondition: `grad`. Postcondition: `grad`.
  }];
}

def AttachDevicePass : Pass<"chi-attach-device", "::mlir::ModuleOp"> {
  let summary = "Say which processor the code is for";
  let description = [{
    Sets `chi.device` of the module, from which later passes take all that they
    know of the processor: registers, masks, caches.

    Precondition: any module. Postcondition: a module with `chi.device`.
  }];
  let dependentDialects = ["::chi::ir::ChiDialect"];
  let options = [
    Option<"vectorBytes", "vector-bytes", "int64_t", /*default=*/"64",
           "Size of the vector registers; 0: nothing is widened">,
    Option<"vectorRegisters", "vector-registers", "int64_t", /*default=*/"32",
           "How many vector registers there are">,
    Option<"hasMasks", "has-masks", "bool", /*default=*/"true",
           "Instructions take masks at no cost">,
    Option<"castsLongs", "casts-longs", "bool", /*default=*/"true",
           "Vectors of i64 become floats in one instruction">,
    Option<"l1Bytes", "l1-bytes", "int64_t", /*default=*/"32 << 10",
           "Size of the first data cache">,
    Option<"l2Bytes", "l2-bytes", "int64_t", /*default=*/"512 << 10",
           "Size of the second cache">,
    Option<"cacheBytes", "cache-bytes", "int64_t", /*default=*/"32 << 20",
           "Size of the last cache that a core reaches">,
    Option<"lineBytes", "line-bytes", "int64_t", /*default=*/"64",
           "Size of a line of the caches">];
}

include "chi/Transforms/VectorPasses.td"

def SchedulePass : Pass<"chi-schedule", "::mlir::ModuleOp"> {
  let summary = "Decide how the iterations of each task are carried out";
  let description = [{
    Sets `schedule` of every task, keeping the buffers that it has: parts of a
    launch, tiles, the middle of rows apart from their edges, how trees add up,
    which fields have copies for threads, which may overlap, how groups of
    lanes end. `convert-chi-to-loops` obeys it and decides nothing.
    See docs/design/0017-facts-and-schedules.md.

    Precondition: the last pass before loops. Postcondition: each task with `schedule`.
  }];
  let dependentDialects = ["::chi::ir::ChiDialect"];
  let options = [
    ListOption<"without", "without", "std::string",
               "Parts to leave out: tiles, loop-peeling, last-group, "
               "buffered-sums, grouped-sums, whole-rows, noalias">];
}

#endif // CHI_TRANSFORMS_PASSES_TD

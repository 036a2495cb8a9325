//===- Passes.td - How tasks are carried out ---------------*- tablegen -*-===//
#ifndef CHI_TRANSFORMS_SCHEDULE_PASSES_TD
#define CHI_TRANSFORMS_SCHEDULE_PASSES_TD
include "mlir/Pass/PassBase.td"

def OrderSumsPass : Pass<"chi-order-sums", "::mlir::ModuleOp"> {
  let summary = "Mark the accumulations whose order the language defines";
  let description = [{
    Where a parallel task only accumulates into a field of rank 0, by one
    operation, these accumulations get `strategy(deterministic)`: a deterministic
    reduction by a tree of fixed shape, for every backend and the interpreter.
    All other strategies are performance choices and are made after stage
    `grad`.

    Precondition: tasks with their launches. Postcondition: the same.
  }];
}

def ChooseStrategiesPass : Pass<"chi-choose-strategies", "::mlir::ModuleOp"> {
  let summary = "Choose a strategy for each accumulation";
  let description = [{
    Sets `plain` if no other iteration accesses the element, `deterministic` for fields
    of rank 0 (as `chi-order-sums` does), `privatized` for other fields that the
    task only accumulates into, by one operation, and else `atomic`.

    With `deterministic`, no result depends on the number of threads. Tasks with
    private copies of rounded sums become `chi.fixed_parts`, and those with
    rounded sums without copies, or with results of atomic operations,
    `chi.ordered`.

    Precondition: `grad`. Postcondition: each `chi.accum` has a `strategy`.
  }];
  let options = [
    Option<"deterministic", "deterministic", "bool", /*default=*/"false",
           "--deterministic">,
    ListOption<"without", "without", "std::string",
               "Parts to disable: plain-updates, privatization">];
}

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
               "Parts to disable: tiles, loop-peeling, last-lane-group, "
               "buffered-sums, grouped-sums, whole-rows, noalias">];
}

def PackLoadsPass : Pass<"chi-pack-loads", "::mlir::ModuleOp"> {
  let summary = "Mark loads that several rows share through a packed buffer";
  let description = [{
    In a body for several rows that sums over a loop (`s += A[i, k] * B[k, j]`),
    marks with `packed` the loads of lanes that are the same for all rows, and
    sets the number of rows of a `panel` on the task. The loads of a column of
    lane groups are copied, once for each panel, to a buffer that fits into the
    second-level cache. See docs/design/0022-packed-loads.md.

    Precondition: the result of `chi-lanes`. Postcondition: the same with
    attributes.
  }];
  let dependentDialects = ["::chi::ir::ChiDialect"];
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

#endif // CHI_TRANSFORMS_SCHEDULE_PASSES_TD

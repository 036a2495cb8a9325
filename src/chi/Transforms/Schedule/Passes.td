//===- Passes.td - How tasks are carried out ---------------*- tablegen -*-===//
#ifndef CHI_TRANSFORMS_SCHEDULE_PASSES_TD
#define CHI_TRANSFORMS_SCHEDULE_PASSES_TD
include "mlir/Pass/PassBase.td"

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

#endif // CHI_TRANSFORMS_SCHEDULE_PASSES_TD

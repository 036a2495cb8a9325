//===- Passes.td - What holds of tasks ---------------------*- tablegen -*-===//
#ifndef CHI_TRANSFORMS_FACTS_PASSES_TD
#define CHI_TRANSFORMS_FACTS_PASSES_TD
include "mlir/Pass/PassBase.td"

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

#endif // CHI_TRANSFORMS_FACTS_PASSES_TD

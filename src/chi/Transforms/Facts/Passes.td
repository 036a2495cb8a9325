//===- Passes.td - What holds of tasks ---------------------*- tablegen -*-===//
#ifndef CHI_TRANSFORMS_FACTS_PASSES_TD
#define CHI_TRANSFORMS_FACTS_PASSES_TD
include "mlir/Pass/PassBase.td"

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

#endif // CHI_TRANSFORMS_FACTS_PASSES_TD

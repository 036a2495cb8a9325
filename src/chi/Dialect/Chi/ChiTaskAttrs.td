//===- ChiTaskAttrs.td - What is known and decided of a task -*- tablegen -*-===//
#ifndef CHI_TASK_ATTRS_TD
#define CHI_TASK_ATTRS_TD
include "chi/Dialect/Chi/ChiDialect.td"

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

def Chi_KnownAttr : AttrDef<Chi_Dialect, "Known"> {
  let mnemonic = "known";
  let summary = "known value or range of an integer at every launch of a task";
  let description = [{
    A range, and a sum that the integer equals: of captured integers (`arg(k)`),
    of extents of captured fields (`dim(k, axis)`), and of a constant. Either
    may be missing; `?` means that nothing is known.

    Examples: `?`, `0 to 9`, `= 5`, `0 to 2147483646 = -1 + dim(0, 1) + 2 * arg(3)`
  }];
  let parameters = (ins "int64_t":$least, "int64_t":$greatest, "bool":$isSum,
                        "int64_t":$constant,
                        ArrayRefParameter<"::chi::ir::LinearTerm">:$terms);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// Nothing.
    static KnownAttr none(::mlir::MLIRContext *context);
    bool hasRange() const { return getLeast() != INT64_MIN || getGreatest() != INT64_MAX; }
    /// The one value that it can have, if it is known.
    std::optional<int64_t> getValue() const {
      if (getIsSum() && getTerms().empty())
        return getConstant();
      return std::nullopt;
    }
  }];
}

def Chi_FactsAttr : AttrDef<Chi_Dialect, "Facts"> {
  let mnemonic = "facts";
  let summary = "facts that hold at every launch of a task";
  let description = [{
    `chi-launch-facts` sets it; the verifier rejects a launch that contradicts
    it. Analyses therefore do not need the launches of a task.

    - `from`, `to`: the bounds of each axis;
    - `inputs`: each captured value (`?` for values that are not integers);
    - `noalias`: captured fields that are pairwise distinct;
    - `cells`: captured fields that are cells of the call.

    Example: `#chi.facts<from = [= 0], to = [= dim(0, 0)], inputs = [?, 0 to 9], noalias = [0]>`
  }];
  let parameters = (ins ArrayRefParameter<"::chi::ir::KnownAttr">:$from,
                        ArrayRefParameter<"::chi::ir::KnownAttr">:$to,
                        ArrayRefParameter<"::chi::ir::KnownAttr">:$inputs,
                        ArrayRefParameter<"int64_t">:$noalias,
                        ArrayRefParameter<"int64_t">:$cells);
  let hasCustomAssemblyFormat = 1;
}

def Chi_EffectsAttr : AttrDef<Chi_Dialect, "Effects"> {
  let mnemonic = "effects";
  let summary = "effects of a task on its captured fields";
  let description = [{
    `chi-task-effects` sets it. It lists in ascending order the numbers of the
    arguments that the task `reads` (updates count as reads), `writes` and, of
    these, `overwrites` as a whole. The verifier rejects an access that is not
    listed.

    Example: `#chi.effects<reads = [0], writes = [1], overwrites = [1]>`
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$reads,
                        ArrayRefParameter<"int64_t">:$writes,
                        ArrayRefParameter<"int64_t">:$overwrites);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Schedule
//===----------------------------------------------------------------------===//

def Chi_TileAttr : AttrDef<Chi_Dialect, "Tile"> {
  let mnemonic = "tile";
  let summary = "tiling of the domain along two of its axes";
  let description = [{
    A tile has `edge` iterations along both axes; `inner` is the axis that
    varies fastest in a tile.

    Example: `#chi.tile<outer = 0, inner = 1, edge = 64>`
  }];
  let parameters = (ins "int64_t":$outer, "int64_t":$inner, "int64_t":$edge);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Chi_PeelAttr : AttrDef<Chi_Dialect, "Peel"> {
  let mnemonic = "peel";
  let summary = "loop peeling: interior of a row";
  let description = [{
    The interior is the values of the innermost variable from `low` up to but
    excluding `high`; its body is simplified (indices that wrap or are clamped,
    conditions on the variable).

    Example: `#chi.peel<low = 1, high = 511>`
  }];
  let parameters = (ins "int64_t":$low, "int64_t":$high);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Chi_ReductionAttr : AttrDef<Chi_Dialect, "Reduction"> {
  let mnemonic = "reduction";
  let summary = "implementation of a deterministic reduction";
  let description = [{
    `operations`: the number of accumulations of the task into this reduction.
    `buffered`: the iterations of a block store their values, which are summed
    after the block; otherwise each iteration adds to the partial sums of the
    block.

    Example: `#chi.reduction<operations = 1, buffered = true>`
  }];
  let parameters = (ins "int64_t":$operations, DefaultValuedParameter<"bool", "false">:$buffered);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Chi_PrivatizedAttr : AttrDef<Chi_Dialect, "Privatized"> {
  let mnemonic = "privatized";
  let summary = "captured field with a private copy for each thread";
  let description = [{
    `count`: the estimated number of accumulations in one iteration. Copies do
    not pay if a launch has fewer accumulations than the field has elements.

    Example: `#chi.privatized<argument = 2, count = 9>`
  }];
  let parameters = (ins "int64_t":$argument, "int64_t":$count);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Chi_ScheduleAttr : AttrDef<Chi_Dialect, "Schedule"> {
  let mnemonic = "schedule";
  let summary = "how the iterations of a task are executed";
  let description = [{
    All scheduling decisions on a task except for its bodies, made by
    `chi-buffer-stores` and `chi-schedule` and implemented by the lowering. An
    optimisation that is not listed is not applied: `<>` is a sequential loop
    nest.

    - `unit`, `align`: a launch is split at multiples of `align` iterations,
      rows (of the innermost axis) or slices (of the outermost axis);
    - `direct`: launches are so small that they call the body without the thread
      pool;
    - `unordered`: the order in which a thread executes its iterations is not
      observable;
    - `noalias`: the compiler may assume that fields do not overlap;
    - `mayAlias`: pairs of captured fields, one of them written, that may be the
      same field; if they are, a separate version of the body runs;
    - `peel`: loop peeling of the ends of rows;
    - `tile`: loop tiling; with `buffers`, each buffer holds a tile;
    - `buffers`: how each buffer of stores is written to memory; the store's
      `buffer` is its number. `chunk`: without a tile, the number of iterations
      of a row that a buffer holds; such chunks begin at cache lines of `line`
      bytes. `period`: the stored values repeat after this number of iterations,
      so that only the first chunk of a row is computed. A `chunk` without
      `buffers`: the iterations of a chunk first collect the values that they
      accumulate in buffers; then each accumulation with conflicts along the row
      has a loop over the chunk;
    - `reductions`: deterministic reductions; the accumulation's `reduction` is its
      number, and its own number in the reduction. `grouped`: short iterations
      run in groups of as many as a block has partial sums;
    - `privatized`: fields with private copies;
    - `panel`: the number of rows that share a packed buffer;
    - `overlapLast`: the last group of lanes or rows is aligned to the end of
      the row, and repeats some iterations;
    - `firstFailure`: if a check of the wide body fails, the iterations before
      the reported one are executed again to find the first failure;
    - `versioned`: a row of which all bounds checks hold, as a test before it
      finds out, runs a version without them; it is not widened or peeled.

    Example: `#chi.schedule<unit = rows, align = 1, mayAlias = [0, 1]>`
  }];
  let parameters = (ins
    DefaultValuedParameter<"::chi::ir::ChunkUnit", "::chi::ir::ChunkUnit::iterations">:$unit,
    DefaultValuedParameter<"int64_t", "16">:$align,
    DefaultValuedParameter<"bool", "false">:$direct,
    DefaultValuedParameter<"bool", "false">:$unordered,
    DefaultValuedParameter<"bool", "false">:$noalias,
    OptionalParameter<"::mlir::DenseI64ArrayAttr">:$mayAlias,
    OptionalParameter<"::chi::ir::PeelAttr">:$peel,
    OptionalParameter<"::chi::ir::TileAttr">:$tile,
    OptionalParameter<"::mlir::ArrayAttr">:$buffers,
    DefaultValuedParameter<"int64_t", "0">:$chunk,
    DefaultValuedParameter<"int64_t", "64">:$line,
    DefaultValuedParameter<"int64_t", "0">:$period,
    OptionalParameter<"::mlir::ArrayAttr">:$reductions,
    DefaultValuedParameter<"bool", "false">:$grouped,
    OptionalParameter<"::mlir::ArrayAttr">:$privatized,
    DefaultValuedParameter<"int64_t", "0">:$panel,
    DefaultValuedParameter<"bool", "false">:$overlapLast,
    DefaultValuedParameter<"bool", "false">:$firstFailure,
    DefaultValuedParameter<"bool", "false">:$versioned);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Differentiation
//===----------------------------------------------------------------------===//

def Chi_AdjointAttr : AttrDef<Chi_Dialect, "Adjoint"> {
  let mnemonic = "adjoint";
  let summary = "role of a task in reverse-mode differentiation";
  let description = [{
    Of a primal task:

    - `task`: its adjoint, the task that propagates adjoints backwards
      (`chi-differentiate`);
    - `recorder`: the task that runs instead of it under a tape. It takes the
      primal's arguments, then its own workspace fields, with which those of the
      adjoint begin;
    - `fused`: a task that fuses primal and adjoint (`chi-interchange`), with
      the adjoint's arguments. A tape runs it if the primal is the last task
      that it recorded.

    Of an adjoint task, and of the tasks that run before it:

    - `numPrimal`: the number of captured values that are those of the primal;
      the others are workspace fields and adjoints;
    - `variant`: another adjoint of the same primal, with its arguments except
      for workspace fields, and with a prologue of its own. It is used for
      launches where its passive values have no derivative, and does less;
    - `passive`: in ascending order, the numbers of captured values that only
      the primal's other adjoints take to have a derivative;
    - `domainAxes`: on a task with other axes than its domain's
      (`chi-interchange`, `chi-scatter-to-gather`), the axis of the domain that
      each of its own axes corresponds to; -1: the task's facts give the begin
      and end of the axis, as sums of captured values.

    Of these and of a recorder:

    - `prologue`: the task that runs before this one. It takes the primal's
      arguments and the workspace fields, and runs over the same domain;
    - `workspace`: the fields that the tape allocates for the task and for its
      prologue, as words (`chirt_workspace_field`). Their arguments are between
      those of the primal and the adjoints;
    - `shared`: a unit of its own is compiled for the task and similar ones;
      another unit, that of the primal, refers to its descriptor.

    Example: `#chi.adjoint<numPrimal = 2, prologue = @k.t0.adj.totals, workspace = [0, 1, 10, 0]>`
  }];
  let parameters = (ins
    DefaultValuedParameter<"int64_t", "-1">:$numPrimal,
    OptionalParameter<"::mlir::FlatSymbolRefAttr">:$task,
    OptionalParameter<"::mlir::FlatSymbolRefAttr">:$fused,
    OptionalParameter<"::mlir::FlatSymbolRefAttr">:$prologue,
    OptionalParameter<"::mlir::FlatSymbolRefAttr">:$recorder,
    OptionalParameter<"::mlir::FlatSymbolRefAttr">:$variant,
    OptionalParameter<"::mlir::DenseI64ArrayAttr">:$workspace,
    OptionalParameter<"::mlir::DenseI64ArrayAttr">:$passive,
    OptionalParameter<"::mlir::DenseI64ArrayAttr">:$domainAxes,
    DefaultValuedParameter<"bool", "false">:$shared);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // CHI_TASK_ATTRS_TD

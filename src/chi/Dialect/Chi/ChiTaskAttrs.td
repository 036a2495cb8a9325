//===- ChiTaskAttrs.td - What is known and decided of a task -*- tablegen -*-===//
#ifndef CHI_TASK_ATTRS_TD
#define CHI_TASK_ATTRS_TD
include "chi/Dialect/Chi/ChiDialect.td"

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

def Chi_KnownAttr : AttrDef<Chi_Dialect, "Known"> {
  let mnemonic = "known";
  let summary = "what is known of an integer at every launch of a task";
  let description = [{
    A range, and a sum that it equals: of captured integers (`arg(k)`), of
    extents of captured fields (`dim(k, axis)`), and of a constant. Either may
    be missing; `?`: nothing is known.

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
  let summary = "what holds at every launch of a task";
  let description = [{
    Written by `chi-launch-facts`; a launch that contradicts it is refused. So a
    task needs no launch in the module to be analysed.

    - `from`, `to`: of the bounds of each axis;
    - `inputs`: of each captured value (`?` for what is no integer);
    - `distinct`: the fields among the captured values of which no two are one;
    - `cells`: those that are cells of the call, and no other field.

    Example: `#chi.facts<from = [= 0], to = [= dim(0, 0)], inputs = [?, 0 to 9], distinct = [0]>`
  }];
  let parameters = (ins ArrayRefParameter<"::chi::ir::KnownAttr">:$from,
                        ArrayRefParameter<"::chi::ir::KnownAttr">:$to,
                        ArrayRefParameter<"::chi::ir::KnownAttr">:$inputs,
                        ArrayRefParameter<"int64_t">:$distinct,
                        ArrayRefParameter<"int64_t">:$cells);
  let hasCustomAssemblyFormat = 1;
}

def Chi_EffectsAttr : AttrDef<Chi_Dialect, "Effects"> {
  let mnemonic = "effects";
  let summary = "what a task does to the fields that it captures";
  let description = [{
    Written by `chi-task-effects`: the numbers of the arguments, from the least
    on, that the task `reads` (what it updates counts), `writes` and, of these,
    `overwrites` as a whole. An access that is not listed is refused.

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
  let summary = "the domain is walked in tiles along two of its axes";
  let description = [{
    `edge` iterations along both axes; of a tile first along `inner`.

    Example: `#chi.tile<outer = 0, inner = 1, edge = 64>`
  }];
  let parameters = (ins "int64_t":$outer, "int64_t":$inner, "int64_t":$edge);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Chi_PeelAttr : AttrDef<Chi_Dialect, "Peel"> {
  let mnemonic = "peel";
  let summary = "the middle of a row apart from its edges";
  let description = [{
    The middle are the values from `low` to below `high` of the innermost
    variable; what is simpler there (indices that wrap or are clamped,
    conditions on the variable) is left out.

    Example: `#chi.peel<low = 1, high = 511>`
  }];
  let parameters = (ins "int64_t":$low, "int64_t":$high);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Chi_TreeAttr : AttrDef<Chi_Dialect, "Tree"> {
  let mnemonic = "tree";
  let summary = "how a sum of fixed shape is computed";
  let description = [{
    `operations`: how many accumulations of the task go to it. `buffered`: the
    iterations of a block store what they add, and it is added up behind them;
    else each adds to the sums of the block itself.

    Example: `#chi.tree<operations = 1, buffered = true>`
  }];
  let parameters = (ins "int64_t":$operations, DefaultValuedParameter<"bool", "false">:$buffered);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Chi_PrivatizedAttr : AttrDef<Chi_Dialect, "Privatized"> {
  let mnemonic = "privatized";
  let summary = "a captured field of which each thread gets a copy to add to";
  let description = [{
    `count`: accumulations of one iteration, as estimated; with fewer of them
    than elements copies do not pay.

    Example: `#chi.privatized<argument = 2, count = 9>`
  }];
  let parameters = (ins "int64_t":$argument, "int64_t":$count);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Chi_ScheduleAttr : AttrDef<Chi_Dialect, "Schedule"> {
  let mnemonic = "schedule";
  let summary = "how the iterations of a task are carried out";
  let description = [{
    All that is decided of a task but its bodies, by `chi-buffer-stores` and
    `chi-schedule`; lowering obeys. What it leaves out is not done: `<>` is one
    loop after the other.

    - `unit`, `align`: a launch is cut at multiples of so many iterations, rows
      (of the innermost axis) or slices (of the outermost one);
    - `direct`: a launch is so small that it calls the body, without the pool;
    - `unordered`: nothing tells in which order one thread takes iterations;
    - `noalias`: that fields do not overlap is said to the compiler;
    - `mayAlias`: pairs of captured fields, one of them written, that may be one
      field: if they are, a version of the body for that runs;
    - `peel`: the middle of rows apart from their edges;
    - `tile`: with `buffers` these hold a tile, else they are just walked so;
    - `buffers`: how each buffer of stores goes to memory; the store's `buffer`
      is its number. `piece`: without a tile, iterations of a row that a buffer
      holds, of which pieces begin where a line of `line` bytes does. `period`:
      the same values are stored again so many iterations later, and the first
      piece is all that is computed of a row. A `piece` without `buffers`: so
      many iterations of a row first gather what they add in buffers, then each
      accumulation that meets others along the row goes over the piece by itself;
    - `trees`: the accumulation's `tree` is its number, and its own among
      those of the tree. `grouped`: iterations are short and run in groups of
      as many as a block has sums;
    - `privatized`: fields with copies;
    - `strip`: so many rows share what packed loads read;
    - `overlapLast`: the last group of lanes, or of rows, ends where the lanes
      or rows end, and does some iterations again;
    - `firstFailure`: when a check of the wide body fails, iterations before
      the one that it names are looked at once more.

    Example: `#chi.schedule<unit = rows, align = 1, mayAlias = [0, 1]>`
  }];
  let parameters = (ins
    DefaultValuedParameter<"::chi::ir::PartUnit", "::chi::ir::PartUnit::iterations">:$unit,
    DefaultValuedParameter<"int64_t", "16">:$align,
    DefaultValuedParameter<"bool", "false">:$direct,
    DefaultValuedParameter<"bool", "false">:$unordered,
    DefaultValuedParameter<"bool", "false">:$noalias,
    OptionalParameter<"::mlir::DenseI64ArrayAttr">:$mayAlias,
    OptionalParameter<"::chi::ir::PeelAttr">:$peel,
    OptionalParameter<"::chi::ir::TileAttr">:$tile,
    OptionalParameter<"::mlir::ArrayAttr">:$buffers,
    DefaultValuedParameter<"int64_t", "0">:$piece,
    DefaultValuedParameter<"int64_t", "64">:$line,
    DefaultValuedParameter<"int64_t", "0">:$period,
    OptionalParameter<"::mlir::ArrayAttr">:$trees,
    DefaultValuedParameter<"bool", "false">:$grouped,
    OptionalParameter<"::mlir::ArrayAttr">:$privatized,
    DefaultValuedParameter<"int64_t", "0">:$strip,
    DefaultValuedParameter<"bool", "false">:$overlapLast,
    DefaultValuedParameter<"bool", "false">:$firstFailure);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // CHI_TASK_ATTRS_TD

//===- ChiTaskOps.td - Kernels, tasks, control with exits --*- tablegen -*-===//
#ifndef CHI_TASK_OPS_TD
#define CHI_TASK_OPS_TD
include "chi/Dialect/Chi/ChiOpBase.td"

def Chi_KernelOp : Chi_Op<"kernel", [IsolatedFromAbove, Symbol, FunctionOpInterface,
                                     AutomaticAllocationScope]> {
  let summary = "kernel: control code with parallel loops, called from the host";
  let description = [{
    Stage `chi` only: `chi-outline-tasks` converts it to a control function
    (`func.func` with the unit attribute `chi.control`) and tasks. `strict`:
    IEEE arithmetic as written. The body ends with `chi.return`.

    Example: `chi.kernel @k(%x: !chi.field<?xf32>) -> f32 { … chi.return %s : f32 }`
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       UnitAttr:$strict, OptionalAttr<I64Attr>:$lanes);
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type)>];
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
  }];
}

def Chi_CallOp : Chi_Op<"call", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "call a kernel from host code";
  let description = [{
    The call is synchronous: the kernel has completed when the host continues.

    Example: `%e = chi.call @energy(%x) : (!chi.field<?xf32>) -> f32`
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<Chi_Value>:$inputs);
  let results = (outs Variadic<Chi_Scalar>:$outputs);
  let assemblyFormat = "$callee `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)";
}

def Chi_ParallelOp : Chi_Op<"parallel", [AttrSizedOperandSegments, SingleBlock]> {
  let summary = "parallel loop at kernel level";
  let description = [{
    Iterations run in any order, also concurrently. The loop is either over
    ranges (`from`, `to`, one pair for each axis; `steps` with one axis only) or
    over all indices of a field. The body ends with chi.next or chi.continue;
    early ends are chi.continue.

    Example:
    ```mlir
    chi.parallel (%i, %j : i32, i32) = (%a, %b) to (%c, %d) { … chi.next }
    chi.parallel (%i : i32) = (%a) to (%b) step (%s) { … chi.next } {block = 128 : i64}
    chi.parallel (%i : i32) over %x : !chi.field<?xf32> { … chi.next }
    ```
    `axes`: the names of the loop variables in the source.
  }];
  let arguments = (ins Variadic<Chi_Int>:$from, Variadic<Chi_Int>:$to,
                       Variadic<Chi_Int>:$step, Optional<Chi_FieldType>:$over,
                       OptionalAttr<I64Attr>:$block, OptionalAttr<StrArrayAttr>:$axes);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    unsigned getRank() { return getBody().getNumArguments(); }
  }];
}

def Chi_CellOp : Chi_Op<"cell"> {
  let summary = "kernel-level variable that several tasks access";
  let description = [{
    A hidden 0-D field of this call of the kernel; it has an axis for its
    scalars if loops update components that are selected at run time.
    Uninitialised; chi.store writes it. `chi-outline-tasks` also converts local
    arrays of the kernel to cells of static shape (`!chi.field<4x8xf32>`), with
    stores that zero them, and moves all cells to the entry of the control
    function.

    Example: `%s = chi.cell "s" : !chi.field<f32>`
  }];
  let arguments = (ins DefaultValuedAttr<StrAttr, "\"\"">:$name);
  let results = (outs Res<Chi_FieldType, "", [MemAlloc]>:$cell);
  let assemblyFormat = "$name attr-dict `:` type($cell)";
}

def Chi_TaskOp : Chi_Op<"task", [IsolatedFromAbove, Symbol, SingleBlock, TaskOpInterface]> {
  let summary = "outlined parallel loop, or serial code between loops";
  let description = [{
    Isolated from above. The block arguments are first the captured values
    (fields, cells, scalars), then one index for each axis of the domain
    (`rank`; 0: one iteration). Each launch gives the bounds of the domain as
    half-open ranges; `over` (the number of a field argument) states that they
    are that field's extents. Index types are those of the last `rank` block
    arguments. `kernel` is the name of the source kernel for messages, `axes`
    the names of its loop variables. `effects`: which arguments it reads, writes
    and overwrites (`chi-task-effects`). Two arguments may be the same field, so
    that a query about one must consider the other.

    `chi-lanes` may add a second region: the body for `lanes` neighbouring
    iterations along the innermost axis, whose argument is the index of the
    first. The first body executes the remaining iterations at the end of a row.
    `rows = [a, n]`: the wide body does so for n iterations along axis a; its
    argument is again the index of the first. If a is the innermost axis, it
    does so for n vectors of `lanes` neighbours, side by side, and has a last
    argument, an i64: the number of the vectors that exist, at least one.

    `facts`: what holds at every launch (`chi-launch-facts`). `schedule`: how
    the iterations are executed (`chi-schedule`); without it, in sequence.

    `adjoint`: the role of the task in reverse-mode differentiation
    (`chi-differentiate`). An adjoint task captures the values of its primal in
    the same order, followed by its workspace fields and by the adjoint of each
    captured field of floats, in the order of the fields; its effects determine
    what the tape has to save of the primal fields. It runs over the same
    domain. A tape launches it such that no field that it writes is also another
    argument.

    A range with a step runs from 0 to its trip count, and the body computes the
    index of the source; the index of the domain is the number of the iteration.

    Example:
    ```mlir
    chi.task @k.t0(%x: !chi.field<8xf32>, %a: f32) over 0 (%i: i32)
        attributes {kernel = "k", axes = ["i"]} { … chi.next }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, I64Attr:$rank, OptionalAttr<I64Attr>:$over,
                       DefaultValuedAttr<StrAttr, "\"\"">:$kernel, OptionalAttr<ArrayAttr>:$axes,
                       UnitAttr:$strict, OptionalAttr<I64Attr>:$lanes, OptionalAttr<DenseI64ArrayAttr>:$rows,
                       OptionalAttr<I64Attr>:$block,
                       OptionalAttr<I64Attr>:$cost, OptionalAttr<Chi_EffectsAttr>:$effects,
                       OptionalAttr<Chi_FactsAttr>:$facts, OptionalAttr<Chi_ScheduleAttr>:$schedule,
                       OptionalAttr<Chi_AdjointAttr>:$adjoint);
  let regions = (region SizedRegion<1>:$body, MaxSizedRegion<1>:$wide);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    unsigned getNumCaptured() { return getBody().getNumArguments() - getRank(); }
    ::mlir::Block::BlockArgListType getCaptured() {
      return getBody().getArguments().drop_back(getRank());
    }
    ::mlir::Block::BlockArgListType getIndexVariables() {
      return getBody().getArguments().take_back(getRank());
    }
    /// Of an adjoint task and those that run before it: how many captured
    /// values are the primal's. Nothing for other tasks.
    std::optional<int64_t> getNumPrimal();
    // Of TaskOpInterface.
    std::optional<int64_t> getKnownStart(unsigned axis);
    std::optional<int64_t> getKnownExtent(unsigned axis);
    bool reads(unsigned captured);
    bool writes(unsigned captured);
    bool overwrites(unsigned captured);
    bool mayAlias(unsigned a, unsigned b);
  }];
}

def Chi_LaunchOp : Chi_Op<"launch", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "launch a task over a domain, from a control function";
  let description = [{
    If the range of the source has a step, `values` holds its begin and step,
    from which messages compute the index of an iteration. `last`: it is the
    last launch of its kernel, a tape ends after calls of the kernel, and the
    task has a fused adjoint.

    Example: `chi.launch @k.t0(%x, %a : !chi.field<8xf32>, f32) from (%c0 : i32) to (%n : i32)`
  }];
  let arguments = (ins FlatSymbolRefAttr:$task, Variadic<Chi_Value>:$inputs,
                       Variadic<Chi_Int>:$from, Variadic<Chi_Int>:$to,
                       Variadic<Chi_Int>:$values, UnitAttr:$last);
  let builders = [OpBuilder<(ins "::llvm::StringRef":$task,
                                 "::mlir::ValueRange":$inputs,
                                 "::mlir::ValueRange":$from,
                                 "::mlir::ValueRange":$to), [{
    build($_builder, $_state, task, inputs, from, to, ::mlir::ValueRange());
  }]>];
  let assemblyFormat = [{
    $task `(` ($inputs^ `:` type($inputs))? `)`
    (`from` `(` $from^ `:` type($from) `)` `to` `(` $to `:` type($to) `)`)?
    (`values` `(` $values^ `:` type($values) `)`)? attr-dict
  }];
}

// Structured control with exits: stage `chi` only.
def Chi_IfOp : Chi_Op<"if", [NoRegionArguments]> {
  let summary = "conditional with early exits, without results";
  let description = [{
    An exit (chi.break, chi.continue, chi.return) may terminate a region, at any
    depth; otherwise chi.next terminates it.

    Example: `chi.if %ok { chi.break } else { chi.next }`
  }];
  let arguments = (ins I1:$condition);
  let regions = (region SizedRegion<1>:$thenRegion, MaxSizedRegion<1>:$elseRegion);
  let assemblyFormat = "$condition $thenRegion (`else` $elseRegion^)? attr-dict";
}
def Chi_ForOp : Chi_Op<"for"> {
  let summary = "sequential counted loop with early exits";
  let description = [{
    The bounds are evaluated once. `step` is not zero; a loop with a negative
    step counts down and excludes `to`. `progress`: a host loop that displays
    its progress.

    Example: `chi.for %j = %a to %b step %s : i32 { … chi.next }`
  }];
  let arguments = (ins Chi_Int:$from, Chi_Int:$to, Chi_Int:$step, UnitAttr:$progress);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
def Chi_WhileOp : Chi_Op<"while"> {
  let summary = "while loop with early exits";
  let description = [{
    The first region computes the condition and ends with chi.condition; the
    body ends with chi.next or an exit.

    Example: `chi.while { chi.condition %more } do { chi.next }`
  }];
  let hasVerifier = 1;
  let regions = (region SizedRegion<1>:$before, SizedRegion<1>:$body);
  let assemblyFormat = "$before `do` $body attr-dict";
}
def Chi_ConditionOp : Chi_Op<"condition", [Terminator]> {
  let summary = "terminate the first region of chi.while";
  let description = [{
    The loop continues if `condition` is true.

    Example: `chi.condition %more`
  }];
  let arguments = (ins I1:$condition);
  let assemblyFormat = "$condition attr-dict";
}
class Chi_Exit<string name> : Chi_Op<name, [Terminator]> {
  let assemblyFormat = "attr-dict";
}
def Chi_NextOp : Chi_Exit<"next"> {
  let summary = "fall through at the end of a region";
  let description = [{
    Terminates the body of a loop, a branch or a task whose end is reached.

    Example: `chi.next`
  }];
}
def Chi_BreakOp : Chi_Exit<"break"> {
  let summary = "leave the innermost loop";
  let description = [{
    May be nested in chi.if only. A parallel loop has no break.

    Example: `chi.for %i = %a to %b step %s : i32 { chi.break }`
  }];
  let hasVerifier = 1;
}
def Chi_ContinueOp : Chi_Exit<"continue"> {
  let summary = "continue with the next iteration of the innermost loop";
  let description = [{
    In a parallel loop it ends this iteration; the other iterations are not
    affected.

    Example: `chi.parallel (%i : i32) over %x : !chi.field<?xf32> { chi.continue }`
  }];
  let hasVerifier = 1;
}
def Chi_ReturnOp : Chi_Op<"return", [Terminator]> {
  let summary = "return from the function or kernel, from any depth";
  let description = [{
    Cannot leave a parallel loop. The operands are the results, scalar by
    scalar.

    Example: `chi.return %x, %y : f32, f32`
  }];
  let hasVerifier = 1;
  let arguments = (ins Variadic<Chi_Value>:$inputs);
  let assemblyFormat = "attr-dict ($inputs^ `:` type($inputs))?";
}
#endif // CHI_TASK_OPS_TD

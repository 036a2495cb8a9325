//===- ChiFieldOps.td - Access to fields -------------------*- tablegen -*-===//
#ifndef CHI_FIELD_OPS_TD
#define CHI_FIELD_OPS_TD
include "chi/Dialect/Chi/ChiOpBase.td"

/// An access that says nothing more, in a builder.
defvar Chi_NoAccessAttrs = "::mlir::StringAttr(), ::mlir::IntegerAttr(), ::mlir::IntegerAttr(), "
                           "::mlir::UnitAttr(), ::mlir::UnitAttr(), ::mlir::IntegerAttr()";

class Chi_AccessOp<string name, list<Trait> traits = []>
    : Chi_Op<name, traits # [DeclareOpInterfaceMethods<FieldAccessOpInterface,
                              ["getDynamicComponent", "markInbounds", "getAccessKind"]>]> {
  let hasVerifier = 1;
}

def Chi_LoadOp : Chi_AccessOp<"load", [AttrSizedOperandSegments]> {
  let summary = "load one scalar of a field";
  let description = [{
    Loads the scalar `component` of the element at `indices`; a run-time
    component in parentheses is added to it. Matrices are row-major. `prefetch`,
    in a task with a tile: elements of the next tile are prefetched; the load is
    contiguous along the tile's second axis, and its indices satisfy the
    conditions of a buffered store. `packed`, in a loop of a wide body for
    several rows: the number of the packed buffer that the rows of a panel
    share, with one vector for each iteration of the loop; the loaded value is
    the same for all rows.

    Example:
    ```mlir
    %y = chi.load %x[%p] component 1 : !chi.field<8192x!chi.vec<2xf32>> -> f32
    %z = chi.load %x[%p] dynamic(%k : i32) component 0 inbounds : !chi.field<8192x!chi.vec<2xf32>> -> f32
    ```
  }];
  let arguments = !con((ins Arg<Chi_FieldType, "the field", [MemRead]>:$field,
                       Variadic<Chi_IntOrLanes>:$indices,
                       Optional<Chi_IntOrLanes>:$dynamic,
                       DefaultValuedAttr<I64Attr, "0">:$component,
                       UnitAttr:$inbounds),
    Chi_AccessAttrs, (ins UnitAttr:$prefetch, OptionalAttr<I64Attr>:$packed, Optional<Chi_Mask>:$mask));
  let results = (outs Chi_ScalarOrLanes:$result);
  // Without lanes.
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$field,
      "::mlir::ValueRange":$indices, "::mlir::Value":$dynamic,
      "::mlir::IntegerAttr":$component, "::mlir::UnitAttr":$inbounds), !strconcat([{
      build($_builder, $_state, result, field, indices, dynamic, component, inbounds, }], Chi_NoAccessAttrs, [{, ::mlir::UnitAttr(), ::mlir::IntegerAttr(), ::mlir::Value());
    }])>,
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$field,
      "::mlir::ValueRange":$indices, "::mlir::Value":$dynamic,
      "uint64_t":$component, "bool":$inbounds), !strconcat([{
      build($_builder, $_state, result, field, indices, dynamic,
            $_builder.getI64IntegerAttr(component),
            inbounds ? $_builder.getUnitAttr() : ::mlir::UnitAttr(), }], Chi_NoAccessAttrs, [{, ::mlir::UnitAttr(), ::mlir::IntegerAttr(), ::mlir::Value());
    }])>];
  let assemblyFormat = [{
    $field `[` ($indices^ `:` type($indices))? `]` (`dynamic` `(` $dynamic^ `:` type($dynamic) `)`)?
    (`component` $component^)? (`inbounds` $inbounds^)?
    (`mask` `(` $mask^ `:` type($mask) `)`)? attr-dict
    `:` type($field) `->` type($result)
  }];
  let extraClassDefinition = [{
    ::mlir::Value $cppClass::getDynamicComponent() { return getDynamic(); }
    void $cppClass::markInbounds() { setInbounds(true); }
    ::chi::ir::AccessKind $cppClass::getAccessKind() { return AccessKind::load; }
  }];
}

def Chi_StoreOp : Chi_AccessOp<"store", [AttrSizedOperandSegments]> {
  let summary = "store one scalar of a field";
  let description = [{
    A plain store. `buffer`, set by `chi-buffer-stores`: the number of the
    buffer in the task's schedule that collects the stored values. Such a store
    is the only access of the task to its scalars and executes once in each
    iteration. Its indices are computed from captured values and loop variables.
    Unless the task has a tile, the index that is innermost in memory increases
    by one along the innermost axis, and no other index depends on that axis.

    Example:
    ```mlir
    chi.store %v, %x[%i, %j : i32, i32] component 1 : f32, !chi.field<?x?x!chi.vec<2xf32>>
    ```
  }];
  let arguments = !con((ins Chi_ScalarOrLanes:$value,
                       Arg<Chi_FieldType, "the field", [MemWrite]>:$field,
                       Variadic<Chi_IntOrLanes>:$indices,
                       Optional<Chi_IntOrLanes>:$dynamic,
                       DefaultValuedAttr<I64Attr, "0">:$component,
                       UnitAttr:$inbounds),
    Chi_AccessAttrs, (ins OptionalAttr<I64Attr>:$buffer, Optional<Chi_Mask>:$mask));
  // Without lanes.
  let builders = [
    OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$field,
      "::mlir::ValueRange":$indices, "::mlir::Value":$dynamic,
      "::mlir::IntegerAttr":$component, "::mlir::UnitAttr":$inbounds), !strconcat([{
      build($_builder, $_state, value, field, indices, dynamic, component, inbounds, }], Chi_NoAccessAttrs, [{, ::mlir::IntegerAttr(), ::mlir::Value());
    }])>,
    OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$field,
      "::mlir::ValueRange":$indices, "::mlir::Value":$dynamic,
      "uint64_t":$component, "bool":$inbounds), !strconcat([{
      build($_builder, $_state, value, field, indices, dynamic,
            $_builder.getI64IntegerAttr(component),
            inbounds ? $_builder.getUnitAttr() : ::mlir::UnitAttr(), }], Chi_NoAccessAttrs, [{, ::mlir::IntegerAttr(), ::mlir::Value());
    }])>];
  let assemblyFormat = [{
    $value `,` $field `[` ($indices^ `:` type($indices))? `]` (`dynamic` `(` $dynamic^ `:` type($dynamic) `)`)?
    (`component` $component^)? (`inbounds` $inbounds^)?
    (`mask` `(` $mask^ `:` type($mask) `)`)? attr-dict
    `:` type($value) `,` type($field)
  }];
  let extraClassDefinition = [{
    ::mlir::Value $cppClass::getDynamicComponent() { return getDynamic(); }
    void $cppClass::markInbounds() { setInbounds(true); }
    ::chi::ir::AccessKind $cppClass::getAccessKind() { return AccessKind::store; }
  }];
}

def Chi_AccumOp : Chi_AccessOp<"accum", [AttrSizedOperandSegments]> {
  let summary = "accumulate a value into one scalar of a field";
  let description = [{
    Combines `value` with the scalar by `kind`, without a result. Accumulations
    of the same kind commute; those of different kinds do not. In a parallel
    loop the accumulation is atomic; `strategy`, set by `chi-choose-strategies`,
    selects the implementation. `reduction`, set by `chi-schedule` with
    `strategy(deterministic)`: the number of its deterministic reduction in the task, and
    its own number in that reduction.

    Example:
    ```mlir
    chi.accum add %v, %grid[%i, %j : i32, i32] strategy(privatized) : f32, !chi.field<128x128xf32>
    ```
  }];
  let arguments = !con((ins Chi_AccumKindAttr:$kind, Chi_ScalarOrLanes:$value,
                       Arg<Chi_FieldType, "the field", [MemRead, MemWrite]>:$field,
                       Variadic<Chi_IntOrLanes>:$indices,
                       Optional<Chi_IntOrLanes>:$dynamic,
                       DefaultValuedAttr<I64Attr, "0">:$component,
                       UnitAttr:$inbounds,
                       OptionalAttr<Chi_AccumStrategyAttr>:$strategy),
    Chi_AccessAttrs, (ins OptionalAttr<DenseI64ArrayAttr>:$reduction, Optional<Chi_Mask>:$mask));
  // Without lanes.
  let builders = [
    OpBuilder<(ins "::chi::ir::AccumKindAttr":$kind, "::mlir::Value":$value,
      "::mlir::Value":$field, "::mlir::ValueRange":$indices,
      "::mlir::Value":$dynamic, "::mlir::IntegerAttr":$component,
      "::mlir::UnitAttr":$inbounds, "::chi::ir::AccumStrategyAttr":$strategy), !strconcat([{
      build($_builder, $_state, kind, value, field, indices, dynamic, component, inbounds, strategy, }], Chi_NoAccessAttrs, [{, ::mlir::DenseI64ArrayAttr(), ::mlir::Value());
    }])>];
  let assemblyFormat = [{
    `` $kind $value `,` $field `[` ($indices^ `:` type($indices))? `]` (`dynamic` `(` $dynamic^ `:` type($dynamic) `)`)?
    (`component` $component^)? (`inbounds` $inbounds^)? (`strategy` `` custom<AccumStrategy>($strategy)^)?
    (`mask` `(` $mask^ `:` type($mask) `)`)? attr-dict
    `:` type($value) `,` type($field)
  }];
  let extraClassDefinition = [{
    ::mlir::Value $cppClass::getDynamicComponent() { return getDynamic(); }
    void $cppClass::markInbounds() { setInbounds(true); }
    ::chi::ir::AccessKind $cppClass::getAccessKind() { return AccessKind::accum; }
  }];
}

def Chi_AtomicOp : Chi_AccessOp<"atomic", [AttrSizedOperandSegments]> {
  let summary = "update a scalar atomically and return its old value";
  let description = [{
    `cas` stores `value` if the scalar equals `expected`. `load` stores nothing
    and ignores `value`. The result depends on the order of iterations; an
    update whose result is unused is canonicalised to chi.accum.

    Example:
    ```mlir
    %slot = chi.atomic add %one, %count[%c : i32] : i32, !chi.field<64xi32> -> i32
    %old = chi.atomic cas %new, %x[%i : i32] expects(%e : i32) : i32, !chi.field<64xi32> -> i32
    ```
  }];
  let arguments = !con((ins Chi_AtomicKindAttr:$kind, Chi_ScalarOrLanes:$value,
                       Arg<Chi_FieldType, "the field", [MemRead, MemWrite]>:$field,
                       Variadic<Chi_IntOrLanes>:$indices,
                       Optional<Chi_IntOrLanes>:$dynamic,
                       Optional<Chi_ScalarOrLanes>:$expected,
                       DefaultValuedAttr<I64Attr, "0">:$component,
                       UnitAttr:$inbounds),
    Chi_AccessAttrs, (ins Optional<Chi_Mask>:$mask));
  let results = (outs Chi_ScalarOrLanes:$result);
  // Without lanes.
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::chi::ir::AtomicKindAttr":$kind,
      "::mlir::Value":$value, "::mlir::Value":$field,
      "::mlir::ValueRange":$indices, "::mlir::Value":$dynamic,
      "::mlir::Value":$expected, "::mlir::IntegerAttr":$component,
      "::mlir::UnitAttr":$inbounds), !strconcat([{
      build($_builder, $_state, result, kind, value, field, indices, dynamic, expected, component, inbounds, }], Chi_NoAccessAttrs, [{, ::mlir::Value());
    }])>];
  let assemblyFormat = [{
    `` $kind $value `,` $field `[` ($indices^ `:` type($indices))? `]` (`dynamic` `(` $dynamic^ `:` type($dynamic) `)`)?
    (`expects` `(` $expected^ `:` type($expected) `)`)?
    (`component` $component^)? (`inbounds` $inbounds^)?
    (`mask` `(` $mask^ `:` type($mask) `)`)? attr-dict
    `:` type($value) `,` type($field) `->` type($result)
  }];
  let hasCanonicalizeMethod = 1;
  let extraClassDefinition = [{
    ::mlir::Value $cppClass::getDynamicComponent() { return getDynamic(); }
    void $cppClass::markInbounds() { setInbounds(true); }
    ::chi::ir::AccessKind $cppClass::getAccessKind() { return AccessKind::atomic; }
  }];
}

def Chi_DimOp : Chi_Op<"dim", [Pure]> {
  let summary = "extent of a field along an axis";
  let description = [{
    Folds to a constant if the extent is static.

    Example: `%n = chi.dim %x, 1 : !chi.field<?x?xf32> -> i32`
  }];
  let arguments = (ins Chi_FieldType:$field, I64Attr:$axis);
  let results = (outs Chi_Int:$result);
  let assemblyFormat = "$field `,` $axis attr-dict `:` type($field) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Chi_RecordAccessOp : Chi_Op<"record_access", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "report the next access to the run time (--check=races)";
  let description = [{
    Stages `loops` and `gpu`: the lowering of an access with a `race_kind`
    inserts it before the access. The scalar is at `memory[offset]`; `iteration`
    is the number of the iteration in the flattened domain, `kind` a
    chirt_race_kind, `what` the field's name in the source.

    Example: `chi.record_access %data[%at] by %number kind 1 of "x" : memref<?xf32>`
  }];
  let arguments = (ins MemRefRankOf<[AnyType], [1]>:$memory, Index:$offset,
                       I64:$iteration, I32Attr:$kind, OptionalAttr<StrAttr>:$what);
  let assemblyFormat = [{
    $memory `[` $offset `]` `by` $iteration `kind` $kind (`of` $what^)? attr-dict
    `:` type($memory)
  }];
}
#endif // CHI_FIELD_OPS_TD

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
  let summary = "one scalar of an element";
  let description = [{
    Loads the scalar `component` (plus the run-time component in braces, if
    given) of the element at `indices`. Row-major within a matrix. `prefetch`,
    in a task with a tile: it walks along memory by the tile's second axis, and
    its indices are as those of a buffered store. `packed`, in a loop of a wide
    body for several rows: the number of the buffer that a strip of rows shares,
    with one vector for each iteration of the loop; what it loads is the same
    for all rows.

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
  let summary = "plain store of one scalar";
  let description = [{
    `buffer`, set by `chi-buffer-stores`: what it stores gathers first in the
    buffer of that number in the task's schedule. The store is the
    task's only access of its scalars, runs once in each iteration, and its
    indices are arithmetic of captured values and loop variables. Unless the
    task has a tile, the index innermost in memory grows by one along the
    innermost axis, and no other one hangs on that axis.

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
  let summary = "combine a value into one scalar of a field";
  let description = [{
    Adds (multiplies, …) `value` to the scalar. Commutes with accumulations of
    the same kind only and has no result. In a parallel loop it is atomic;
    `strategy` says by what means, chosen by `chi-choose-strategies`. `tree`, of
    `strategy(tree)`: the number of its tree in the task, and its own among those of
    the tree (chi-schedule).

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
    Chi_AccessAttrs, (ins OptionalAttr<DenseI64ArrayAttr>:$tree, Optional<Chi_Mask>:$mask));
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
  let summary = "atomic update that returns the old value";
  let description = [{
    `cas` stores `value` if the scalar equals `expected`; `load` stores nothing,
    and its `value` is not looked at. The result depends on the order of
    iterations; where nobody looks at it, the update is a chi.accum.

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
    Folds to a constant where the extent is static.

    Example: `%n = chi.dim %x, 1 : !chi.field<?x?xf32> -> i32`
  }];
  let arguments = (ins Chi_FieldType:$field, I64Attr:$axis);
  let results = (outs Chi_Int:$result);
  let assemblyFormat = "$field `,` $axis attr-dict `:` type($field) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Chi_RecordAccessOp : Chi_Op<"record_access", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "tells the run time of the access that follows (--check=races)";
  let description = [{
    Stages `loops` and `gpu`: what an access with a `race_kind` becomes, beside itself. The
    scalar lies at `memory[offset]`; `iteration` is the number in the flattened
    domain, `kind` a chirt_race_kind, `what` the field's name in the source.

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

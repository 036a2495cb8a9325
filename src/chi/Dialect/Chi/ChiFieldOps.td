//===- ChiFieldOps.td - Access to fields -------------------*- tablegen -*-===//
#ifndef CHI_FIELD_OPS_TD
#define CHI_FIELD_OPS_TD
include "chi/Dialect/Chi/ChiOpBase.td"

class Chi_AccessOp<string name, list<Trait> traits = []>
    : Chi_Op<name, traits # [DeclareOpInterfaceMethods<FieldAccessOpInterface,
                              ["getDynamicComponent", "markInbounds", "isWrite"]>]> {
  let hasVerifier = 1;
}

def Chi_LoadOp : Chi_AccessOp<"load", [AttrSizedOperandSegments]> {
  let summary = "one scalar of an element";
  let description = [{
    Loads the scalar `component` (plus the run-time component in braces, if
    given) of the element at `indices`. Row-major within a matrix.

    Example:
    ```mlir
    %y = chi.load %x[%p] component 1 : !chi.field<8192x!chi.vec<2xf32>> -> f32
    %z = chi.load %x[%p] dynamic(%k : i32) component 0 inbounds : !chi.field<8192x!chi.vec<2xf32>> -> f32
    ```
  }];
  let arguments = (ins Arg<Chi_FieldType, "the field", [MemRead]>:$field,
                       Variadic<Chi_IntOrLanes>:$indices,
                       Optional<Chi_IntOrLanes>:$dynamic,
                       DefaultValuedAttr<I64Attr, "0">:$component,
                       UnitAttr:$inbounds, Optional<Chi_Mask>:$mask);
  let results = (outs Chi_ScalarOrLanes:$result);
  // Without lanes.
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$field,
      "::mlir::ValueRange":$indices, "::mlir::Value":$dynamic,
      "::mlir::IntegerAttr":$component, "::mlir::UnitAttr":$inbounds), [{
      build($_builder, $_state, result, field, indices, dynamic, component, inbounds,
            ::mlir::Value());
    }]>,
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$field,
      "::mlir::ValueRange":$indices, "::mlir::Value":$dynamic,
      "uint64_t":$component, "bool":$inbounds), [{
      build($_builder, $_state, result, field, indices, dynamic, component, inbounds,
            ::mlir::Value());
    }]>];
  let assemblyFormat = [{
    $field `[` ($indices^ `:` type($indices))? `]` (`dynamic` `(` $dynamic^ `:` type($dynamic) `)`)?
    (`component` $component^)? (`inbounds` $inbounds^)?
    (`mask` `(` $mask^ `:` type($mask) `)`)? attr-dict
    `:` type($field) `->` type($result)
  }];
  let extraClassDefinition = [{
    ::mlir::Value $cppClass::getDynamicComponent() { return getDynamic(); }
    void $cppClass::markInbounds() { setInbounds(true); }
    bool $cppClass::isWrite() { return false; }
  }];
}

def Chi_StoreOp : Chi_AccessOp<"store", [AttrSizedOperandSegments]> {
  let summary = "plain store of one scalar";
  let description = [{
    Example:
    ```mlir
    chi.store %v, %x[%i, %j : i32, i32] component 1 : f32, !chi.field<?x?x!chi.vec<2xf32>>
    ```
  }];
  let arguments = (ins Chi_ScalarOrLanes:$value,
                       Arg<Chi_FieldType, "the field", [MemWrite]>:$field,
                       Variadic<Chi_IntOrLanes>:$indices,
                       Optional<Chi_IntOrLanes>:$dynamic,
                       DefaultValuedAttr<I64Attr, "0">:$component,
                       UnitAttr:$inbounds, Optional<Chi_Mask>:$mask);
  // Without lanes.
  let builders = [
    OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$field,
      "::mlir::ValueRange":$indices, "::mlir::Value":$dynamic,
      "::mlir::IntegerAttr":$component, "::mlir::UnitAttr":$inbounds), [{
      build($_builder, $_state, value, field, indices, dynamic, component, inbounds,
            ::mlir::Value());
    }]>,
    OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$field,
      "::mlir::ValueRange":$indices, "::mlir::Value":$dynamic,
      "uint64_t":$component, "bool":$inbounds), [{
      build($_builder, $_state, value, field, indices, dynamic, component, inbounds,
            ::mlir::Value());
    }]>];
  let assemblyFormat = [{
    $value `,` $field `[` ($indices^ `:` type($indices))? `]` (`dynamic` `(` $dynamic^ `:` type($dynamic) `)`)?
    (`component` $component^)? (`inbounds` $inbounds^)?
    (`mask` `(` $mask^ `:` type($mask) `)`)? attr-dict
    `:` type($value) `,` type($field)
  }];
  let extraClassDefinition = [{
    ::mlir::Value $cppClass::getDynamicComponent() { return getDynamic(); }
    void $cppClass::markInbounds() { setInbounds(true); }
    bool $cppClass::isWrite() { return true; }
  }];
}

def Chi_AccumOp : Chi_AccessOp<"accum", [AttrSizedOperandSegments]> {
  let summary = "combine a value into one scalar of a field";
  let description = [{
    Adds (multiplies, …) `value` to the scalar. Commutes with accumulations of
    the same kind only and has no result. In a parallel loop it is atomic;
    `how` says by what means, chosen by `chi-choose-how`.

    Example:
    ```mlir
    chi.accum add %v, %grid[%i, %j : i32, i32] how(private) : f32, !chi.field<128x128xf32>
    ```
  }];
  let arguments = (ins Chi_AccumKindAttr:$kind, Chi_ScalarOrLanes:$value,
                       Arg<Chi_FieldType, "the field", [MemRead, MemWrite]>:$field,
                       Variadic<Chi_IntOrLanes>:$indices,
                       Optional<Chi_IntOrLanes>:$dynamic,
                       DefaultValuedAttr<I64Attr, "0">:$component,
                       UnitAttr:$inbounds,
                       OptionalAttr<Chi_HowAttr>:$how, Optional<Chi_Mask>:$mask);
  // Without lanes.
  let builders = [
    OpBuilder<(ins "::chi::ir::AccumKindAttr":$kind, "::mlir::Value":$value,
      "::mlir::Value":$field, "::mlir::ValueRange":$indices,
      "::mlir::Value":$dynamic, "::mlir::IntegerAttr":$component,
      "::mlir::UnitAttr":$inbounds, "::chi::ir::HowAttr":$how), [{
      build($_builder, $_state, kind, value, field, indices, dynamic, component, inbounds, how,
            ::mlir::Value());
    }]>];
  let assemblyFormat = [{
    `` $kind $value `,` $field `[` ($indices^ `:` type($indices))? `]` (`dynamic` `(` $dynamic^ `:` type($dynamic) `)`)?
    (`component` $component^)? (`inbounds` $inbounds^)? (`how` `` custom<How>($how)^)?
    (`mask` `(` $mask^ `:` type($mask) `)`)? attr-dict
    `:` type($value) `,` type($field)
  }];
  let extraClassDefinition = [{
    ::mlir::Value $cppClass::getDynamicComponent() { return getDynamic(); }
    void $cppClass::markInbounds() { setInbounds(true); }
    bool $cppClass::isWrite() { return true; }
  }];
}

def Chi_AtomicOp : Chi_AccessOp<"atomic", [AttrSizedOperandSegments]> {
  let summary = "atomic update that returns the old value";
  let description = [{
    `cas` stores `value` if the scalar equals `expected`; `load` stores nothing,
    and its `value` is not looked at. The result depends on the order of
    iterations.

    Example:
    ```mlir
    %slot = chi.atomic add %one, %count[%c : i32] : i32, !chi.field<64xi32> -> i32
    %old = chi.atomic cas %new, %x[%i : i32] expects(%e : i32) : i32, !chi.field<64xi32> -> i32
    ```
  }];
  let arguments = (ins Chi_AtomicKindAttr:$kind, Chi_ScalarOrLanes:$value,
                       Arg<Chi_FieldType, "the field", [MemRead, MemWrite]>:$field,
                       Variadic<Chi_IntOrLanes>:$indices,
                       Optional<Chi_IntOrLanes>:$dynamic,
                       Optional<Chi_ScalarOrLanes>:$expected,
                       DefaultValuedAttr<I64Attr, "0">:$component,
                       UnitAttr:$inbounds, Optional<Chi_Mask>:$mask);
  let results = (outs Chi_ScalarOrLanes:$result);
  // Without lanes.
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::chi::ir::AtomicKindAttr":$kind,
      "::mlir::Value":$value, "::mlir::Value":$field,
      "::mlir::ValueRange":$indices, "::mlir::Value":$dynamic,
      "::mlir::Value":$expected, "::mlir::IntegerAttr":$component,
      "::mlir::UnitAttr":$inbounds), [{
      build($_builder, $_state, result, kind, value, field, indices, dynamic, expected, component, inbounds,
            ::mlir::Value());
    }]>];
  let assemblyFormat = [{
    `` $kind $value `,` $field `[` ($indices^ `:` type($indices))? `]` (`dynamic` `(` $dynamic^ `:` type($dynamic) `)`)?
    (`expects` `(` $expected^ `:` type($expected) `)`)?
    (`component` $component^)? (`inbounds` $inbounds^)?
    (`mask` `(` $mask^ `:` type($mask) `)`)? attr-dict
    `:` type($value) `,` type($field) `->` type($result)
  }];
  let extraClassDefinition = [{
    ::mlir::Value $cppClass::getDynamicComponent() { return getDynamic(); }
    void $cppClass::markInbounds() { setInbounds(true); }
    bool $cppClass::isWrite() { return true; }
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
#endif // CHI_FIELD_OPS_TD

//===- ChiHostOps.td - Globals and the run time ------------*- tablegen -*-===//
#ifndef CHI_HOST_OPS_TD
#define CHI_HOST_OPS_TD
include "chi/Dialect/Chi/ChiOpBase.td"

def Chi_GlobalOp : Chi_Op<"global", [Symbol]> {
  let summary = "a top-level field or variable, one scalar or handle";
  let description = [{
    A vec or mat variable is several globals (`@v.0`, `@v.1`). `param` is the
    number of the param whose value it holds. Starts as zero bytes. `noalias`: no
    other variable ever holds its field (`chi-noalias-fields`).
    Example: `chi.global @x : !chi.field<8192xf32>`
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttr:$type, OptionalAttr<I64Attr>:$param,
                       UnitAttr:$noalias);
  let assemblyFormat = "$sym_name `:` $type (`param` $param^)? (`noalias` $noalias^)? attr-dict";
}
def Chi_GlobalLoadOp : Chi_Op<"global_load", [MemoryEffects<[MemRead]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "value of a global; a field handle stays owned by the global";
  let description = [{
    Fails to verify if there is no such global or its type is another.

    Example: `%n = chi.global_load @n : i32`
  }];
  let arguments = (ins FlatSymbolRefAttr:$global);
  let results = (outs Chi_Value:$result);
  let assemblyFormat = "$global attr-dict `:` type($result)";
}
def Chi_GlobalStoreOp : Chi_Op<"global_store", [MemoryEffects<[MemWrite]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "assign a global (host only); fields: see chi.rt for ownership";
  let description = [{
    Checked as chi.global_load is.

    Example: `chi.global_store %f, @x : !chi.field<?xf32>`
  }];
  let arguments = (ins Chi_Value:$value, FlatSymbolRefAttr:$global);
  let assemblyFormat = "$value `,` $global attr-dict `:` type($value)";
}
def Chi_NullOp : Chi_Op<"null", [Pure]> {
  let summary = "no field, no str: what a host variable holds before it is set";
  let description = [{
    Reading it is an error of the program, which the run time reports.

    Example: `%f = chi.null : !chi.field<?xf32>`
  }];
  let results = (outs Chi_Value:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}
def Chi_StrOp : Chi_Op<"str", [Pure]> {
  let summary = "a constant text";
  let description = [{
    Lives as long as the program; never freed.

    Example: `%t = chi.str "mass"`
  }];
  let arguments = (ins StrAttr:$value);
  let results = (outs Chi_StrType:$result);
  let assemblyFormat = "$value attr-dict";
}
def Chi_CastFieldOp : Chi_Op<"cast_field", [Pure]> {
  let summary = "the same field under a type that knows more or less extents";
  let description = [{
    Element, layout and order stay. Whoever casts to extents that the type
    knows has compared them.

    Example: `%y = chi.cast_field %x : !chi.field<?xf32> to !chi.field<8xf32>`
  }];
  let arguments = (ins Chi_FieldType:$field);
  let results = (outs Chi_FieldType:$result);
  let assemblyFormat = "$field attr-dict `:` type($field) `to` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}
def Chi_CompanionOp : Chi_Op<"companion", [Pure]> {
  let summary = "the field that goes with a field: its gradient";
  let description = [{
    Of the extents of `field`; its element is the same, but f32 for f16. Owned by
    the field. A field that was made without `grad=True` has none, which is an
    error of the program that the run time reports, at a site of this place.

    Example: `%g = chi.companion %x : !chi.field<8xf32> -> !chi.field<8xf32>`
  }];
  let arguments = (ins Chi_FieldType:$field);
  let results = (outs Chi_FieldType:$result);
  let assemblyFormat = "$field attr-dict `:` type($field) `->` type($result)";
  let hasVerifier = 1;
}
def Chi_RtOp : Chi_Op<"rt", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "call of a run-time function of chirt/api.def (host only)";
  let description = [{
    Fields and strs are passed as pointers, local arrays as the address of their
    memory, scalars as they are. A function that may fail takes a chirt_site of
    this place before the operands; `at` says its `what`. The verifier holds the
    operands against the list.
    Example: `%f = chi.rt "chirt_field_new"(%d, %r, …) at "field" : (…) -> !chi.field<?xf32>`
  }];
  let arguments = (ins StrAttr:$function, Variadic<AnyTypeOf<[Chi_Value, Chi_LocalType]>>:$inputs,
                       OptionalAttr<StrAttr>:$site);
  let results = (outs Variadic<Chi_Value>:$outputs);
  let assemblyFormat = "$function `(` $inputs `)` (`at` $site^)? attr-dict `:` functional-type($inputs, $outputs)";
  let hasVerifier = 1;
}

def Chi_ParamOp : Chi_Op<"param", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a parameter of the program, for its command line";
  let description = [{
    `type` is that of its scalars as the language names it ("u8", "str");
    `variables` hold them, one for each component of a vec. `fixed` is the text
    of a value that is compiled in. `set_by` stores the default, in the order of
    the params.

    Example: `chi.param "n" : "i32" [@param.n] in [1.0, 64.0] default "8" set_by @chi.default.n`
  }];
  let arguments = (ins StrAttr:$name, StrAttr:$type, FlatSymbolRefArrayAttr:$variables,
                       OptionalAttr<F64Attr>:$low, OptionalAttr<F64Attr>:$high,
                       OptionalAttr<StrArrayAttr>:$choices, StrAttr:$default_text,
                       OptionalAttr<StrAttr>:$fixed, OptionalAttr<FlatSymbolRefAttr>:$set_by,
                       OptionalAttr<StrAttr>:$doc);
  let assemblyFormat = [{
    $name `:` $type $variables (`in` `[` $low^ `,` $high `]`)? (`of` $choices^)?
    `default` $default_text (`fixed` $fixed^)? (`set_by` $set_by^)? (`doc` $doc^)? attr-dict
  }];
  let hasVerifier = 1;
}
def Chi_TestOp : Chi_Op<"test", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a test block of the program";
  let description = [{
    Example: `chi.test "energy is kept" @chi.test.0`
  }];
  let arguments = (ins StrAttr:$name, FlatSymbolRefAttr:$body);
  let assemblyFormat = "$name $body attr-dict";
}
#endif // CHI_HOST_OPS_TD

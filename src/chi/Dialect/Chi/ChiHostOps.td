//===- ChiHostOps.td - Globals and the run time ------------*- tablegen -*-===//
#ifndef CHI_HOST_OPS_TD
#define CHI_HOST_OPS_TD
include "chi/Dialect/Chi/ChiOpBase.td"

def Chi_GlobalOp : Chi_Op<"global", [Symbol]> {
  let summary = "top-level field or variable: one scalar or handle";
  let description = [{
    A vec or mat variable consists of several globals (`@v.0`, `@v.1`). `param`
    is the number of the param whose value it holds. Zero-initialised.
    `noalias`: no other variable ever holds its field (`chi-noalias-fields`).

    Example: `chi.global @x : !chi.field<8192xf32>`
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttr:$type, OptionalAttr<I64Attr>:$param,
                       UnitAttr:$noalias);
  let assemblyFormat = "$sym_name `:` $type (`param` $param^)? (`noalias` $noalias^)? attr-dict";
}
def Chi_GlobalLoadOp : Chi_Op<"global_load", [MemoryEffects<[MemRead]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "read a global";
  let description = [{
    A field handle stays owned by the global. Verification fails if the global
    does not exist or has another type.

    Example: `%n = chi.global_load @n : i32`
  }];
  let arguments = (ins FlatSymbolRefAttr:$global);
  let results = (outs Chi_Value:$result);
  let assemblyFormat = "$global attr-dict `:` type($result)";
}
def Chi_GlobalStoreOp : Chi_Op<"global_store", [MemoryEffects<[MemWrite]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "assign a global (host only)";
  let description = [{
    Verified as chi.global_load is. chi.rt describes the ownership of fields.

    Example: `chi.global_store %f, @x : !chi.field<?xf32>`
  }];
  let arguments = (ins Chi_Value:$value, FlatSymbolRefAttr:$global);
  let assemblyFormat = "$value `,` $global attr-dict `:` type($value)";
}
def Chi_NullOp : Chi_Op<"null", [Pure]> {
  let summary = "no field or no str: the initial value of a host variable";
  let description = [{
    Using it is an error of the program, which the run time reports.

    Example: `%f = chi.null : !chi.field<?xf32>`
  }];
  let results = (outs Chi_Value:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}
def Chi_StrOp : Chi_Op<"str", [Pure]> {
  let summary = "string constant";
  let description = [{
    Has static storage duration; it is never freed.

    Example: `%t = chi.str "mass"`
  }];
  let arguments = (ins StrAttr:$value);
  let results = (outs Chi_StrType:$result);
  let assemblyFormat = "$value attr-dict";
}
def Chi_CastFieldOp : Chi_Op<"cast_field", [Pure]> {
  let summary = "cast a field to a type with more or fewer static extents";
  let description = [{
    Element, layout and order are unchanged. A cast to static extents requires
    that they have been compared before.

    Example: `%y = chi.cast_field %x : !chi.field<?xf32> to !chi.field<8xf32>`
  }];
  let arguments = (ins Chi_FieldType:$field);
  let results = (outs Chi_FieldType:$result);
  let assemblyFormat = "$field attr-dict `:` type($field) `to` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}
def Chi_CompanionOp : Chi_Op<"companion", [Pure]> {
  let summary = "gradient of a field";
  let description = [{
    Has the extents and the element of `field`, but f32 for f16 and bf16. The field
    owns it. A field that was made without `grad=True` has no gradient; this is an
    error of the program, which the run time reports with the site of this
    operation.

    Example: `%g = chi.companion %x : !chi.field<8xf32> -> !chi.field<8xf32>`
  }];
  let arguments = (ins Chi_FieldType:$field);
  let results = (outs Chi_FieldType:$result);
  let assemblyFormat = "$field attr-dict `:` type($field) `->` type($result)";
  let hasVerifier = 1;
}
def Chi_RtOp : Chi_Op<"rt", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "call a run-time function of chirt/api.def (host only)";
  let description = [{
    Fields and strs are passed as pointers, local arrays as the address of their
    memory, scalars by value. A function that can fail takes a chirt_site of
    this operation before the operands; `at` is its `what`. The verifier checks
    the operands against the list.

    Example: `%f = chi.rt "chirt_field_new"(%d, %r, …) at "field" : (…) -> !chi.field<?xf32>`
  }];
  let arguments = (ins StrAttr:$function, Variadic<AnyTypeOf<[Chi_Value, Chi_LocalType]>>:$inputs,
                       OptionalAttr<StrAttr>:$site);
  let results = (outs Variadic<Chi_Value>:$outputs);
  let assemblyFormat = "$function `(` $inputs `)` (`at` $site^)? attr-dict `:` functional-type($inputs, $outputs)";
  let hasVerifier = 1;
}

def Chi_ParamOp : Chi_Op<"param", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "parameter of the program, set on its command line";
  let description = [{
    `type` is the type of its scalars in the language ("u8", "str"); `variables`
    hold them, one for each component of a vec. `fixed` is the text of a value
    that is compiled in. `set_by` stores the default, in the order of the
    params.

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
  let summary = "test block of the program";
  let description = [{
    Example: `chi.test "energy is kept" @chi.test.0`
  }];
  let arguments = (ins StrAttr:$name, FlatSymbolRefAttr:$body);
  let assemblyFormat = "$name $body attr-dict";
}
#endif // CHI_HOST_OPS_TD

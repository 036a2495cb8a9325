//===- ChiValueOps.td - Locals, arithmetic, checks, text ---*- tablegen -*-===//
#ifndef CHI_VALUE_OPS_TD
#define CHI_VALUE_OPS_TD
include "chi/Dialect/Chi/ChiOpBase.td"

def Chi_LocalOp : Chi_Op<"local"> {
  let summary = "make a variable of this iteration or function";
  let description = [{
    A scalar slot starts undefined, an array zeroed. In host code a slot may
    hold a field or a str: `!chi.local<!chi.field<?xf32>>`.

    Example: `%a = chi.local "a" : !chi.local<f32>`
  }];
  let arguments = (ins DefaultValuedAttr<StrAttr, "\"\"">:$name);
  let results = (outs Res<Chi_LocalType, "", [MemAlloc]>:$slot);
  let assemblyFormat = "$name attr-dict `:` type($slot)";
}
def Chi_GetOp : Chi_Op<"get"> {
  let summary = "read a local";
  let description = [{
    Indices: one for each axis of the local; checked by `chi.check` before.

    Example: `%v = chi.get %m[%i, %j : i32, i32] : !chi.local<4x8xf32> -> f32`
  }];
  let arguments = (ins Arg<Chi_LocalType, "", [MemRead]>:$slot, Variadic<Chi_Int>:$indices);
  let results = (outs Chi_Value:$result);
  let assemblyFormat = "$slot (`[` $indices^ `:` type($indices) `]`)? attr-dict `:` type($slot) `->` type($result)";
  let hasVerifier = 1;
}
def Chi_SetOp : Chi_Op<"set"> {
  let summary = "write a local";
  let description = [{
    Indices as in chi.get.

    Example: `chi.set %v, %m[%i, %j : i32, i32] : f32, !chi.local<4x8xf32>`
  }];
  let arguments = (ins Chi_Value:$value, Arg<Chi_LocalType, "", [MemWrite]>:$slot,
                       Variadic<Chi_Int>:$indices);
  let assemblyFormat = "$value `,` $slot (`[` $indices^ `:` type($indices) `]`)? attr-dict `:` type($value) `,` type($slot)";
  let hasVerifier = 1;
}

def Chi_ScratchOp : Chi_Op<"scratch"> {
  let summary = "memory of one iteration that grows where the iteration runs";
  let description = [{
    A local of one axis whose extent is not in its type: chi.reserve makes room,
    chi.get and chi.set use it, with an i64 as index. Holds nothing at first; what
    is read was set before. The local tape of an adjoint task is made of these.

    Example: `%tape = chi.scratch : !chi.local<?xf32>`
  }];
  let results = (outs Res<Chi_LocalType, "", [MemAlloc]>:$slot);
  let assemblyFormat = "attr-dict `:` type($slot)";
  let hasVerifier = 1;
}
def Chi_ReserveOp : Chi_Op<"reserve"> {
  let summary = "room for at least `size` scalars in a scratch";
  let description = [{
    What it holds stays. Does nothing where there is room, or `size` is negative.

    Example: `chi.reserve %tape, %n : i64, !chi.local<?xf32>`
  }];
  let arguments = (ins Arg<Chi_LocalType, "", [MemRead, MemWrite]>:$slot, I64:$size);
  let assemblyFormat = "$slot `,` $size attr-dict `:` type($size) `,` type($slot)";
  let hasVerifier = 1;
}
def Chi_StopGradientOp : Chi_Op<"stop_gradient", [Pure, SameOperandsAndResultType]> {
  let summary = "its operand, as a constant for differentiation";
  let description = [{
    Gone from `optimised` on.

    Example: `%c = chi.stop_gradient %x : f32`
  }];
  let arguments = (ins Chi_FloatOrLanes:$operand);
  let results = (outs Chi_FloatOrLanes:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

class Chi_IntBinary<string name, list<Trait> traits>
    : Chi_Op<name, traits # [NoMemoryEffect, SameOperandsAndResultType]> {
  let arguments = (ins Chi_IntOrLanes:$lhs, Chi_IntOrLanes:$rhs, UnitAttr:$isUnsigned);
  let results = (outs Chi_IntOrLanes:$result);
  let assemblyFormat = "$lhs `,` $rhs (`unsigned` $isUnsigned^)? attr-dict `:` type($result)";
  let hasFolder = 1;
}
def Chi_FloorDivOp : Chi_IntBinary<"floordiv",
    [DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let summary = "Python's //, rounding down; rhs is not zero (checked before)";
  let description = [{
    The smallest integer over -1 wraps.

    Example: `%q = chi.floordiv %a, %b : i32`
  }];
}
def Chi_FloorModOp : Chi_IntBinary<"floormod",
    [DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let summary = "Python's %, with the sign of rhs; rhs is not zero (checked before)";
  let description = [{
    Zero if the smallest integer is taken by -1.

    Example: `%r = chi.floormod %a, %b unsigned : i32`
  }];
}
def Chi_IPowOp : Chi_IntBinary<"ipow", [AlwaysSpeculatable]> {
  let summary = "integer power; rhs is not negative (checked before)";
  let description = [{
    Wraps as multiplication does; anything to the power 0 is 1.

    Example: `%p = chi.ipow %a, %b : i64`
  }];
  let hasCanonicalizeMethod = 1;
}
def Chi_FFloorModOp : Chi_Op<"ffloormod", [Pure, SameOperandsAndResultType]> {
  let summary = "Python's % on floats: the rest, with the sign of rhs";
  let description = [{
    The rest itself is exact; where C's fmod has the other sign than `rhs`,
    `rhs` is added and the sum rounded once. A zero has the sign of `rhs`. Not a
    number if `rhs` is zero or `lhs` infinite.

    Example: `%r = chi.ffloormod %x, %y : f32`
  }];
  let arguments = (ins Chi_FloatOrLanes:$lhs, Chi_FloatOrLanes:$rhs);
  let results = (outs Chi_FloatOrLanes:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}
def Chi_HypotOp : Chi_Op<"hypot", [Pure, SameOperandsAndResultType]> {
  let summary = "length of the hypotenuse, without overflow on the way";
  let description = [{
    sqrt(lhs^2 + rhs^2); infinite if one side is, else not a number if one side
    is none. `chi-expand-math` puts the library's body in its place; without a
    library it is lowered by a quotient.

    Example: `%r = chi.hypot %x, %y : f32`
  }];
  let arguments = (ins Chi_FloatOrLanes:$lhs, Chi_FloatOrLanes:$rhs);
  let results = (outs Chi_FloatOrLanes:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}
def Chi_RootOp : Chi_Op<"root", [Pure, SameOperandsAndResultType]> {
  let summary = "square root whose derivative at 0 is 0; what norm expands to";
  let description = [{
    Else as math.sqrt. An operation of its own, because the derivative of
    math.sqrt at 0 is infinite, and that of a length must not be.

    Example: `%r = chi.root %x fastmath<fast> : f32`
  }];
  let arguments = (ins Chi_FloatOrLanes:$operand,
    DefaultValuedAttr<Arith_FastMathAttr, "::mlir::arith::FastMathFlags::none">:$fastmath);
  let results = (outs Chi_FloatOrLanes:$result);
  let assemblyFormat = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)";
}
def Chi_ToIntOp : Chi_Op<"to_int", [Pure]> {
  let summary = "a float as an integer, towards zero, saturating";
  let description = [{
    Past the range of the integer it is the nearest one, and 0 of a NaN: what
    arith.fptosi leaves undefined is defined here, up to the target. `inrange`:
    the result is known to fit, and poison where it does not; set by
    `chi-checked-casts`.

    Example: `%i = chi.to_int %x unsigned : f32 -> i8`
  }];
  let arguments = (ins Chi_FloatOrLanes:$operand, UnitAttr:$is_unsigned, UnitAttr:$inrange);
  let results = (outs Chi_IntOrLanes:$result);
  let assemblyFormat = [{
    $operand (`unsigned` $is_unsigned^)? (`inrange` $inrange^)? attr-dict
    `:` type($operand) `->` type($result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}
def Chi_OverflowOp : Chi_Op<"overflow", [Pure, SameTypeOperands]> {
  let summary = "true if the signed operation overflows";
  let description = [{
    `kind` is add, sub or mul; what a check of arithmetic asks. It stays in the
    loops, since each target has its own flags.

    Example: `%bad = chi.overflow mul %a, %b : i32`
  }];
  let arguments = (ins Chi_OverflowKindAttr:$kind, Chi_Int:$lhs, Chi_Int:$rhs);
  let results = (outs I1:$result);
  let assemblyFormat = "`` $kind $lhs `,` $rhs attr-dict `:` type($lhs)";
  let hasFolder = 1;
}

def Chi_CheckedOp : Chi_Op<"checked", [MemoryEffects<[MemWrite]>,
                                       SameOperandsAndResultType]> {
  let summary = "signed arithmetic whose overflow ends the program";
  let description = [{
    `kind` is add, sub or mul. One operation for the sum, the question and the
    check, where host code runs once: there nothing is to be proved or hoisted,
    and a script has thousands of them.

    Example: `%r = chi.checked add %a, %b : i32`
  }];
  let arguments = (ins Chi_OverflowKindAttr:$kind, Chi_Int:$lhs, Chi_Int:$rhs);
  let results = (outs Chi_Int:$result);
  let assemblyFormat = "`` $kind $lhs `,` $rhs attr-dict `:` type($lhs)";
  let hasFolder = 1;
}

def Chi_OrdinalOp : Chi_Op<"ordinal", [MemoryEffects<[MemWrite]>]> {
  let summary = "the number of this call of a kernel";
  let description = [{
    How many calls of kernels that draw were made before, since the seed was
    set; wraps at 2^32. Counts: once in a kernel, at its entry.

    Example: `%call = chi.ordinal : i32`
  }];
  let results = (outs I32:$number);
  let assemblyFormat = "attr-dict `:` type($number)";
}

def Chi_IterationOp : Chi_Op<"iteration", [Pure]> {
  let summary = "the number of this iteration of the parallel loop";
  let description = [{
    In the order of the loop's indices, the last one counted fastest; from 0.
    A task that uses it has one body for all its iterations.

    Example: `%i = chi.iteration : i64`
  }];
  let results = (outs I64:$number);
  let assemblyFormat = "attr-dict `:` type($number)";
  let hasVerifier = 1;
}

def Chi_RandomOp : Chi_Op<"random", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "64 random bits";
  let description = [{
    Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2,
    3", SC 2011). Key: seed, and the loop's number; counter: iteration, draw of
    the iteration, ordinal of the kernel's call, and launch index: how often the
    loop was met before in this call. The result is words 0 (low) and 1 of the
    block. IRGen makes it without operands; `chi-number-random` adds them all,
    by which it becomes pure.

    Example: `%bits = chi.random loop 0 call %c launch %l iteration %i draw %n`
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$loop, Optional<I32>:$ordinal,
                       Optional<I32>:$launch_index, Optional<I64>:$iteration,
                       Optional<I32>:$draw);
  let results = (outs I64:$bits);
  // Without a number.
  let builders = [OpBuilder<(ins), [{
    build($_builder, $_state, $_builder.getI64Type(), ::mlir::IntegerAttr(),
          ::mlir::Value(), ::mlir::Value(), ::mlir::Value(), ::mlir::Value());
  }]>];
  let assemblyFormat = [{
    (`loop` $loop^ `call` $ordinal `launch` $launch_index
     `iteration` $iteration `draw` $draw)? attr-dict
  }];
  let hasVerifier = 1;
}

def Chi_CheckOp : Chi_Op<"check", [MemoryEffects<[MemWrite]>,
                                    AttrSizedOperandSegments]> {
  let summary = "stop with an error if a condition is false";
  let description = [{
    If false: records site, iteration and values; then this iteration has no
    further effect and the launch fails. In host code the program ends. `what`
    is the text that the message names (the field, the asserted condition);
    `axis` the axis of a bounds check; `parts` the message of an assert, whose
    run-time values are the last operands. `is_unsigned`: its integers are.
    `row`: the number of its row, in a body for several rows. `iteration`: how
    many of the last operands are the iteration's indices (chi-to-loops). Over lanes (`ok` is a vector) the
    first live lane whose condition is false counts.

    Example: `chi.check bounds %ok (%i, %n : i32, i32) {what = "x", axis = 0 : i64}`
  }];
  let arguments = (ins Chi_CheckKindAttr:$kind, Chi_BoolOrLanes:$ok, Variadic<Chi_ScalarOrLanes>:$values,
                       DefaultValuedAttr<StrAttr, "\"\"">:$what,
                       DefaultValuedAttr<I64Attr, "0">:$axis,
                       OptionalAttr<ArrayAttr>:$parts,
                       OptionalAttr<I64Attr>:$site, UnitAttr:$is_unsigned,
                       OptionalAttr<I64Attr>:$row,
                       OptionalAttr<I64Attr>:$iteration, Optional<Chi_Mask>:$mask);
  // Without lanes.
  let builders = [
    OpBuilder<(ins "::chi::ir::CheckKindAttr":$kind, "::mlir::Value":$ok,
      "::mlir::ValueRange":$values, "::mlir::StringAttr":$what,
      "::mlir::IntegerAttr":$axis, "::mlir::ArrayAttr":$parts,
      "::mlir::IntegerAttr":$site), [{
      build($_builder, $_state, kind, ok, values, what, axis, parts, site,
            ::mlir::UnitAttr(), ::mlir::IntegerAttr(), ::mlir::IntegerAttr(), ::mlir::Value());
    }]>];
  let assemblyFormat = "`` $kind $ok `` custom<BoolLanes>(type($ok)) (` ` `(` $values^ `:` type($values) `)`)? (`mask` `(` $mask^ `:` type($mask) `)`)? attr-dict";
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}

def Chi_PrintOp : Chi_Op<"print", [MemoryEffects<[MemWrite]>]> {
  let summary = "print text with values, as one piece";
  let description = [{
    `parts` is an array of strings (literal text) and dictionaries, each of
    which takes the next `count` values:
    `{shape = array<i64: 2, 2>, type = "f32", spec = ".3f"}` (shape empty for a
    scalar; type one of bool i8…u64 f16 f32 f64 str field; count = product of
    shape). In tasks a str is the number of one of the part's `texts`.

    Example:
    `chi.print ["x = ", {shape = array<i64>, type = "f32"} ] (%x : f32)`
  }];
  let arguments = (ins ArrayAttr:$parts, Variadic<Chi_Value>:$values);
  let assemblyFormat = "$parts (`(` $values^ `:` type($values) `)`)? attr-dict";
  let hasVerifier = 1;
}
def Chi_NoteKinkOp : Chi_Op<"note_kink", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "tells the run time that the iteration lies on a kink";
  let description = [{
    What `chi-note-kinks` puts behind an operation of a task for `chic gradcheck`;
    `what` is its name in the source.

    Example: `chi.note_kink "max"`
  }];
  let arguments = (ins StrAttr:$what);
  let assemblyFormat = "$what attr-dict";
}
def Chi_FormatOp : Chi_Op<"format"> {
  let summary = "text with values as a str; parts as in chi.print";
  let description = [{
    The str has one reference, which its owner releases (`chirt_str_release`).

    Example: `%t = chi.format [{shape = array<i64>, type = "i32"} ] (%n : i32)`
  }];
  let arguments = (ins ArrayAttr:$parts, Variadic<Chi_Value>:$values);
  let results = (outs Res<Chi_StrType, "", [MemAlloc]>:$result);
  let assemblyFormat = "$parts (`(` $values^ `:` type($values) `)`)? attr-dict";
  let hasVerifier = 1;
}
#endif // CHI_VALUE_OPS_TD

//===- ChiValueOps.td - Locals, arithmetic, checks, text ---*- tablegen -*-===//
#ifndef CHI_VALUE_OPS_TD
#define CHI_VALUE_OPS_TD
include "chi/Dialect/Chi/ChiOpBase.td"

def Chi_LocalOp : Chi_Op<"local"> {
  let summary = "allocate a variable of an iteration or function";
  let description = [{
    A scalar slot is uninitialised, an array is zero-initialised. In host code a
    slot may hold a field or a str: `!chi.local<!chi.field<?xf32>>`.

    Example: `%a = chi.local "a" : !chi.local<f32>`
  }];
  let arguments = (ins DefaultValuedAttr<StrAttr, "\"\"">:$name);
  let results = (outs Res<Chi_LocalType, "", [MemAlloc]>:$slot);
  let assemblyFormat = "$name attr-dict `:` type($slot)";
}
def Chi_GetOp : Chi_Op<"get"> {
  let summary = "read a local variable";
  let description = [{
    Takes one index for each axis of the local, which a preceding `chi.check`
    checks.

    Example: `%v = chi.get %m[%i, %j : i32, i32] : !chi.local<4x8xf32> -> f32`
  }];
  let arguments = (ins Arg<Chi_LocalType, "", [MemRead]>:$slot, Variadic<Chi_Int>:$indices);
  let results = (outs Chi_Value:$result);
  let assemblyFormat = "$slot (`[` $indices^ `:` type($indices) `]`)? attr-dict `:` type($slot) `->` type($result)";
  let hasVerifier = 1;
}
def Chi_SetOp : Chi_Op<"set"> {
  let summary = "write a local variable";
  let description = [{
    Takes indices as chi.get does.

    Example: `chi.set %v, %m[%i, %j : i32, i32] : f32, !chi.local<4x8xf32>`
  }];
  let arguments = (ins Chi_Value:$value, Arg<Chi_LocalType, "", [MemWrite]>:$slot,
                       Variadic<Chi_Int>:$indices);
  let assemblyFormat = "$value `,` $slot (`[` $indices^ `:` type($indices) `]`)? attr-dict `:` type($value) `,` type($slot)";
  let hasVerifier = 1;
}

def Chi_ScratchOp : Chi_Op<"scratch"> {
  let summary = "allocate growing memory of one iteration";
  let description = [{
    A local of one axis whose extent is not part of its type. chi.reserve grows
    it; chi.get and chi.set access it with an i64 index. It is empty at first,
    and a scalar must be set before it is read. The local tape of an adjoint
    task consists of such memory.

    Example: `%tape = chi.scratch : !chi.local<?xf32>`
  }];
  let results = (outs Res<Chi_LocalType, "", [MemAlloc]>:$slot);
  let assemblyFormat = "attr-dict `:` type($slot)";
  let hasVerifier = 1;
}
def Chi_ReserveOp : Chi_Op<"reserve"> {
  let summary = "grow a scratch to at least `size` scalars";
  let description = [{
    Preserves the contents. Has no effect if the scratch is large enough or
    `size` is negative.

    Example: `chi.reserve %tape, %n : i64, !chi.local<?xf32>`
  }];
  let arguments = (ins Arg<Chi_LocalType, "", [MemRead, MemWrite]>:$slot, I64:$size);
  let assemblyFormat = "$slot `,` $size attr-dict `:` type($size) `,` type($slot)";
  let hasVerifier = 1;
}
def Chi_StopGradientOp : Chi_Op<"stop_gradient", [Pure, SameOperandsAndResultType]> {
  let summary = "treat the operand as a constant in differentiation";
  let description = [{
    Returns its operand. Removed after differentiation: absent from stage
    `optimised` on.

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
  let summary = "integer division that rounds down (Python's `//`)";
  let description = [{
    A preceding check ensures that `rhs` is not zero. The smallest integer
    divided by -1 wraps.

    Example: `%q = chi.floordiv %a, %b : i32`
  }];
}
def Chi_FloorModOp : Chi_IntBinary<"floormod",
    [DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let summary = "integer remainder with the sign of `rhs` (Python's `%`)";
  let description = [{
    A preceding check ensures that `rhs` is not zero. The remainder of the
    smallest integer and -1 is zero.

    Example: `%r = chi.floormod %a, %b unsigned : i32`
  }];
}
def Chi_IPowOp : Chi_IntBinary<"ipow", [AlwaysSpeculatable]> {
  let summary = "integer power";
  let description = [{
    A preceding check ensures that `rhs` is not negative. The result wraps as in
    multiplication; any base to the power 0 is 1.

    Example: `%p = chi.ipow %a, %b : i64`
  }];
  let hasCanonicalizeMethod = 1;
}
def Chi_FFloorModOp : Chi_Op<"ffloormod", [Pure, SameOperandsAndResultType]> {
  let summary = "float remainder with the sign of `rhs` (Python's `%`)";
  let description = [{
    The remainder of C's fmod, which is exact; if its sign differs from that of
    `rhs`, `rhs` is added and the sum is rounded once. A zero has the sign of
    `rhs`. The result is NaN if `rhs` is zero or `lhs` is infinite.

    Example: `%r = chi.ffloormod %x, %y : f32`
  }];
  let arguments = (ins Chi_FloatOrLanes:$lhs, Chi_FloatOrLanes:$rhs);
  let results = (outs Chi_FloatOrLanes:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}
def Chi_HypotOp : Chi_Op<"hypot", [Pure, SameOperandsAndResultType]> {
  let summary = "length of the hypotenuse, without intermediate overflow";
  let description = [{
    sqrt(lhs^2 + rhs^2). Infinite if one operand is infinite, else NaN if one is
    NaN. `chi-expand-math` replaces it by the library's body; without a library
    it is lowered to arithmetic with a quotient.

    Example: `%r = chi.hypot %x, %y : f32`
  }];
  let arguments = (ins Chi_FloatOrLanes:$lhs, Chi_FloatOrLanes:$rhs);
  let results = (outs Chi_FloatOrLanes:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}
def Chi_RootOp : Chi_Op<"root", [Pure, SameOperandsAndResultType]> {
  let summary = "square root with derivative 0 at 0";
  let description = [{
    Equals math.sqrt in value. The derivative of math.sqrt at 0 is infinite, but
    that of the length of a vector must be finite; `norm` expands to this
    operation.

    Example: `%r = chi.root %x fastmath<fast> : f32`
  }];
  let arguments = (ins Chi_FloatOrLanes:$operand,
    DefaultValuedAttr<Arith_FastMathAttr, "::mlir::arith::FastMathFlags::none">:$fastmath);
  let results = (outs Chi_FloatOrLanes:$result);
  let assemblyFormat = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)";
}
def Chi_ToIntOp : Chi_Op<"to_int", [Pure]> {
  let summary = "convert a float to an integer, towards zero, saturating";
  let description = [{
    A value outside of the integer's range becomes the nearest integer, a NaN 0;
    arith.fptosi leaves both undefined. `inrange`: the result is known to fit,
    and is poison otherwise; set by `chi-checked-casts`.

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
  let summary = "test whether a signed operation overflows";
  let description = [{
    `kind` is add, sub or mul. It computes the condition of overflow checks and
    stays in the loops, because each target detects overflow in another way.

    Example: `%bad = chi.overflow mul %a, %b : i32`
  }];
  let arguments = (ins Chi_OverflowKindAttr:$kind, Chi_Int:$lhs, Chi_Int:$rhs);
  let results = (outs I1:$result);
  let assemblyFormat = "`` $kind $lhs `,` $rhs attr-dict `:` type($lhs)";
  let hasFolder = 1;
}

def Chi_CheckedOp : Chi_Op<"checked", [MemoryEffects<[MemWrite]>,
                                       SameOperandsAndResultType]> {
  let summary = "signed arithmetic that ends the program on overflow";
  let description = [{
    `kind` is add, sub or mul. Combines operation, overflow test and check in
    one operation, for host code that executes once. A script has thousands of
    these, and there is nothing to prove or hoist.

    Example: `%r = chi.checked add %a, %b : i32`
  }];
  let arguments = (ins Chi_OverflowKindAttr:$kind, Chi_Int:$lhs, Chi_Int:$rhs);
  let results = (outs Chi_Int:$result);
  let assemblyFormat = "`` $kind $lhs `,` $rhs attr-dict `:` type($lhs)";
  let hasFolder = 1;
}

def Chi_OrdinalOp : Chi_Op<"ordinal", [MemoryEffects<[MemWrite]>]> {
  let summary = "ordinal of this call of a kernel";
  let description = [{
    The number of earlier calls of kernels that draw random numbers since the
    seed was set; wraps at 2^32. It increments the counter, so it executes once
    in a kernel, at its entry.

    Example: `%call = chi.ordinal : i32`
  }];
  let results = (outs I32:$number);
  let assemblyFormat = "attr-dict `:` type($number)";
}

def Chi_IterationOp : Chi_Op<"iteration", [Pure]> {
  let summary = "number of this iteration of the parallel loop";
  let description = [{
    Counts from 0 in the order of the loop's indices, the last of which varies
    fastest. A task that uses it has one body for all its iterations.

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
    3", SC 2011). The key consists of the seed and the number of the loop; the
    counter of the iteration, the draw within the iteration, the ordinal of the
    kernel's call, and the launch index, which is how often this call has
    launched the loop before. The result is words 0 (low) and 1 of the block.
    IRGen creates it without operands; `chi-number-random` adds all of them,
    which makes it pure.

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
  let summary = "fail if a condition is false";
  let description = [{
    A false condition records site, iteration and values; then this iteration
    has no further effect, and the launch fails. In host code the program ends.
    `what` is the text in the message (the field, the asserted condition),
    `axis` the axis of a bounds check, `parts` the message of an assert, whose
    run-time values are the last operands. `is_unsigned`: its integers are
    unsigned. `row`: the number of its row, in a body for several rows.
    `iteration`: the number of trailing operands that are the indices of the
    iteration (chi-to-loops). Over lanes (`ok` is a vector) the first live lane
    whose condition is false is reported.

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
  let summary = "print text with values, without interleaving";
  let description = [{
    `parts` is an array of strings (literal text) and dictionaries, each of
    which formats the next `count` values: `{shape = array<i64: 2, 2>, type =
    "f32", spec = ".3f"}` (shape empty for a scalar; type one of bool i8…u64 f16
    bf16 f32 f64 str field; count = product of shape). In tasks a str is an index
    into the `texts` of the part.

    Example: `chi.print ["x = ", {shape = array<i64>, type = "f32"} ] (%x : f32)`
  }];
  let arguments = (ins ArrayAttr:$parts, Variadic<Chi_Value>:$values);
  let assemblyFormat = "$parts (`(` $values^ `:` type($values) `)`)? attr-dict";
  let hasVerifier = 1;
}
def Chi_NoteKinkOp : Chi_Op<"note_kink", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "report to the run time that the iteration is at a kink";
  let description = [{
    `chi-note-kinks` inserts it after operations of a task for `chic gradcheck`;
    `what` is the name of the operation in the source.

    Example: `chi.note_kink "max"`
  }];
  let arguments = (ins StrAttr:$what);
  let assemblyFormat = "$what attr-dict";
}
def Chi_FormatOp : Chi_Op<"format"> {
  let summary = "format text with values to a str";
  let description = [{
    `parts` are those of chi.print. The str has one reference, which its owner
    releases (`chirt_str_release`).

    Example: `%t = chi.format [{shape = array<i64>, type = "i32"} ] (%n : i32)`
  }];
  let arguments = (ins ArrayAttr:$parts, Variadic<Chi_Value>:$values);
  let results = (outs Res<Chi_StrType, "", [MemAlloc]>:$result);
  let assemblyFormat = "$parts (`(` $values^ `:` type($values) `)`)? attr-dict";
  let hasVerifier = 1;
}
#endif // CHI_VALUE_OPS_TD

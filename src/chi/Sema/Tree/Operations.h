//===- Operations.h - What the typed tree can compute -----------*- C++ -*-===//
#ifndef CHI_SEMA_TREE_OPERATIONS_H
#define CHI_SEMA_TREE_OPERATIONS_H

#include "llvm/ADT/StringRef.h"

namespace chi::sema {

enum class UnaryOp { Neg, BitNot, Not };

enum class BinaryOp {
  Add,
  Sub,
  Mul,
  Div,
  FloorDiv,
  Mod,
  Pow,
  BitAnd,
  BitOr,
  BitXor,
  Shl,
  Shr,
  Min,
  Max,    ///< Min and Max only as the kind of an accumulation
  MatMul, ///< mat@mat, mat@vec, vec@mat, vec@vec; operands differ in shape
};

/// Whether `x op= e` from several iterations can be done in any order.
constexpr bool isAccumulation(BinaryOp op) {
  return op == BinaryOp::Add || op == BinaryOp::Sub || op == BinaryOp::Mul ||
         op == BinaryOp::BitAnd || op == BinaryOp::BitOr ||
         op == BinaryOp::BitXor || op == BinaryOp::Min || op == BinaryOp::Max;
}

enum class CompareOp { Eq, Ne, Lt, Le, Gt, Ge };

/// Functions known to the compiler. The comment gives operands → result; V is
/// a scalar, vec or mat of floats (elementwise), N of any numbers.
enum class Builtin {
  // math, V → V; two operands where said
  Sqrt,
  Rsqrt,
  Exp,
  Exp2,
  Expm1,
  Log,
  Log2,
  Log10,
  Log1p,
  Sin,
  Cos,
  Tan,
  Asin,
  Acos,
  Atan,
  Sinh,
  Cosh,
  Tanh,
  Asinh,
  Acosh,
  Atanh,
  Cbrt,
  Erf,
  Erfc,
  Floor,
  Ceil,
  Round,
  Trunc,
  Atan2,
  Hypot,
  Copysign,
  Fmod, ///< V, V → V
  Fma,  ///< V, V, V → V
  IsNan,
  IsInf,
  IsFinite, ///< V → bool or vec of bool
  Abs,
  Sign, ///< N → N
  Min,
  Max,        ///< N, N → N (many are folded by sema)
  Clamp,      ///< N x, N low, N high
  Mix,        ///< V a, V b, V t: a + (b - a) * t
  Step,       ///< V edge, V x: 0 if x < edge, else 1
  SmoothStep, ///< V low, V high, V x: 3 t² - 2 t³, t from 0 at low to 1 at high
  StopGradient, ///< V → V: the value, of which no derivative is taken
  // vec and mat
  Dot,
  Cross,
  Outer,
  Norm, ///< Norm: v, eps → sqrt(v.v + eps)
  NormSqr,
  Normalized, ///< Normalized: v, eps
  Transpose,
  Determinant,
  Inverse,
  Trace,
  Column, ///< Column: m, j
  Diag,
  Identity, ///< Identity: no operand, type says which
  Sum,
  Product,
  MinElement,
  MaxElement,
  All,
  Any, ///< vec or mat → scalar
  // elementwise, of operands of several types
  Choose, ///< bools, N, N → N: the second where the first holds, else the third
  Ldexp,  ///< V of f32 or f64, i32s: x * 2**n, rounded once
  Exponent, ///< V of f32 or f64 → i32s: e of x = m * 2**e, 0.5 <= |m| < 1; of
            ///< 0,
            ///< infinities and NaN 0
  // integers → the same type; of 0 the zeros are all bits
  PopCount,
  CountLeadingZeros,
  CountTrailingZeros,
  MulHigh, ///< on u32, u64
};

enum class AtomicOp {
  Add,
  Sub,
  Mul,
  And,
  Or,
  Xor,
  Min,
  Max,
  Exchange,
  Cas,
  Load
};

/// What only host code does. Operands in `args`.
enum class HostOp {
  MakeField,  ///< type says element, rank, layout, order; args: extents; text:
              ///< "grad", "dual", "grad;dual" or ""
  LoadFile,   ///< args: path, or path and name in it; type: field with unknown
              ///< extents, or of a name also a scalar, vec, mat or str; text:
              ///< "cast" or ""
  SaveFile,   ///< args: path, field; text: "axes=xy" or ""
  SaveNamed,  ///< args: path, values; their names in `names`
  AppendRow,  ///< args: path, values; their names in `names`
  FileExists, ///< args: path → bool
  EnvValue,   ///< args: name, value where it is not set → its type
  FieldFill,  ///< args: field, value of the element type
  FieldCopy,  ///< args: destination, source
  FieldSum,   ///< args: field; of integers as f64: without wrapping
  FieldMin,
  FieldMax, ///< args: field → element type (float sums:
            ///< computed in f64, then type)
  FieldArgMin,
  FieldArgMax, ///< args: field of scalars → i64, or ivec for rank > 1
  FieldDot,    ///< args: a, b → scalar f64
  TimeNow,     ///< → f64 seconds
  Exit,        ///< args: i32
  Sync,
  Report,     ///< args: values; names in `names`
  KernelGrad, ///< text: the kernel's `gradName`
  FieldView,  ///< args: field, then i64s; text: for each axis of the field
              ///< which of these there are, ended by ",": "i" an index, "b",
              ///< "e", "s" begin, end and step of a slice
  Run,        ///< args: those of the function `text` of the run time, but
              ///< its site
  Search,     ///< the same; the last one goes as words (chirt_word)
  MakeObject, ///< args: elements of the new list or set; key, value, key, …;
              ///< of a class those members whose numbers are `text`: "0 2"
  ListAt,     ///< args: list, i64 → element; below 0 from the end
  ListPut,    ///< args: list, i64, element
  ListPush,   ///< args: list, element
  ListInsert, ///< args: list, i64, element
  ListPop,    ///< args: list, i64 → element
  DictAt,     ///< args: dict, key → value, which is there
  DictGet,    ///< args: dict, key, value if there is none → value
  DictPut,    ///< args: dict, key, value; set, element
  DictPop,    ///< args: dict, key → value; set → element
  MemberAt,   ///< args: object of a class, number of a member → member
  MemberPut,  ///< args: object of a class, number of a member, value
};

/// Which bounds the slice of a list or str has: a chirt_slice_flag.
inline constexpr int kSliceBegin = 2, kSliceEnd = 4;

/// The chirt_dtype of i8 and u8, which the wider ones follow.
inline constexpr int kFirstSigned = 1, kFirstUnsigned = 5;

/// An operator, a function as the user writes it.
llvm::StringRef spelling(BinaryOp op);
/// The operator as programs write it.
llvm::StringRef spelling(CompareOp op);
/// The name of the function in dumps.
llvm::StringRef builtinName(Builtin op);

} // namespace chi::sema
#endif // CHI_SEMA_TREE_OPERATIONS_H

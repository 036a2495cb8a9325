//===- Tree.h - The typed tree: what sema hands on --------------*- C++ -*-===//
// A program with every name, type and overload resolved. Generic functions
// appear once for each set of argument types; `static` conditions are decided,
// `static` loops and loops over tuples unrolled; literals have a precision;
// conversions are explicit (Cast, Splat); constants are literals; operands of
// an elementwise operator have one type; default arguments are filled in.
// Names of builtin methods are gone: they are Builtin and HostOp nodes.
#ifndef CHI_SEMA_TREE_H
#define CHI_SEMA_TREE_H

#include "chi/Sema/Types.h"
#include "chi/Source/SourceFiles.h"
#include "llvm/Support/Casting.h"
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace chi::sema {

struct Function;
struct Expr;

/// A local variable or parameter of a function: one object for each scope's
/// variable. Variables of Field type are host only (a reference).
struct Variable {
  std::string name;
  TypeRef type = nullptr;
  SourceRange range;
  bool isParameter = false;
  /// Indexed by a run-time value somewhere (vec, mat): keep it in memory if
  /// it has more than 16 scalars.
  bool hasDynamicIndex = false;
  /// Kernel level (outside its parallel loops): a reduction target or a value
  /// that later tasks read.
  bool isKernelLevel = false;
};

/// A top-level variable of a module that is not a compile-time constant.
/// Fields: extents in the type are static where every assignment agrees.
struct Global {
  std::string name; ///< unique in the program: "x", "fluid.p"
  TypeRef type = nullptr;
  SourceRange range;
};

enum class ExprKind {
  Literal, Variable, Global, Param, Unary, Binary, Compare, Logical, Select,
  Cast, Splat, Construct, Extract, Builtin, Call, Load, Dim, Random, Atomic,
  Format, HostOp, StringLiteral, Let,
};

struct Expr {
  ExprKind kind;
  TypeRef type = nullptr;
  SourceRange range;

protected:
  explicit Expr(ExprKind kind) : kind(kind) {}
};
template <ExprKind K> struct ExprOf : Expr {
  ExprOf() : Expr(K) {}
  static bool classof(const Expr *e) { return e->kind == K; }
};

/// A bool, integer or float. `integer` holds bools and integers (unsigned
/// ones as their bit pattern), `real` floats, already rounded to `type`.
struct LiteralExpr : ExprOf<ExprKind::Literal> {
  int64_t integer = 0;
  double real = 0;
};
struct StringLiteralExpr : ExprOf<ExprKind::StringLiteral> {
  std::string value;
};
struct VariableExpr : ExprOf<ExprKind::Variable> {
  Variable *variable = nullptr;
};
struct GlobalExpr : ExprOf<ExprKind::Global> {
  Global *global = nullptr;
};
/// A param whose value is known at run time only (others are literals).
struct ParamExpr : ExprOf<ExprKind::Param> {
  unsigned index = 0; ///< in Program::params
};

enum class UnaryOp { Neg, BitNot, Not };
/// Elementwise on vec and mat.
struct UnaryExpr : ExprOf<ExprKind::Unary> {
  UnaryOp op = UnaryOp::Neg;
  Expr *operand = nullptr;
};

enum class BinaryOp {
  Add, Sub, Mul, Div, FloorDiv, Mod, Pow, BitAnd, BitOr, BitXor, Shl, Shr,
  Min, Max, ///< Min and Max only as the kind of an accumulation
  MatMul,   ///< mat@mat, mat@vec, vec@mat, vec@vec; operands differ in shape
};
/// Both operands have the type of the result (elementwise), but for MatMul;
/// Pow may have an integer exponent (`x ** 2`: lhs float, rhs i32 or i64).
/// Bit operators on bool are logical.
struct BinaryExpr : ExprOf<ExprKind::Binary> {
  BinaryOp op = BinaryOp::Add;
  Expr *lhs = nullptr, *rhs = nullptr;
  SourceRange opRange;
};
enum class CompareOp { Eq, Ne, Lt, Le, Gt, Ge };
/// Operands of one type, scalars, vec, mat or str; the result is bool or a
/// vec/mat of bool. Chains are expanded by sema into Logical of Compare with
/// middle operands held in variables (LetExpr) unless they are cheap and pure.
struct CompareExpr : ExprOf<ExprKind::Compare> {
  CompareOp op = CompareOp::Eq;
  Expr *lhs = nullptr, *rhs = nullptr;
};
/// Short circuit, on bool.
struct LogicalExpr : ExprOf<ExprKind::Logical> {
  bool isAnd = true;
  Expr *lhs = nullptr, *rhs = nullptr;
};
/// `thenValue if condition else elseValue`: only the taken side is evaluated.
struct SelectExpr : ExprOf<ExprKind::Select> {
  Expr *condition = nullptr, *thenValue = nullptr, *elseValue = nullptr;
};
/// Converts a scalar, or each element, to the scalar of `type`. Float to int
/// truncates; to bool is `!= 0`. `isBitcast`: same bits, other type
/// (intrinsics of stdlib/internal).
struct CastExpr : ExprOf<ExprKind::Cast> {
  Expr *operand = nullptr;
  bool isBitcast = false;
};
/// Fills a vec, mat or array with one scalar.
struct SplatExpr : ExprOf<ExprKind::Splat> {
  Expr *operand = nullptr;
};
/// A vec, mat or tuple from parts. For vec and mat the parts are scalars in
/// row-major order or vecs that are concatenated (scalars count as one).
struct ConstructExpr : ExprOf<ExprKind::Construct> {
  std::vector<Expr *> parts;
};
/// One component: `v[i]`, `m[i, j]`, a row `m[i]`, an array's element, a
/// member of a tuple (index a Literal), a swizzle (`components` non-empty,
/// `indices` empty, type a vec or, for one component, a scalar).
/// Run-time indices are bounds-checked.
struct ExtractExpr : ExprOf<ExprKind::Extract> {
  Expr *base = nullptr;
  std::vector<Expr *> indices;
  std::vector<unsigned> components;
};

/// Functions known to the compiler. The comment gives operands → result; V is
/// a scalar, vec or mat of floats (elementwise), N of any numbers.
enum class Builtin {
  // math, V → V; two operands where said
  Sqrt, Rsqrt, Exp, Exp2, Expm1, Log, Log2, Log10, Log1p, Sin, Cos, Tan, Asin,
  Acos, Atan, Sinh, Cosh, Tanh, Asinh, Acosh, Atanh, Cbrt, Erf, Erfc, Floor,
  Ceil, Round, Trunc,
  Atan2, Hypot, Copysign, Fmod, ///< V, V → V
  Fma,                          ///< V, V, V → V
  IsNan, IsInf, IsFinite,       ///< V → bool or vec of bool
  Abs, Sign,                    ///< N → N
  Min, Max,                     ///< N, N → N (many are folded by sema)
  Clamp,                        ///< N x, N low, N high
  Mix,                          ///< V a, V b, V t: a + (b - a) * t
  // vec and mat
  Dot, Cross, Outer, Norm, ///< Norm: v, eps → sqrt(v.v + eps)
  NormSqr, Normalized,     ///< Normalized: v, eps
  Transpose, Determinant, Inverse, Trace, Column, ///< Column: m, j
  Diag, Identity,          ///< Identity: no operand, type says which
  Sum, Product, MinElement, MaxElement, All, Any, ///< vec or mat → scalar
  // integers (intrinsics of stdlib/internal)
  PopCount, CountLeadingZeros, MulHigh, ///< on u32, u64
};
struct BuiltinExpr : ExprOf<ExprKind::Builtin> {
  Builtin op = Builtin::Sqrt;
  std::vector<Expr *> args;
};
/// A call of a function instance; of a kernel too (host only: a launch).
struct CallExpr : ExprOf<ExprKind::Call> {
  Function *callee = nullptr;
  std::vector<Expr *> args;
};
/// An element of a field, or a component of it: `x[i, j]`, `x[p].y`,
/// `F[p][0, 1]`. `indices` has one integer for each axis. `path` (empty: the
/// whole element) holds the component indices as ExtractExpr does: {k} of a
/// vec, {r, c} or {r} (a row) of a mat.
struct LoadExpr : ExprOf<ExprKind::Load> {
  Expr *field = nullptr;
  std::vector<Expr *> indices, path;
};
/// `x.shape[d]`, an i32 or i64 by [Loop.4].
struct DimExpr : ExprOf<ExprKind::Dim> {
  Expr *field = nullptr;
  unsigned axis = 0;
};
/// random() of f32, f64 or u32, u64 (`isNormal`: randn()).
struct RandomExpr : ExprOf<ExprKind::Random> {
  bool isNormal = false;
};
enum class AtomicOp { Add, Sub, And, Or, Xor, Min, Max, Exchange, Cas };
/// Returns the old value of the element.
struct AtomicExpr : ExprOf<ExprKind::Atomic> {
  AtomicOp op = AtomicOp::Add;
  Expr *field = nullptr;
  std::vector<Expr *> indices, path;
  Expr *value = nullptr;
  Expr *expected = nullptr; ///< of Cas
};

/// A piece of formatted text: literal text, or a value with a format spec of
/// Python's mini-language (checked by sema against the type).
struct FormatPart {
  std::string text;
  Expr *value = nullptr;
  std::string spec;
};
/// An f-string as a str.
struct FormatExpr : ExprOf<ExprKind::Format> {
  std::vector<FormatPart> parts;
};

/// Evaluates `value` once, binds it to `variable`, then gives `body`. Made
/// where a value with effects (a call, a random number) is needed twice in one
/// expression: the middle of a chained comparison, an ivec as an index.
struct LetExpr : ExprOf<ExprKind::Let> {
  Variable *variable = nullptr;
  Expr *value = nullptr;
  Expr *body = nullptr;
};

/// What only host code does. Operands in `args`.
enum class HostOp {
  MakeField,   ///< type says element, rank, layout, order; args: extents
  LoadFile,    ///< args: path; type: field with unknown extents
  SaveFile,    ///< args: path, field; text: "axes=xy" or ""
  FieldFill,   ///< args: field, value of the element type
  FieldCopy,   ///< args: destination, source
  FieldSum, FieldMin, FieldMax, ///< args: field → element type (float sums:
                                ///< computed in f64, then type)
  FieldArgMax, ///< args: field of scalars → i64, or ivec for rank > 1
  FieldDot,    ///< args: a, b → scalar f64
  TimeNow,     ///< → f64 seconds
  Exit,        ///< args: i32
  Sync,
  Report,      ///< args: values; names in `names`
};
struct HostOpExpr : ExprOf<ExprKind::HostOp> {
  HostOp op = HostOp::Sync;
  std::vector<Expr *> args;
  std::vector<std::string> names;
  std::string text;
};

/// Something that can be assigned to.
struct Place {
  enum Kind { Local, TopLevel, Element } kind = Local;
  Variable *variable = nullptr; ///< Local
  Global *global = nullptr;     ///< TopLevel
  Expr *field = nullptr;        ///< Element
  std::vector<Expr *> indices;  ///< Element: one for each axis
  /// A component of the variable's or element's value, as in LoadExpr; an
  /// array's index has one entry for each of its axes, then the path inside.
  std::vector<Expr *> path;
  TypeRef type = nullptr; ///< of what is assigned
  SourceRange range;
};

enum class StmtKind {
  Expr, Assign, Accumulate, If, While, For, Unrolled, Break, Continue, Return,
  Assert, Print, Block,
};
struct Stmt {
  StmtKind kind;
  SourceRange range;

protected:
  explicit Stmt(StmtKind kind) : kind(kind) {}
};
template <StmtKind K> struct StmtOf : Stmt {
  StmtOf() : Stmt(K) {}
  static bool classof(const Stmt *s) { return s->kind == K; }
};
using Body = std::vector<Stmt *>;

struct ExprStmt : StmtOf<StmtKind::Expr> {
  Expr *value = nullptr;
};
/// Value and place have one type. Field variables are bound anew. Multiple
/// assignment (`a, b = b, a`) is expanded by sema with temporaries.
struct AssignStmt : StmtOf<StmtKind::Assign> {
  Place place;
  Expr *value = nullptr;
};
/// `place op= value`; also `a = min(a, e)` on a kernel-level local. On an
/// Element in a parallel loop it is atomic by meaning ([At.1]) for Add, Sub,
/// Mul, BitAnd, BitOr, BitXor, Min, Max.
struct AccumulateStmt : StmtOf<StmtKind::Accumulate> {
  Place place;
  BinaryOp op = BinaryOp::Add;
  Expr *value = nullptr;
};
struct IfStmt : StmtOf<StmtKind::If> {
  Expr *condition = nullptr;
  Body thenBody, elseBody;
};
/// `prelude` runs before each evaluation of the condition (chained compares).
struct WhileStmt : StmtOf<StmtKind::While> {
  Body prelude;
  Expr *condition = nullptr;
  Body body;
};
/// Loops over a product of ranges, or over all indices of a field.
/// Host loops and serial ones have no more than nested meaning: the last axis
/// runs fastest.
struct ForStmt : StmtOf<StmtKind::For> {
  std::vector<Variable *> variables; ///< one for each axis, of integer type
  struct Range {
    Expr *begin = nullptr, *end = nullptr;
    Expr *step = nullptr; ///< null: 1; only with one axis
  };
  std::vector<Range> ranges; ///< empty if `field` is set
  Expr *field = nullptr;
  bool isParallel = false; ///< outermost loop of a kernel
  bool showsProgress = false;
  int64_t block = 0;
  Body body;
};
/// An unrolled loop: `break` and `continue` inside refer to it.
struct UnrolledStmt : StmtOf<StmtKind::Unrolled> {
  std::vector<Body> bodies;
};
struct BreakStmt : StmtOf<StmtKind::Break> {};
struct ContinueStmt : StmtOf<StmtKind::Continue> {};
struct ReturnStmt : StmtOf<StmtKind::Return> {
  Expr *value = nullptr; ///< may be null
};
struct AssertStmt : StmtOf<StmtKind::Assert> {
  Expr *condition = nullptr;
  std::string conditionText;       ///< as written
  std::vector<FormatPart> message; ///< may be empty
  /// Of a comparison: its two sides, for the message. May be null.
  Expr *lhs = nullptr, *rhs = nullptr;
};
/// `print(a, b)` becomes parts joined by " " (or `sep`) and closed by `end`.
struct PrintStmt : StmtOf<StmtKind::Print> {
  std::vector<FormatPart> parts;
};
struct BlockStmt : StmtOf<StmtKind::Block> {
  Body body;
};

/// An instance of a function or kernel, or the script.
struct Function {
  std::string name;    ///< unique symbol: "norm", "norm.2"
  std::string display; ///< for people: "norm(vec2)"
  SourceRange range;   ///< of the name
  bool isKernel = false;
  bool isHostOnly = false; ///< does I/O, allocates, launches …
  bool isStrict = false;   ///< @kernel(float="strict")
  int lanes = 0;           ///< @kernel(lanes=n), 0: the compiler decides
  int64_t block = 0;       ///< @kernel(block=n)
  std::vector<Variable *> params;
  TypeRef result = nullptr; ///< void type if none; a Tuple type for several
  Body body;
};

/// A `param`. Its default is evaluated at start-up, in order, by `defaultValue`
/// unless the command line gives a value.
struct Param {
  std::string name; ///< as written
  TypeRef type = nullptr;
  SourceRange range;
  std::string doc;
  std::string defaultText; ///< as written, for help
  Expr *defaultValue = nullptr;
  Expr *low = nullptr, *high = nullptr;
  std::vector<Expr *> choices;
  /// Compiled in: then `VariableExpr`s of it never occur, and `fixedText` is
  /// its value as a command line would give it.
  bool isFixed = false;
  std::string fixedText;
};

struct TestBlock {
  std::string name;
  Function *function = nullptr;
};

/// A whole program, with the memory of its nodes.
struct Program {
  std::vector<std::unique_ptr<Param>> params;
  std::vector<std::unique_ptr<Global>> globals;
  /// Callees stand before callers.
  std::vector<std::unique_ptr<Function>> functions;
  Function *script = nullptr; ///< top-level statements, then main()
  std::vector<TestBlock> tests;

  template <typename T> T *make() {
    auto owned = std::make_shared<T>();
    T *raw = owned.get();
    memory.push_back(std::move(owned));
    return raw;
  }

private:
  std::deque<std::shared_ptr<void>> memory;
};

} // namespace chi::sema
#endif // CHI_SEMA_TREE_H

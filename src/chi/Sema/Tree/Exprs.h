//===- Exprs.h - Expressions of the typed tree ------------------*- C++ -*-===//
#ifndef CHI_SEMA_TREE_EXPRS_H
#define CHI_SEMA_TREE_EXPRS_H

#include "chi/Sema/Tree/Operations.h"
#include "chi/Sema/Tree/Types.h"
#include "chi/Source/SourceFiles.h"
#include "llvm/Support/Casting.h"
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
  bool hasWrittenType = false; ///< an annotation
  /// Indexed by a run-time value somewhere (vec, mat): keep it in memory if
  /// it has more than 16 scalars.
  bool hasDynamicIndex = false;
  /// A parallel loop updates a component of it that is found at run time.
  bool isReducedAtRunTime = false;
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
  bool hasWrittenType = false; ///< an annotation
};

/// A step from a value to a part of it.
struct PathStep {
  /// Along the next axis of a vec, mat or array, by an integer.
  PathStep(Expr *index) : index(index) {}
  /// To a member of a tuple or class, by its number in Type::members.
  static PathStep ofMember(unsigned number) {
    PathStep step(nullptr);
    step.member = number;
    return step;
  }
  bool isMember() const { return !index; }

  Expr *index;         ///< null: a member
  unsigned member = 0; ///< if it is one
};
/// From a value to a part of it: {k} of a vec, {r, c} or {r} (a row) of a mat,
/// one index for each axis of an array and then the path in its element, the
/// member of a tuple or class. Run-time indices are bounds-checked.
using Path = std::vector<PathStep>;

enum class ExprKind {
  Literal,
  Variable,
  Global,
  Param,
  Unary,
  Binary,
  Compare,
  Logical,
  Select,
  Cast,
  Splat,
  Construct,
  Extract,
  Builtin,
  Call,
  Load,
  Dim,
  Companion,
  Random,
  Atomic,
  Format,
  HostOp,
  StringLiteral,
  Let,
  Block,
};

struct Expr {
  ExprKind kind;
  TypeRef type = nullptr;
  SourceRange range;
  /// The value of a cast that the user wrote: its precision is meant.
  bool isWritten = false;

protected:
  explicit Expr(ExprKind kind) : kind(kind) {}
};
template <ExprKind K> struct ExprOf : Expr {
  ExprOf() : Expr(K) {}
  /// For llvm::isa and dyn_cast: one kind is one type of node.
  static bool classof(const Expr *e) { return e->kind == K; }
};

/// A bool, integer or float. `integer` holds bools and integers (unsigned
/// ones as their bit pattern), `real` floats, already rounded to `type`.
struct LiteralExpr : ExprOf<ExprKind::Literal> {
  int64_t integer = 0;
  double real = 0;
  /// Where the compiler folded finite numbers to nan or infinity, if it did;
  /// and the source text there.
  SourceRange madeAt;
  llvm::StringRef madeOf;
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

/// Elementwise on vec and mat.
struct UnaryExpr : ExprOf<ExprKind::Unary> {
  UnaryOp op = UnaryOp::Neg;
  Expr *operand = nullptr;
};

/// Both operands have the type of the result (elementwise), except for MatMul;
/// Pow may have an integer exponent (`x ** 2`: lhs float, rhs i32 or i64).
/// Bit operators on bool are logical.
struct BinaryExpr : ExprOf<ExprKind::Binary> {
  BinaryOp op = BinaryOp::Add;
  Expr *lhs = nullptr, *rhs = nullptr;
  SourceRange opRange;
};
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
  /// What it is whenever its evaluation ends: `f(x) and False`.
  std::optional<bool> outcome;
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
/// A vec, mat, tuple or class from parts. For vec and mat the parts are scalars
/// in row-major order or vecs that are concatenated (scalars count as one).
struct ConstructExpr : ExprOf<ExprKind::Construct> {
  std::vector<Expr *> parts;
};
/// One component: `v[i]`, `m[i, j]`, a row `m[i]`, an array's element, a
/// member of a tuple or class (`path` has one step), a swizzle (`components`
/// non-empty, `path` empty, type a vec or, for one component, a scalar).
struct ExtractExpr : ExprOf<ExprKind::Extract> {
  Expr *base = nullptr;
  Path path;
  std::vector<unsigned> components;
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
/// whole element) leads to the component. A member of an element of a class is
/// an element of the member's field.
struct LoadExpr : ExprOf<ExprKind::Load> {
  Expr *field = nullptr;
  std::vector<Expr *> indices;
  Path path;
};
/// `x.shape[d]`, an i32 or i64 by [Loop.4].
struct DimExpr : ExprOf<ExprKind::Dim> {
  Expr *field = nullptr;
  unsigned axis = 0;
};
/// `x.grad`, or `x.dual` (`isDual`): a field as `x` is, of f32 where that is of
/// f16.
struct CompanionExpr : ExprOf<ExprKind::Companion> {
  Expr *field = nullptr;
  bool isDual = false;
};
/// random() of f32, f64 or u32, u64 (`isNormal`: randn()); with limits of any
/// numbers, `random(low, high)`.
struct RandomExpr : ExprOf<ExprKind::Random> {
  bool isNormal = false;
  Expr *low = nullptr, *high = nullptr; ///< both or none
};
/// Returns the old value of the element.
struct AtomicExpr : ExprOf<ExprKind::Atomic> {
  AtomicOp op = AtomicOp::Add;
  Expr *field = nullptr;
  std::vector<Expr *> indices;
  Path path;
  Expr *value = nullptr;    ///< null of Load
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
/// expression: the middle of a chained comparison, an ivec as an index. Also
/// assigns a variable of the program: what a method has changed.
struct LetExpr : ExprOf<ExprKind::Let> {
  Variable *variable = nullptr;
  Global *global = nullptr; ///< assigned in its place
  Expr *value = nullptr;
  Expr *body = nullptr;
};

struct Stmt;
/// Runs `body`, then gives `value`: a comprehension. Host only.
struct BlockExpr : ExprOf<ExprKind::Block> {
  std::vector<Stmt *> body;
  Expr *value = nullptr;
  /// The operation of a comprehension that keeps an element.
  struct HostOpExpr *keeps = nullptr;
};

struct HostOpExpr : ExprOf<ExprKind::HostOp> {
  HostOp op = HostOp::Sync;
  std::vector<Expr *> args;
  std::vector<std::string> names;
  std::string text;
};

} // namespace chi::sema
#endif // CHI_SEMA_TREE_EXPRS_H

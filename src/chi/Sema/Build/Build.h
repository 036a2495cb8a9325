//===- Build.h - Making typed expressions -----------------------*- C++ -*-===//
// Folding, conversions and the precision of literals; nothing about names.
//
// Note [Untyped]: an expression of literals alone, and an operator over them
// and integers that has no float of a type in it, has an *untyped* scalar
// (TypeContext::untypedInt, untypedFloat). `materialise` gives such a tree its
// precision later, when an operand with a type, or the context, decides it.
// A node of an untyped tree stands in one place only.
#ifndef CHI_SEMA_BUILD_BUILD_H
#define CHI_SEMA_BUILD_BUILD_H

#include "chi/Diagnostics/Diagnostics.h"
#include "chi/Sema/Build/Options.h"
#include "chi/Sema/Tree/Tree.h"
#include "llvm/ADT/DenseSet.h"

namespace chi::sema {

/// Every literal of the tree is one of these: it keeps the exact value that
/// it was written with, so that it can take another precision.
struct ExactLiteral : LiteralExpr {
  __int128 exact = 0;      ///< of integers and bools
  double exactReal = 0;    ///< of floats
  bool isFlexible = false; ///< was untyped
  bool isRounded = false;  ///< `exactReal` is not what was written any more
  /// A float that is infinite in the precision it was given, but was not.
  bool isTooLarge = false;
};

/// Whether a float's precision has no number of its size.
bool isRoundedToInfinity(const ExactLiteral &literal);
/// Whether a type is that of literals whose precision is not decided yet.
bool isUntyped(TypeRef type);
/// A scalar, vec or mat.
bool hasNumbers(TypeRef type);
/// Whether an expression stands for one that was reported.
bool isError(const Expr *expr);
/// A literal, or a vec, mat, array or tuple of such.
bool isConstant(const Expr *expr);
/// The value of an integer or bool literal.
std::optional<int64_t> constantInt(const Expr *expr);
/// The value in decimal digits.
std::string intText(__int128 value);
/// The names of two types for a message that says how they differ: `Type::str`,
/// and where that is one text for both, the layouts or orders of the fields.
std::pair<std::string, std::string> distinctNames(TypeRef a, TypeRef b);

/// Why a value is converted, for messages: "store", "argument".
struct Target {
  TypeRef type = nullptr;
  const char *what = "value"; ///< "`x`", "the result"
};

class Builder {
public:
  Builder(const SourceFiles &sources, Program &program, TypeContext &types,
          const Options &options, DiagnosticEngine &diags)
      : sources(sources), types(types), options(options), diags(diags),
        program(program) {}

  // -- nodes ---------------------------------------------------------------
  /// A new expression or variable of the program, with this range and type.
  template <typename T> T *make(SourceRange range, TypeRef type) {
    T *node = program.make<T>();
    node->range = range;
    node->type = type;
    return node;
  }
  /// A new statement of the program; it is in no body yet.
  template <typename T> T *makeStmt(SourceRange range) {
    T *stmt = program.make<T>();
    stmt->range = range;
    return stmt;
  }
  /// An expression that stands for one that was reported.
  Expr *error(SourceRange range);
  /// A literal of an integer type, or an untyped one.
  ExactLiteral *intLiteral(SourceRange range, __int128 value, TypeRef type);
  /// A literal of a float type, or an untyped one.
  ExactLiteral *realLiteral(SourceRange range, double value, TypeRef type);
  /// A literal of type bool.
  ExactLiteral *boolLiteral(SourceRange range, bool value);
  /// A read of a variable.
  Expr *variable(SourceRange range, Variable *variable);
  /// A vec, mat, array or tuple; vec parts are flattened if constant.
  Expr *construct(SourceRange range, TypeRef type, std::vector<Expr *> parts);
  /// A scalar as each element of `shaped`.
  Expr *splat(Expr *scalar, TypeRef shaped);
  /// Element k, in row-major order, of a vec or mat; cheap trees are walked
  /// into, so that each part of the value is computed once.
  Expr *component(Expr *value, unsigned k);
  /// Element k of a constant; of a scalar always itself.
  ExactLiteral *literalAt(Expr *constant, unsigned k) {
    return static_cast<ExactLiteral *>(component(constant, k));
  }
  /// Member k of a tuple.
  Expr *tupleMember(Expr *value, unsigned k);
  /// A copy of a tree. Of a tree with effects only sema's own temporaries.
  Expr *clone(const Expr *expr);
  /// Whether `expr` may be evaluated twice for nothing.
  bool isCheap(const Expr *expr) const;
  /// Whether the evaluation of `expr` has no effects.
  bool isPure(const Expr *expr) const;
  /// A value that will be used several times: itself if cheap, else a new
  /// variable bound by a LetExpr that `closeLets` puts round the user.
  Expr *reusable(Expr *value, std::vector<LetExpr *> &lets);
  /// Binds the variables of `lets` around `body`, the first one outermost.
  Expr *closeLets(Expr *body, llvm::ArrayRef<LetExpr *> lets);

  // -- types ---------------------------------------------------------------
  /// The type of integers without another one (`--default-int`), signed.
  TypeRef defaultInt() const {
    return types.intType(options.defaultIntBits, true);
  }
  /// The type of floats without another one (`--default-float`).
  TypeRef defaultFloat() const {
    return types.floatType(options.defaultFloatBits);
  }
  /// The type of both operands of an operator; null if there is none.
  TypeRef joinScalars(TypeRef a, TypeRef b) const;
  /// The widest type of two that are assigned to one name; null on a clash.
  TypeRef joinTypes(TypeRef a, TypeRef b) const;
  /// As joinTypes; a scalar that is assigned to a vec or mat fills it, and a
  /// literal counts with its default type.
  TypeRef joinAssigned(TypeRef current, TypeRef given) const;
  /// `type` with default precision where it has none.
  TypeRef defaulted(TypeRef type) const;

  // -- conversions ---------------------------------------------------------
  /// Gives an untyped tree the precision `scalar` (may be untypedFloat).
  Expr *materialise(Expr *expr, TypeRef scalar);
  /// Gives it the default precision. Others are returned as they are.
  Expr *withDefault(Expr *expr);
  /// Conversion of the scalar within an operator: widening only.
  Expr *promote(Expr *expr, TypeRef scalar);
  /// Ends the freedom of a value's literals: the context has decided their
  /// precision, so no wider float in a later operator raises it.
  Expr *pin(Expr *expr);
  /// A cast that the user wrote: `i32(x)`.
  Expr *cast(Expr *expr, TypeRef scalar);
  /// Implicit conversion to the type of a place; reports what is not allowed.
  Expr *convert(Expr *expr, TypeRef type, llvm::StringRef what);

  // -- operators (Operators.cpp) -------------------------------------------
  /// `-x`, `~x` or `not x` of a scalar, vec or mat, elementwise; `-` of a bool
  /// is that of the default integer, `not` takes bools, `~` no floats. Folded
  /// if constant. Returns an error expression after other types were reported,
  /// and silently if the operand is one.
  Expr *unary(SourceRange range, UnaryOp op, Expr *operand);
  /// `lhs op rhs`, elementwise on unified operands; `@`, `**` and shifts have
  /// conversions of their own. Folded if constant. `opRange` is where the
  /// operator is written, which may be that of an assignment (`+=`). Errors as
  /// in `unary`.
  Expr *binary(SourceRange range, SourceRange opRange, BinaryOp op, Expr *lhs,
               Expr *rhs);
  /// `lhs op rhs` of two strs, a bool, or of unified numbers, a bool for each
  /// element. Folded if constant. Errors as in `unary`.
  Expr *compare(SourceRange range, CompareOp op, Expr *lhs, Expr *rhs);
  /// `lhs and rhs` or `lhs or rhs`; both have to be scalar bools. If `lhs` is
  /// constant, the result is one of the operands. Errors as in `unary`.
  Expr *logical(SourceRange range, bool isAnd, Expr *lhs, Expr *rhs);
  /// `thenValue if condition else elseValue`. Numbers are unified, other values
  /// are converted to their common type. If `condition`, a bool, is constant,
  /// the result is one of the values. Errors as in `unary`.
  Expr *select(SourceRange range, Expr *condition, Expr *thenValue,
               Expr *elseValue);
  /// Brings operands of an elementwise operation to one type; false after an
  /// error was reported. `opText` for messages.
  bool unify(SourceRange range, llvm::StringRef opText,
             llvm::MutableArrayRef<Expr *> operands);
  /// An elementwise function of unified operands, folded if constant.
  Expr *elementwise(SourceRange range, Builtin op, std::vector<Expr *> args,
                    TypeRef type);

  /// Reports the operation in `expr` that has constant operands but no value:
  /// a division by zero, a result that its type does not hold. False, and
  /// silent, if there is none.
  bool reportUndefined(Expr *expr);
  /// In what a constant condition never reaches: nothing is emitted, indices
  /// may be out of range, and operations of constants without a value are zero.
  bool isDead = false;
  /// The name that the value is for, if it is for one: for advice.
  std::string assigned;

  /// Notes that a wider float may raise the precision of the tree, if it may of
  /// one of its parts.
  void markFlexible(Expr *expr, llvm::ArrayRef<Expr *> parts);

  const SourceFiles &sources;
  TypeContext &types;
  const Options &options;
  DiagnosticEngine &diags;

private:
  bool isFlexible(const Expr *expr) const;

  Program &program;
  /// Trees with a literal in them whose precision a wider float may raise.
  llvm::DenseSet<const Expr *> flexibleTrees;
  unsigned numTemporaries = 0;
};

/// Arithmetic on constants (Fold.cpp). The operands have the type of the
/// result; null if it is not defined: a division by zero, an overflow of what
/// the compiler can count.
std::optional<__int128> foldInt(BinaryOp op, __int128 a, __int128 b,
                                TypeRef type);
/// The same for floats, computed in the precision of `type`.
std::optional<double> foldReal(BinaryOp op, double a, double b, TypeRef type);
/// The value of an elementwise function of constants; none if it is not
/// defined.
std::optional<double> foldMath(Builtin op, llvm::ArrayRef<double> args);
/// A value rounded or wrapped to what `type` can hold.
double roundTo(double value, TypeRef type);
/// A value wrapped to the bits of an integer type.
__int128 wrapTo(__int128 value, TypeRef type);
/// Whether an integer type holds the value.
bool fits(__int128 value, TypeRef type);
/// Reports the float literals of an expression that became infinite; true if
/// there are such (LiteralRange.cpp).
bool reportTooLarge(const Builder &build, const Expr *expr);
/// The same for all expressions of a body.
void reportTooLarge(const Builder &build, const Body &body);
/// Calls `visit` for each operand.
void forEachOperand(Expr *expr, llvm::function_ref<void(Expr *&)> visit);

/// Calls `visit` for each expression that a statement of the body holds, or one
/// inside of it, in the order of the source; not for their operands.
void forEachExpr(const Body &body, llvm::function_ref<void(Expr *)> visit);
/// As forEachExpr, and for what is inside of each, the outer first.
void forEachInner(const Body &body, llvm::function_ref<void(Expr *)> visit);
/// Calls `visit` for each statement of the body, also those in its statements,
/// the outer first.
void forEachStmt(const Body &body, llvm::function_ref<void(Stmt *)> visit);
/// The functions that can be reached from `roots`, callees before callers; with
/// `onExpr` for each expression in them.
std::vector<Function *>
reachableFunctions(llvm::ArrayRef<Function *> roots,
                   llvm::function_ref<void(Expr *)> onExpr = nullptr);
/// Sets `isRecursive` of those on a cycle of calls.
void markRecursive(llvm::ArrayRef<Function *> functions);
/// Whether a value of the type is of floats, or has a part that is.
bool holdsFloats(TypeRef type);

} // namespace chi::sema
#endif // CHI_SEMA_BUILD_BUILD_H

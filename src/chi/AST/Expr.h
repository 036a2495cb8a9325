//===- Expr.h - Expressions -------------------------------------*- C++ -*-===//
// Types are written as expressions too: `field(vec2, 1)`, `(vec2, f32)`.
#ifndef CHI_AST_EXPR_H
#define CHI_AST_EXPR_H

#include "chi/Source/SourceFiles.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Casting.h"
#include <cstdint>

namespace chi::ast {

enum class ExprKind {
  Int,
  Float,
  Bool,
  None,
  String,
  FString,
  Name,
  Attribute,
  Subscript,
  Call,
  Unary,
  Binary,
  Compare,
  Logical,
  Conditional,
  List,
  Tuple,
  Slice,
  Dict,
  Set,
  Comprehension,
  Collected,
  Lambda,
  Unsupported,
};

struct Expr {
  ExprKind kind;
  SourceRange range;

protected:
  Expr(ExprKind kind, SourceRange range) : kind(kind), range(range) {}
};

/// Adds the kind and `classof` that every node needs.
template <ExprKind K> struct ExprNode : Expr {
  ExprNode(SourceRange range) : Expr(K, range) {}
  /// For llvm::isa and dyn_cast: one kind is one type of node.
  static bool classof(const Expr *e) { return e->kind == K; }
};

/// `1_000`, `0xff`. Larger than u64 is refused by the parser.
struct IntExpr : ExprNode<ExprKind::Int> {
  using ExprNode::ExprNode;
  uint64_t value = 0;
};
struct FloatExpr : ExprNode<ExprKind::Float> {
  using ExprNode::ExprNode;
  double value = 0;
  bool isImaginary = false; ///< `2.5j`
};
struct BoolExpr : ExprNode<ExprKind::Bool> {
  using ExprNode::ExprNode;
  bool value = false;
};
/// `None`; legal only as the index of a 0-D field.
struct NoneExpr : ExprNode<ExprKind::None> {
  using ExprNode::ExprNode;
};
/// A string with its escapes resolved; adjacent literals are joined.
struct StringExpr : ExprNode<ExprKind::String> {
  using ExprNode::ExprNode;
  llvm::StringRef value;
};

/// A stretch of text or `{value!conv:format}` of an f-string.
struct FStringPart {
  llvm::StringRef text;   ///< of a stretch of text
  Expr *value = nullptr;  ///< of a replacement field, else null
  llvm::StringRef format; ///< "" if there is none
  SourceRange formatRange;
  /// Of a format with values in it, `{x:{width}.2f}`: its text and values.
  llvm::ArrayRef<FStringPart> formatParts;
  bool selfDocumenting = false; ///< `{x=}`: text is then "x="
};
struct FStringExpr : ExprNode<ExprKind::FString> {
  using ExprNode::ExprNode;
  llvm::ArrayRef<FStringPart> parts;
};

struct NameExpr : ExprNode<ExprKind::Name> {
  using ExprNode::ExprNode;
  llvm::StringRef name;
};
/// `base.name`
struct AttributeExpr : ExprNode<ExprKind::Attribute> {
  using ExprNode::ExprNode;
  Expr *base = nullptr;
  llvm::StringRef name;
  SourceRange nameRange;
};
/// `base[i, j]`; a SliceExpr occurs among the indices only.
struct SubscriptExpr : ExprNode<ExprKind::Subscript> {
  using ExprNode::ExprNode;
  Expr *base = nullptr;
  llvm::ArrayRef<Expr *> indices;
};
/// `begin:end:step`; what is left out is null.
struct SliceExpr : ExprNode<ExprKind::Slice> {
  using ExprNode::ExprNode;
  Expr *begin = nullptr, *end = nullptr, *step = nullptr;
};
struct Argument {
  llvm::StringRef keyword; ///< "" for a positional one
  SourceRange keywordRange;
  Expr *value = nullptr;
};
struct CallExpr : ExprNode<ExprKind::Call> {
  using ExprNode::ExprNode;
  Expr *callee = nullptr;
  llvm::ArrayRef<Argument> args;
};

enum class UnaryOp { Plus, Minus, Invert, Not };
/// How an operator is written: "-", "not".
llvm::StringRef spelling(UnaryOp op);
struct UnaryExpr : ExprNode<ExprKind::Unary> {
  using ExprNode::ExprNode;
  UnaryOp op = UnaryOp::Plus;
  Expr *operand = nullptr;
};

enum class BinaryOp {
  Add,
  Sub,
  Mul,
  Div,
  FloorDiv,
  Mod,
  Pow,
  MatMul,
  BitAnd,
  BitOr,
  BitXor,
  Shl,
  Shr,
};
/// How an operator is written: "//".
llvm::StringRef spelling(BinaryOp op);
struct BinaryExpr : ExprNode<ExprKind::Binary> {
  using ExprNode::ExprNode;
  BinaryOp op = BinaryOp::Add;
  Expr *lhs = nullptr, *rhs = nullptr;
  SourceRange opRange;
};

enum class CompareOp { Eq, Ne, Lt, Le, Gt, Ge, In, NotIn, Is, IsNot };
/// How an operator is written: "not in".
llvm::StringRef spelling(CompareOp op);
/// `a < b <= c`: operands.size() == ops.size() + 1.
struct CompareExpr : ExprNode<ExprKind::Compare> {
  using ExprNode::ExprNode;
  llvm::ArrayRef<Expr *> operands;
  llvm::ArrayRef<CompareOp> ops;
};
/// `a and b and c` or `a or b or c`.
struct LogicalExpr : ExprNode<ExprKind::Logical> {
  using ExprNode::ExprNode;
  bool isAnd = true;
  llvm::ArrayRef<Expr *> operands;
};
/// `thenValue if condition else elseValue`
struct ConditionalExpr : ExprNode<ExprKind::Conditional> {
  using ExprNode::ExprNode;
  Expr *condition = nullptr, *thenValue = nullptr, *elseValue = nullptr;
};
/// `[a, b]`
struct ListExpr : ExprNode<ExprKind::List> {
  using ExprNode::ExprNode;
  llvm::ArrayRef<Expr *> elements;
};
/// `(a, b)`, `a, b`, `()`
struct TupleExpr : ExprNode<ExprKind::Tuple> {
  using ExprNode::ExprNode;
  llvm::ArrayRef<Expr *> elements;
};
/// `{k: v, …}`: keys and values in turn.
struct DictExpr : ExprNode<ExprKind::Dict> {
  using ExprNode::ExprNode;
  llvm::ArrayRef<Expr *> items;
};
/// `{a, b}`
struct SetExpr : ExprNode<ExprKind::Set> {
  using ExprNode::ExprNode;
  llvm::ArrayRef<Expr *> elements;
};
/// What a comprehension keeps in each turn; it stands as a statement in its
/// innermost loop. `key` is null except in a dict.
struct CollectedExpr : ExprNode<ExprKind::Collected> {
  using ExprNode::ExprNode;
  Expr *key = nullptr, *value = nullptr;
};
struct Stmt;
/// `[e for x in xs if c]`, with braces, or without any as the only argument of
/// a call. `loop` is the `for` statement that it means, with the CollectedExpr
/// inside.
struct ComprehensionExpr : ExprNode<ExprKind::Comprehension> {
  using ExprNode::ExprNode;
  enum Kind { List, Set, Dict, Argument } of = List;
  llvm::ArrayRef<Stmt *> loop; ///< one statement
};
struct FunctionStmt;
/// `lambda x, y=1: e`: a function whose body is `return e`.
struct LambdaExpr : ExprNode<ExprKind::Lambda> {
  using ExprNode::ExprNode;
  FunctionStmt *function = nullptr;
};
/// Python that Chi reads but does not have: `what` is its name for a message,
/// "`yield`". `isDelayed`: it will come ("not supported yet"); otherwise it
/// is not in the language, and `hint` names a replacement.
struct UnsupportedExpr : ExprNode<ExprKind::Unsupported> {
  using ExprNode::ExprNode;
  llvm::StringRef what, hint;
  /// `:=`: its name, which then has no error of its own, and the operator.
  llvm::StringRef name;
  SourceRange opRange;
  bool isDelayed = false;
};

} // namespace chi::ast
#endif // CHI_AST_EXPR_H

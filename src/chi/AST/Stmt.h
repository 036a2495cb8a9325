//===- Stmt.h - Statements, definitions, modules ----------------*- C++ -*-===//
#ifndef CHI_AST_STMT_H
#define CHI_AST_STMT_H

#include "chi/AST/Expr.h"

namespace chi::ast {

enum class StmtKind {
  Expr,
  Assign,
  AnnAssign,
  AugAssign,
  If,
  While,
  For,
  Break,
  Continue,
  Pass,
  Return,
  Assert,
  With,
  Function,
  Class,
  Test,
  Example,
  Const,
  Param,
  TypeAlias,
  Import,
  FromImport,
  Export,
  Unsupported,
};

struct Stmt {
  StmtKind kind;
  SourceRange range; ///< of a compound statement: its header line

protected:
  Stmt(StmtKind kind, SourceRange range) : kind(kind), range(range) {}
};
template <StmtKind K> struct StmtNode : Stmt {
  StmtNode(SourceRange range) : Stmt(K, range) {}
  /// For llvm::isa and dyn_cast: one kind is one type of node.
  static bool classof(const Stmt *s) { return s->kind == K; }
};
using Body = llvm::ArrayRef<Stmt *>;

struct ExprStmt : StmtNode<StmtKind::Expr> {
  using StmtNode::StmtNode;
  Expr *value = nullptr;
};
/// `a = b = value`; a target may be a tuple or list of targets.
struct AssignStmt : StmtNode<StmtKind::Assign> {
  using StmtNode::StmtNode;
  llvm::ArrayRef<Expr *> targets;
  Expr *value = nullptr;
};
/// `name: type = value`; value may be null.
struct AnnAssignStmt : StmtNode<StmtKind::AnnAssign> {
  using StmtNode::StmtNode;
  Expr *target = nullptr, *type = nullptr, *value = nullptr;
};
/// `target op= value`
struct AugAssignStmt : StmtNode<StmtKind::AugAssign> {
  using StmtNode::StmtNode;
  BinaryOp op = BinaryOp::Add;
  SourceRange opRange;
  Expr *target = nullptr, *value = nullptr;
};
/// `elif` is an IfStmt alone in elseBody.
struct IfStmt : StmtNode<StmtKind::If> {
  using StmtNode::StmtNode;
  Expr *condition = nullptr;
  Body thenBody, elseBody;
};
struct WhileStmt : StmtNode<StmtKind::While> {
  using StmtNode::StmtNode;
  Expr *condition = nullptr;
  Body body;
  Body elseBody; ///< runs unless a `break` left the loop
};
/// `for a, b in iterable:`; targets are names or tuples of names.
struct ForStmt : StmtNode<StmtKind::For> {
  using StmtNode::StmtNode;
  llvm::ArrayRef<Expr *> targets;
  Expr *iterable = nullptr;
  Body body;
  Body elseBody; ///< runs unless a `break` left the loop
};
struct BreakStmt : StmtNode<StmtKind::Break> {
  using StmtNode::StmtNode;
};
struct ContinueStmt : StmtNode<StmtKind::Continue> {
  using StmtNode::StmtNode;
};
struct PassStmt : StmtNode<StmtKind::Pass> {
  using StmtNode::StmtNode;
};
struct ReturnStmt : StmtNode<StmtKind::Return> {
  using StmtNode::StmtNode;
  Expr *value = nullptr; ///< may be null
};
struct AssertStmt : StmtNode<StmtKind::Assert> {
  using StmtNode::StmtNode;
  Expr *condition = nullptr, *message = nullptr; ///< message may be null
};
/// `with Tape(loss=L) as t:`
struct WithStmt : StmtNode<StmtKind::With> {
  using StmtNode::StmtNode;
  Expr *context = nullptr;
  llvm::StringRef asName;
  Body body;
};

struct Parameter {
  llvm::StringRef name;
  SourceRange nameRange;
  Expr *type = nullptr;         ///< null: generic
  Expr *defaultValue = nullptr; ///< may be null
};
struct TypeParameter { ///< of `def f[T]` and `class C[T]`
  llvm::StringRef name;
  SourceRange range;
};
struct FunctionStmt : StmtNode<StmtKind::Function> {
  using StmtNode::StmtNode;
  llvm::StringRef name;
  SourceRange nameRange;
  llvm::ArrayRef<Expr *> decorators; ///< without the `@`
  llvm::ArrayRef<TypeParameter> typeParams;
  llvm::ArrayRef<Parameter> params;
  Expr *returnType = nullptr; ///< may be null
  llvm::StringRef doc;
  SourceRange docRange; ///< of the literal; none without a docstring
  Body body;
};
struct ClassStmt : StmtNode<StmtKind::Class> {
  using StmtNode::StmtNode;
  llvm::StringRef name;
  SourceRange nameRange;
  llvm::ArrayRef<TypeParameter> typeParams;
  llvm::ArrayRef<Expr *> bases;
  llvm::StringRef doc;
  SourceRange docRange; ///< of the literal; none without a docstring
  Body body;
};
/// `test "name":`
struct TestStmt : StmtNode<StmtKind::Test> {
  using StmtNode::StmtNode;
  llvm::StringRef name;
  SourceRange nameRange;
  Body body;
};
/// `>>> statement` of a docstring, and what it prints; an expression prints its
/// value. Stands in a TestStmt.
struct ExampleStmt : StmtNode<StmtKind::Example> {
  using StmtNode::StmtNode;
  Body body; ///< mostly one statement
  llvm::StringRef expected;
};
/// `const name: type = value`
struct ConstStmt : StmtNode<StmtKind::Const> {
  using StmtNode::StmtNode;
  llvm::StringRef name;
  SourceRange nameRange;
  Expr *type = nullptr, *value = nullptr; ///< type may be null
};
/// `param name: type = value in [low, high], "doc"`
struct ParamStmt : StmtNode<StmtKind::Param> {
  using StmtNode::StmtNode;
  llvm::StringRef name;
  SourceRange nameRange;
  Expr *type = nullptr, *value = nullptr;
  Expr *low = nullptr, *high = nullptr; ///< both or neither
  llvm::ArrayRef<Expr *> choices;       ///< of `in {a, b}`
  llvm::StringRef doc;
};
/// `type name = value`
struct TypeAliasStmt : StmtNode<StmtKind::TypeAlias> {
  using StmtNode::StmtNode;
  llvm::StringRef name;
  SourceRange nameRange;
  Expr *value = nullptr;
};
/// `import a.b as c`; without `as`, alias is empty.
struct ImportStmt : StmtNode<StmtKind::Import> {
  using StmtNode::StmtNode;
  llvm::StringRef path; ///< "a.b"
  SourceRange pathRange;
  llvm::StringRef alias;
};
struct ImportedName {
  llvm::StringRef name, alias; ///< alias equals name without `as`
  SourceRange range;
};
/// `from a.b import c as d, e`
struct FromImportStmt : StmtNode<StmtKind::FromImport> {
  using StmtNode::StmtNode;
  llvm::StringRef path;
  SourceRange pathRange;
  llvm::ArrayRef<ImportedName> names;
};
/// `export conv[f32], conv[f64]`: instances that a library has for others.
struct ExportStmt : StmtNode<StmtKind::Export> {
  using StmtNode::StmtNode;
  llvm::ArrayRef<Expr *> instances;
};
/// As UnsupportedExpr, of a statement: `try`, `raise`, `del`, `global` …
struct UnsupportedStmt : StmtNode<StmtKind::Unsupported> {
  using StmtNode::StmtNode;
  llvm::StringRef what, hint;
  llvm::ArrayRef<llvm::StringRef> names; ///< of `global` and `nonlocal`
  bool isDelayed = false;
};

/// One file.
struct Module {
  uint32_t file = 0;
  llvm::StringRef doc;
  SourceRange docRange; ///< of the literal; none without a docstring
  Body body;
};

} // namespace chi::ast
#endif // CHI_AST_STMT_H

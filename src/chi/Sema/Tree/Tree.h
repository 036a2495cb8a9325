//===- Tree.h - The typed tree: the result of sema --------------*- C++ -*-===//
// A program with every name, type and overload resolved. Generic functions
// appear once for each set of argument types; `static` conditions are decided,
// `static` loops and loops over tuples unrolled; literals have a precision;
// conversions are explicit (Cast, Splat); constants are literals; operands of
// an elementwise operator have one type; default arguments are filled in.
// Names of builtin methods are gone: they are Builtin and HostOp nodes.
#ifndef CHI_SEMA_TREE_TREE_H
#define CHI_SEMA_TREE_TREE_H

#include "chi/Sema/Tree/Exprs.h"
#include <deque>
#include <memory>
#include <optional>

namespace chi::sema {

/// Something that can be assigned to.
struct LValue {
  enum Kind { Local, TopLevel, Element } kind = Local;
  Variable *variable = nullptr; ///< Local
  Global *global = nullptr;     ///< TopLevel
  Expr *field = nullptr;        ///< Element
  std::vector<Expr *> indices;  ///< Element: one for each axis
  Path path; ///< from the variable's or element's value to the part; empty: all
  TypeRef type = nullptr; ///< of what is assigned
  SourceRange range;
};

enum class StmtKind {
  Expr,
  Assign,
  Accumulate,
  If,
  While,
  For,
  Unrolled,
  Break,
  Continue,
  Return,
  Assert,
  Print,
  Tape,
};
struct Stmt {
  StmtKind kind;
  SourceRange range;

protected:
  explicit Stmt(StmtKind kind) : kind(kind) {}
};
template <StmtKind K> struct StmtOf : Stmt {
  StmtOf() : Stmt(K) {}
  /// For llvm::isa and dyn_cast: one kind is one type of node.
  static bool classof(const Stmt *s) { return s->kind == K; }
};
using Body = std::vector<Stmt *>;

struct ExprStmt : StmtOf<StmtKind::Expr> {
  Expr *value = nullptr;
};
/// Value and place have one type. Field variables are bound again. Multiple
/// assignment (`a, b = b, a`) is expanded by sema with temporaries.
struct AssignStmt : StmtOf<StmtKind::Assign> {
  LValue lvalue;
  Expr *value = nullptr;
};
/// `lvalue op= value`; also `a = min(a, e)` on a kernel-level local. On an
/// Element in a parallel loop it is atomic by meaning ([At.1]) for Add, Sub,
/// Mul, BitAnd, BitOr, BitXor, Min, Max.
struct AccumulateStmt : StmtOf<StmtKind::Accumulate> {
  LValue lvalue;
  BinaryOp op = BinaryOp::Add;
  Expr *value = nullptr;
};
struct IfStmt : StmtOf<StmtKind::If> {
  Expr *condition = nullptr;
  Body thenBody, elseBody;
};
struct WhileStmt : StmtOf<StmtKind::While> {
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

/// `with Tape(loss=L, …):`, host only, or `with Forward():` (`isForward`, of
/// which the body alone is set). What leaves the body, be it by `break`,
/// `continue` or `return`, ends the tape.
struct TapeStmt : StmtOf<StmtKind::Tape> {
  bool isForward = false;
  Expr *loss = nullptr;
  Expr *keep = nullptr, *accumulate = nullptr; ///< bools, null: false
  Expr *memory = nullptr, *spill = nullptr;    ///< strs, or null
  std::vector<Expr *> watched;                 ///< fields
  Body body;
};

/// What a call that has an adjoint of its own does to a field.
struct CallUses {
  bool isRead = false; ///< the adjoint reads what it held before the call
  bool isMade = false; ///< the call overwrites all of it before it reads it
  /// Then the field, a parameter or top-level variable of the call, whose shape
  /// it must have for that; null: no matter.
  const void *like = nullptr;
};

/// An instance of a function or kernel, or the script.
struct Function {
  std::string name;    ///< unique symbol: "norm", "norm.2"
  std::string display; ///< for people: "norm(vec2)"
  SourceRange range;   ///< of the name
  bool isKernel = false;
  bool isHostOnly = false;       ///< does I/O, allocates, launches …
  bool hasWrittenResult = false; ///< `-> T`
  bool isStrict = false;         ///< @kernel(float="strict")
  bool isPassive = false;        ///< @nograd
  bool isTaped = false;          ///< host code that runs inside a tape, too
  bool isRecursive = false;      ///< a call of it may call it again
  int lanes = 0;                 ///< @kernel(lanes=n), 0: the compiler decides
  int64_t block = 0;             ///< @kernel(block=n)
  /// Of a kernel whose `.grad()` the program uses: the name that all its
  /// instances share. Else empty.
  std::string gradName;
  /// Of a function that only computes: what `@adjoint_of` gives as its adjoint,
  /// of the same parameters, the result, and the adjoint of that. Or null.
  Function *adjoint = nullptr;
  /// Of a kernel or host function: what `@adjoint_of` gives as the adjoint of a
  /// call, of the same parameters. Or null.
  Function *callAdjoint = nullptr;
  /// With such an adjoint: what both do to fields, of parameters in their order
  /// and of top-level variables.
  std::vector<CallUses> paramUses;
  std::vector<std::pair<Global *, CallUses>> globalUses;
  /// Of a function that a library can differentiate: calls it, and keeps what
  /// the adjoint of the call needs. Or null.
  Function *record = nullptr;
  /// Of an instance that `export` names: what others call it, "norm_f32".
  std::string exportedAs;
  /// The call in it is kept under its own name, for chirt_kernel_grad.
  bool isRecord = false;
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

/// A value as a command line gives it; fails without a report.
std::optional<std::string> paramText(const Expr *value);

struct TestBlock {
  std::string name;
  Function *function = nullptr;
};

/// A whole program, with the memory of its nodes.
struct Program {
  std::vector<std::unique_ptr<Param>> params;
  std::vector<std::unique_ptr<Global>> globals;
  /// Callees precede callers.
  std::vector<std::unique_ptr<Function>> functions;
  Function *script = nullptr; ///< top-level statements, then main()
  std::vector<TestBlock> tests;
  bool hasTapes = false; ///< `Tape` or `.grad()` of a kernel

  /// A new node with default members. The program owns it and frees it with all
  /// others, so nodes may refer to each other by pointer.
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
#endif // CHI_SEMA_TREE_TREE_H

//===- BodyState.h - What is known while a body is checked ------*- C++ -*-===//
// The scopes, the flow of control and the output of one body. The checkers of
// its parts (BodyContext.h) share it; they keep nothing themselves.
#ifndef CHI_SEMA_NAMES_BODYSTATE_H
#define CHI_SEMA_NAMES_BODYSTATE_H

#include "chi/Sema/Names/ProgramScope.h"
#include "chi/Sema/Names/Scope.h"
#include "llvm/Support/SaveAndRestore.h"

namespace chi::sema {

/// Scopes, flow and output of one body, from round to round ([Inf.3]).
class BodyState {
public:
  BodyState(Builder &build, ModuleScope &module, Where where, Instance *self)
      : build(build), types(build.types), diags(build.diags), module(&module),
        where(where), self(self) {}

  // -- rounds ----------------------------------------------------------------
  /// Forgets all but the types that variables and the result ended with.
  void startRound();
  /// Settles the types of variables; true if another round is needed.
  bool endRound();
  /// `p = x[i]; p.y = 1`, and p is never read: x was meant ([Vec.1]).
  void warnOfLostCopies();

  // -- scopes ----------------------------------------------------------------
  /// Opens the scope of `body`, which belongs to `node`; of an unrolled loop
  /// each turn has one.
  void enter(Scope::Kind kind, ast::Body body, const void *node,
             unsigned number = 0);
  /// Closes the innermost scope. Its names are unknown from then on; its
  /// variables remain for the next round.
  void leave();
  /// What an open scope says of a name; Nothing if none knows it.
  Meaning lookupLocal(llvm::StringRef name);
  /// A variable of this round, which no scope knows.
  Variable *freshVariable(llvm::StringRef name, SourceRange range,
                          TypeRef type);
  /// The innermost scope's variable of that name, as the round before left it.
  LocalVariable &declareLocal(llvm::StringRef name, SourceRange range);
  /// A variable whose type is written.
  LocalVariable &declareTyped(llvm::StringRef name, SourceRange range,
                              TypeRef type);
  /// Makes the name one of a constant, or of a field.
  void bind(llvm::StringRef name, SourceRange range, Expr *constant);
  /// A name whose assignment is reported: its uses are no errors of their own.
  void declareBroken(llvm::StringRef name);
  /// Gives a variable another type; if it had one, another round is needed.
  void setType(LocalVariable &local, TypeRef type);

  // -- flow ------------------------------------------------------------------
  /// Does the variable (or Meaning::flowKey) have a value on each path to this
  /// statement?
  bool isAssigned(const void *variable) const {
    return assigned.count(variable) != 0;
  }
  /// Whether the body is that of a kernel.
  bool inKernel() const { return where == Where::Kernel; }
  /// Whether a parallel loop surrounds the statement.
  bool inParallel() const { return parallelDepth != 0; }
  /// Notes that this function is host only, for `what` or the callee `through`.
  void markHostOnly(SourceRange range, llvm::StringRef what,
                    const Instance *through = nullptr);
  /// Reports in a kernel, with what to write there, and false then; else notes
  /// that this function is host only.
  bool hostOnly(SourceRange range, llvm::StringRef what,
                llvm::StringRef advice = "");

  // -- output ----------------------------------------------------------------
  /// A new statement, behind those before it if the flow reaches it.
  template <typename T> T *emit(SourceRange range) {
    T *stmt = build.makeStmt<T>(range);
    if (reachable && !build.isDead)
      out->push_back(stmt);
    return stmt;
  }
  /// Sets a new variable to a value with a type, and reads it.
  Expr *store(Expr *value);
  /// A value in a variable of its own, set by a statement here; cheap ones
  /// stay.
  Expr *held(Expr *value);
  /// Notes that the method changes its `self`, if that is the variable.
  void noteWrite(const Variable *variable) {
    if (selfVariable && selfVariable->variable == variable)
      self->writesSelf = true;
  }

  Builder &build;
  TypeContext &types;
  DiagnosticEngine &diags;
  /// A body that dead code calls for the first time is not dead itself.
  llvm::SaveAndRestore<bool> startsAlive{build.isDead, false};
  ModuleScope *module;
  Where where;
  Instance *self;
  const AssignCounts *functionCounts = nullptr;

  std::vector<Scope> scopes;
  std::map<std::tuple<unsigned, const void *, unsigned>, unsigned> scopeIds;
  std::map<std::pair<unsigned, std::string>, std::unique_ptr<LocalVariable>>
      locals;
  std::set<const void *> assigned;
  Body *out = nullptr;
  bool reachable = true;
  bool changed = false;
  bool isStaticArgument = false;
  /// In an assignment: whether it was reported that it binds names in a kernel
  /// which it must not bind.
  std::optional<bool> refusedBinding;
  /// The subscript whose base is checked: `x[i][j]` while at `x[i]`.
  const ast::SubscriptExpr *outerSubscript = nullptr;
  unsigned parallelDepth = 0;
  std::vector<LoopKind> loops;
  /// Of a loop with an `else`, by the number of loops round its body: what a
  /// `break` sets.
  std::map<size_t, Variable *> breakFlags;
  /// The files of the `with` statements around, and how many loops are around
  /// each of these: what leaves a body early closes its file.
  std::vector<std::pair<Expr *, size_t>> openFiles;
  /// In a parallel loop: reads and reductions of kernel-level variables.
  std::vector<std::pair<LocalVariable *, SourceRange>> kernelReads;
  std::vector<Reduction> reductions;
  TypeRef resultType = nullptr, resultHint = nullptr;
  SourceRange firstReturn;
  bool hasDeclaredResult = false;
  bool refusedReturn = false; ///< a `return` of this round was reported
  const ast::Stmt *lastStmt = nullptr;
  /// Of a method: `self`, if it is a variable (Note [Self] in ClassChecker.h).
  LocalVariable *selfVariable = nullptr;
  bool returnsSelf = false; ///< the caller stores it
  unsigned unrolledIterations = 0;
  /// Names whose use before their assignment is reported: once is enough.
  std::set<llvm::StringRef> reportedEarly;
};

} // namespace chi::sema
#endif // CHI_SEMA_NAMES_BODYSTATE_H

//===- LoopChecker.h - `for` and its names ----------------------*- C++ -*-===//
#ifndef CHI_SEMA_STMTS_LOOPCHECKER_H
#define CHI_SEMA_STMTS_LOOPCHECKER_H

#include "chi/Sema/Stmts/StmtContext.h"

namespace chi::sema {

/// The names of a `for`, those in parentheses too.
llvm::SmallVector<const ast::NameExpr *>
flatNames(llvm::ArrayRef<ast::Expr *> targets);

/// The targets of a loop with `count` values each time: the brackets of
/// `k, (a, b)` are open if there are three.
llvm::SmallVector<ast::Expr *> openTargets(llvm::ArrayRef<ast::Expr *> targets,
                                           size_t count);

/// Whether a `break` in the body leaves the loop that it is the body of.
bool leavesByBreak(ast::Body body);

/// Checks `for` with its names.
class LoopChecker : StmtPart {
public:
  using StmtPart::StmtPart;

  /// A `for`, whatever it runs over.
  void checkFor(const ast::ForStmt *stmt);
  /// `x.fill(v)` of a field as a statement of a kernel: a loop over its
  /// elements. False if `call` is something else.
  bool checkFill(const ast::CallExpr *call);
  /// A loop by `checkLoop`, then its `else`.
  void checkWithElse(SourceRange range, ast::Body body, ast::Body elseBody,
                     llvm::function_ref<void()> checkLoop);

private:
  void checkLoop(const ast::ForStmt *stmt);
  void forLists(const ast::ForStmt *stmt, Iteration &iteration);
  void bindElements(const ast::ForStmt *stmt, const Iteration &iteration,
                    llvm::ArrayRef<Expr *> values);
  std::vector<Expr *> axisExtents(const Iteration &iteration,
                                  SourceRange range);
  void countPoint(Iteration &iteration, SourceRange range);
  void bindLoopNames(const ast::ForStmt *stmt, const Iteration &iteration,
                     llvm::ArrayRef<Expr *> extents, ForStmt *loop);
  bool isLoopsOwn(const ast::ForStmt *stmt, const ast::NameExpr *name,
                  const Iteration &iteration, unsigned k);
  void warnOfAssignedIndex(const ast::ForStmt *stmt, bool isEnumerated);
  std::string elementText(const ast::ForStmt *stmt,
                          llvm::ArrayRef<const ast::NameExpr *> names);
  void checkBrokenFor(const ast::ForStmt *stmt);
  void declareNames(ast::Expr *target);
  void bindIteration(const ast::ForStmt *stmt, ast::Expr *target,
                     const Meaning &meaning);
  void forUnrolled(const ast::ForStmt *stmt, Iteration &iteration);
  void forRanges(const ast::ForStmt *stmt, Iteration &iteration);
  void checkParallelReads(SourceRange loop);
  bool isFieldName(const ast::Expr *expr);
  void fillField(const ast::CallExpr *call, Expr *field);
};

} // namespace chi::sema
#endif // CHI_SEMA_STMTS_LOOPCHECKER_H

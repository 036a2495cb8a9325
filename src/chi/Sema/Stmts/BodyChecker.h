//===- BodyChecker.h - Checks one body of statements ------------*- C++ -*-===//
#ifndef CHI_SEMA_STMTS_BODYCHECKER_H
#define CHI_SEMA_STMTS_BODYCHECKER_H

#include "chi/Sema/Exprs/ExprCheckers.h"
#include "chi/Sema/Stmts/AssignChecker.h"
#include "chi/Sema/Stmts/LValueChecker.h"
#include "chi/Sema/Stmts/LoopChecker.h"
#include "chi/Sema/Stmts/StmtChecker.h"
#include "chi/Sema/Stmts/TapeChecker.h"
#include "chi/Sema/Stmts/UpdateChecker.h"

namespace chi::sema {

/// Checks the body of an instance, in rounds until the types of its variables
/// are stable ([Inf.3]).
class BodyChecker {
public:
  BodyChecker(ProgramScope &program, ModuleScope &module, Where where,
              Instance *self);

  /// All of a body. The result type is in `self->function->result`.
  void checkFunction(ast::Body body);
  /// Of the script: top-level statements of all modules, then `main()`.
  void checkScript(llvm::ArrayRef<ModuleScope *> modules);
  /// The names in a generic function that nothing calls.
  void checkNamesOnly(const FunctionDecl &decl);

  /// Type parameters of the instance, `def f[T](x: T)`.
  std::map<std::string, Meaning, std::less<>> typeNames;

private:
  /// Checks the body until its types settle; `numTopLevels` is the number of
  /// names of modules whose types the body decides, too.
  void runRounds(llvm::function_ref<void()> round, size_t numTopLevels = 0);
  void showVariables();
  void bindParameters();
  void bindElement(const ast::Parameter &parameter, const ArgBinding &binding,
                   bool isFirst);
  Meaning bindFunction(const ast::Parameter &parameter,
                       const ArgBinding &binding, bool isFirst, unsigned &next);
  void returnSelf();
  void setResult();

  ProgramScope &program;
  Builder &build;
  TypeContext &types;
  DiagnosticEngine &diags;
  ExprCheckers exprs;
  BodyState &state;
  StmtContext ctx;
  LValueChecker lvalues{ctx};
  AssignChecker assigns{ctx};
  UpdateChecker updates{ctx};
  LoopChecker loops{ctx};
  TapeChecker tapes{ctx};
  StmtChecker stmts{ctx};
};

} // namespace chi::sema
#endif // CHI_SEMA_STMTS_BODYCHECKER_H

//===- BodyCheck.h - Checks one body of statements --------------*- C++ -*-===//
#ifndef CHI_SEMA_BODYCHECK_H
#define CHI_SEMA_BODYCHECK_H

#include "chi/Sema/Advice.h"
#include "chi/Sema/AssignChecker.h"
#include "chi/Sema/BuiltinChecker.h"
#include "chi/Sema/CallChecker.h"
#include "chi/Sema/DerivativeChecker.h"
#include "chi/Sema/ExprChecker.h"
#include "chi/Sema/ForeignNames.h"
#include "chi/Sema/HostCallChecker.h"
#include "chi/Sema/IterableChecker.h"
#include "chi/Sema/LoopChecker.h"
#include "chi/Sema/MethodChecker.h"
#include "chi/Sema/NameChecker.h"
#include "chi/Sema/PlaceChecker.h"
#include "chi/Sema/StmtChecker.h"
#include "chi/Sema/SubscriptChecker.h"
#include "chi/Sema/TapeChecker.h"
#include "chi/Sema/TypeExprChecker.h"
#include "chi/Sema/UpdateChecker.h"

namespace chi::sema {

/// Checks the body of an instance, in rounds until the types of its variables
/// are stable ([Inf.3]); and, with `Where::Constant`, single expressions.
class BodyChecker {
public:
  BodyChecker(ProgramChecker &program, ModuleScope &module, Where where,
              Instance *self);
  /// All of a body. The result type is in `self->function->result`.
  void checkFunction(ast::Body body);
  /// Of the script: top-level statements of all modules, then `main()`.
  void checkScript(llvm::ArrayRef<ModuleScope *> modules);
  /// The names in a generic function that nothing calls.
  void checkNamesOnly(const FunctionDecl &decl);
  /// An expression, where nothing runs.
  Expr *checkExpr(const ast::Expr *expr);
  /// A type as it is written.
  TypeRef checkType(const ast::Expr *expr);
  /// What a name, or a name of a module's member, stands for.
  Meaning resolve(const ast::Expr *expr);
  /// Whether the annotation of a parameter is one of another language, which is
  /// reported then.
  bool isForeignlyTyped(const FunctionDecl &decl,
                        const ast::Parameter &parameter);

private:
  void runRounds(llvm::function_ref<void()> round);
  void bindParameters();

  ProgramChecker &program;
  Builder &build;
  TypeContext &types;
  DiagnosticEngine &diags;

public:
  BodyState state;
  BodyContext ctx;

private:
  NameChecker names{ctx};
  ForeignNames foreign{ctx};
  Advice advice{ctx};
  TypeExprChecker typeExprs{ctx};
  ExprChecker exprs{ctx};
  SubscriptChecker subscripts{ctx};
  CallChecker calls{ctx};
  DerivativeChecker derivatives{ctx};
  BuiltinChecker builtins{ctx};
  MethodChecker methods{ctx};
  HostCallChecker hostCalls{ctx};
  IterableChecker iterables{ctx};
  PlaceChecker places{ctx};
  AssignChecker assigns{ctx};
  UpdateChecker updates{ctx};
  LoopChecker loops{ctx};
  TapeChecker tapes{ctx};
  StmtChecker stmts{ctx};

public:
  /// Type parameters of the instance, `def f[T](x: T)`.
  std::map<std::string, Meaning, std::less<>> typeNames;
};

} // namespace chi::sema
#endif // CHI_SEMA_BODYCHECK_H

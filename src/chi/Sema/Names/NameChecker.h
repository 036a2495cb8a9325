//===- NameChecker.h - What names stand for ---------------------*- C++ -*-===//
#ifndef CHI_SEMA_NAMES_NAMECHECKER_H
#define CHI_SEMA_NAMES_NAMECHECKER_H

#include "chi/Sema/Names/BodyPart.h"
#include "chi/Sema/Names/LookupObserver.h"

namespace chi::sema {

/// What names stand for, and their values.
class NameChecker : BodyPart {
public:
  NameChecker(ProgramScope &program, BodyState &state, LookupObserver &observer)
      : BodyPart(program, state), observer(observer) {}

  /// What a name stands for here; Nothing without a report.
  Meaning lookup(llvm::StringRef name);
  /// A name that nothing declares, with what may be meant.
  void reportUnknown(llvm::StringRef name, SourceRange range);
  /// Whether a scope that stands open assigns the name further down, so that it
  /// is a local variable there, as in Python.
  bool isAssignedLater(llvm::StringRef name, SourceRange *where);
  /// Whether a name of top level is one of those in a function, a kernel or a
  /// test: `checkName` reports it.
  bool isHiddenLater(const ast::Expr *expr);
  /// The value of a name.
  Expr *checkName(const ast::NameExpr *expr);
  /// The value of what `name` means.
  Expr *valueOf(const Meaning &meaning, llvm::StringRef name,
                SourceRange range);
  /// The value of a variable of this body.
  Expr *readLocal(LocalVariable &local, SourceRange range);
  /// The value of a top-level variable.
  Expr *readTopLevel(TopLevelVariable &variable, SourceRange range);
  /// What a name, or a name of a module's member, stands for; Nothing for
  /// everything else.
  Meaning resolve(const ast::Expr *expr);
  /// The function that a nested `def` or a lambda means here.
  Meaning nested(const ast::FunctionStmt *stmt);
  /// The built-in type of that name; null if there is none.
  TypeRef typeNamed(llvm::StringRef name) const;

  /// How a function or kernel may give a top-level variable a value.
  void adviseKeeping(DiagnosticBuilder &report, llvm::StringRef name,
                     const TopLevelVariable &variable);

private:
  bool isOfBody(llvm::StringRef name);
  bool reportNested(llvm::StringRef name, SourceRange range);
  bool reportLoopsOwn(llvm::StringRef name, SourceRange range);

  LookupObserver &observer;
};

} // namespace chi::sema
#endif // CHI_SEMA_NAMES_NAMECHECKER_H

//===- NameChecker.h - What names stand for ---------------------*- C++ -*-===//
#ifndef CHI_SEMA_NAMECHECKER_H
#define CHI_SEMA_NAMECHECKER_H

#include "chi/Sema/BodyContext.h"

namespace chi::sema {

/// What names stand for, and their values.
class NameChecker : BodyPart {
public:
  using BodyPart::BodyPart;

  /// What a name stands for here; Nothing without a report.
  Meaning lookup(llvm::StringRef name);
  /// A name that nothing declares, with what may be meant.
  void reportUnknown(llvm::StringRef name, SourceRange range);
  /// Whether a scope that stands open assigns the name further down, so that it
  /// is a local variable there, as in Python.
  bool isAssignedLater(llvm::StringRef name, SourceRange *where);
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
  /// The built-in type of that name; null if there is none.
  TypeRef typeNamed(llvm::StringRef name) const;

private:
  bool reportNested(llvm::StringRef name);
  bool reportLoopsOwn(llvm::StringRef name, SourceRange range);
};

} // namespace chi::sema
#endif // CHI_SEMA_NAMECHECKER_H

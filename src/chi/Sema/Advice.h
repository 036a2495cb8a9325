//===- Advice.h - What to write instead -------------------------*- C++ -*-===//
#ifndef CHI_SEMA_ADVICE_H
#define CHI_SEMA_ADVICE_H

#include "chi/Sema/BodyContext.h"

namespace chi::sema {

/// Reports that say what to write instead.
class Advice : BodyPart {
public:
  using BodyPart::BodyPart;

  /// A member that a type does not have, with the nearest or equivalent one.
  void reportNoMember(TypeRef type, SourceRange base, llvm::StringRef name,
                      SourceRange nameRange);
  /// An index or an extent that is no integer.
  void reportNotInt(const DiagnosticKind<llvm::StringRef> &kind,
                    const ast::Expr *expr, TypeRef type);
  /// A bound of a range that is a float: `call` is what holds it.
  void reportFloatBound(const ast::Expr *call, const Expr *bound,
                        const Iteration::Range &axis);
  /// A call of what is no function: perhaps of a variable that hides one.
  void reportNotCallable(const ast::Expr *callee, TypeRef type);
  /// A function or a kernel that assigns a top-level variable.
  void refuseTopLevel(const ast::NameExpr *name, const Meaning &meaning);
  /// How a function or kernel may give a top-level variable a value.
  void adviseKeeping(DiagnosticBuilder &report, llvm::StringRef name,
                     const TopLevelVariable &variable);

private:
  bool isAssignedTo(SourceRange name) const;
  bool isMadeOfIntegers(const ast::Expr *expr);
  bool adviseFloorDivision(DiagnosticBuilder &report, const ast::Expr *expr);
  bool adviseElement(TypeRef type, SourceRange base, llvm::StringRef name,
                     SourceRange nameRange);
};

} // namespace chi::sema
#endif // CHI_SEMA_ADVICE_H

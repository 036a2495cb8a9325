//===- Advice.h - What to write instead -------------------------*- C++ -*-===//
#ifndef CHI_SEMA_ADVICE_ADVICE_H
#define CHI_SEMA_ADVICE_ADVICE_H

#include "chi/Sema/Names/NameChecker.h"

namespace chi::sema {

class ForeignNames;

/// Reports that say what to write instead.
class Advice : BodyPart {
public:
  Advice(ProgramScope &program, BodyState &state, NameChecker &names,
         ForeignNames &foreign)
      : BodyPart(program, state), names(names), foreign(foreign) {}

  /// A member that a type does not have, with the nearest or equivalent one.
  void reportNoMember(TypeRef type, SourceRange base, llvm::StringRef name,
                      SourceRange nameRange);
  /// The wrong number of indices of a value of the type.
  DiagnosticBuilder reportRank(SourceRange range, TypeRef type, size_t wanted,
                               size_t given);
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

private:
  bool isAssignedTo(SourceRange name) const;
  bool isMadeOfIntegers(const ast::Expr *expr);
  bool adviseFloorDivision(DiagnosticBuilder &report, const ast::Expr *expr);
  bool adviseElement(TypeRef type, SourceRange base, llvm::StringRef name,
                     SourceRange nameRange);

  NameChecker &names;
  ForeignNames &foreign;
};

} // namespace chi::sema
#endif // CHI_SEMA_ADVICE_ADVICE_H

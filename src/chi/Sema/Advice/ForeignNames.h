//===- ForeignNames.h - Names of other languages ----------------*- C++ -*-===//
#ifndef CHI_SEMA_ADVICE_FOREIGNNAMES_H
#define CHI_SEMA_ADVICE_FOREIGNNAMES_H

#include "chi/Sema/Names/NameChecker.h"

namespace chi::sema {

/// Reports names and types of other languages, with what stands for them
/// here.
class ForeignNames final : public LookupObserver, BodyPart {
public:
  /// The value of an expression, checked for what else is wrong with it.
  using Check = llvm::function_ref<Expr *(const ast::Expr *)>;

  ForeignNames(ProgramScope &program, BodyState &state, NameChecker &names)
      : BodyPart(program, state), names(names) {}

  /// Whether `(` follows a name.
  bool isCalled(SourceRange name) const;
  /// A place with the empty parentheses behind it, or as it is if there are
  /// none.
  SourceRange withEmptyCall(SourceRange range) const;
  /// The text of a type in Chi's words, whatever language it is written in.
  std::string ownType(const ast::Expr *expr);
  /// Whether an expression is a type as another language writes it:
  /// `np.float32`, `double`.
  bool isForeignTypeExpr(const ast::Expr *expr);
  /// `ti.field(dtype=ti.f32, shape=4)`, `ti.Vector.field(3, dtype=ti.f32,
  /// shape=4)`: the type of the elements comes first, and is one type. True
  /// after a report.
  bool reportForeignField(const ast::CallExpr *expr, Check check);
  /// What another language, or a module, calls so.
  bool reportForeign(llvm::StringRef name, SourceRange range) override;
  /// `np.float32`, `ti.sin(x)`, `random.random()`: a member of a module that is
  /// not imported. True after a report.
  bool reportForeignMember(const ast::AttributeExpr *expr,
                           llvm::StringRef base) override;
  /// `norm(v)`, `double(x)`: a call of a name that nothing declares. True after
  /// a report; the arguments are checked by the caller.
  bool reportForeignCall(const ast::CallExpr *expr, Check check);
  /// `double`, `"float32"`, `np.float32`, `template()`, `ti.template()`; false
  /// if it is no such.
  bool reportForeignType(const ast::Expr *expr);

private:
  bool isForeignRoot(llvm::StringRef first);
  bool reportForeignFunction(llvm::StringRef shown, llvm::StringRef name,
                             SourceRange range);
  std::string ownName(llvm::StringRef name);
  bool reportForeignModule(llvm::StringRef name, SourceRange range);
  bool isAssignedSomewhere(llvm::StringRef name);

  NameChecker &names;
};

} // namespace chi::sema
#endif // CHI_SEMA_ADVICE_FOREIGNNAMES_H

//===- LValueChecker.h - What is assigned to --------------------*- C++ -*-===//
#ifndef CHI_SEMA_STMTS_LVALUECHECKER_H
#define CHI_SEMA_STMTS_LVALUECHECKER_H

#include "chi/Sema/Stmts/StmtContext.h"

namespace chi::sema {

/// Checks what is assigned to: names, elements, components.
class LValueChecker : StmtPart {
public:
  using StmtPart::StmtPart;

  /// Gives an element or a component a value.
  void assignLValue(OpenLValue &lvalue, Expr *value);
  /// The components of a swizzle as places of their own.
  std::vector<OpenLValue> swizzledLValues(const OpenLValue &open);
  /// A component may raise the precision of its variable ([Inf.3]).
  bool joinComponent(OpenLValue &open, TypeRef given);
  /// What a target of an assignment is.
  OpenLValue checkLValue(const ast::Expr *target);
  /// A member of an object of a class, which the place holds.
  void memberOfPlace(OpenLValue &open, unsigned number);
  /// Reports a member of a tuple as the target: `t[0] = y`, `t[0] += 1`.
  bool refuseWhole(const OpenLValue &open);
  /// Notes that a method changes its `self`, if that is the place.
  void noteWrite(const OpenLValue &open);
  /// The value that a place holds now.
  Expr *readLValue(const OpenLValue &open);

private:
  OpenLValue openLValue(const ast::Expr *target);
  void assignSwizzle(OpenLValue &open, Expr *value);
  OpenLValue lvalueOfName(const ast::NameExpr *name);
  void refusePart(OpenLValue &open, SourceRange range);
  bool refuseSlice(OpenLValue &open, const ast::SubscriptExpr *expr);
  void indexLValue(OpenLValue &open, const ast::SubscriptExpr *expr);
  void indexObject(OpenLValue &open, const ast::SubscriptExpr *expr);
  bool indexHeld(OpenLValue &open, const ast::SubscriptExpr *expr);
  void copyHeld(OpenLValue &open);
  void assignHeld(OpenLValue &open, Expr *value);
  void indexTupleLValue(OpenLValue &open, const ast::SubscriptExpr *expr);
  void settleHeld(OpenLValue &open);
  void memberOfReference(OpenLValue &open, const ast::AttributeExpr *expr);
  void memberOfView(OpenLValue &open, const ast::AttributeExpr *expr);
  bool hasMember(TypeRef type, const ast::AttributeExpr *expr);
  void memberOfObject(OpenLValue &open, const ast::AttributeExpr *expr);
  void setItem(OpenLValue &open, const ast::SubscriptExpr *expr);
  void memberOfLValue(OpenLValue &open, const ast::AttributeExpr *expr);
};

} // namespace chi::sema
#endif // CHI_SEMA_STMTS_LVALUECHECKER_H

//===- PlaceChecker.h - What is assigned to ---------------------*- C++ -*-===//
#ifndef CHI_SEMA_STMTS_PLACECHECKER_H
#define CHI_SEMA_STMTS_PLACECHECKER_H

#include "chi/Sema/Stmts/StmtContext.h"

namespace chi::sema {

/// Checks what is assigned to: names, elements, components.
class PlaceChecker : StmtPart {
public:
  using StmtPart::StmtPart;

  /// Gives an element or a component a value.
  void assignPlace(OpenPlace &place, Expr *value);
  /// The components of a swizzle as places of their own.
  std::vector<OpenPlace> swizzledPlaces(const OpenPlace &open);
  /// A component may raise the precision of its variable ([Inf.3]).
  bool joinComponent(OpenPlace &open, TypeRef given);
  /// What a target of an assignment is.
  OpenPlace checkPlace(const ast::Expr *target);
  /// Reports a member of a tuple as the target: `t[0] = y`, `t[0] += 1`.
  bool refuseWhole(const OpenPlace &open);
  /// The value that a place holds now.
  Expr *readPlace(const OpenPlace &open);

private:
  void assignSwizzle(OpenPlace &open, Expr *value);
  OpenPlace placeOfName(const ast::NameExpr *name);
  void indexPlace(OpenPlace &open, const ast::SubscriptExpr *expr);
  void indexTuplePlace(OpenPlace &open, const ast::SubscriptExpr *expr);
  void memberOfPlace(OpenPlace &open, const ast::AttributeExpr *expr);
};

} // namespace chi::sema
#endif // CHI_SEMA_STMTS_PLACECHECKER_H

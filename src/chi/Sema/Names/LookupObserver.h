//===- LookupObserver.h - Hears of failed look-ups --------------*- C++ -*-===//
#ifndef CHI_SEMA_NAMES_LOOKUPOBSERVER_H
#define CHI_SEMA_NAMES_LOOKUPOBSERVER_H

#include "chi/AST/Stmt.h"

namespace chi::sema {

/// Is given what no declaration explains, before it is reported as unknown.
class LookupObserver {
public:
  /// A name. True if the observer reported it.
  virtual bool reportForeign(llvm::StringRef name, SourceRange range) = 0;
  /// A member of what the names `base` stand for. True after a report.
  virtual bool reportForeignMember(const ast::AttributeExpr *expr,
                                   llvm::StringRef base) = 0;

protected:
  ~LookupObserver() = default;
};

} // namespace chi::sema
#endif // CHI_SEMA_NAMES_LOOKUPOBSERVER_H

//===- StmtContext.h - The checkers of statements ---------------*- C++ -*-===//
#ifndef CHI_SEMA_STMTS_STMTCONTEXT_H
#define CHI_SEMA_STMTS_STMTCONTEXT_H

#include "chi/Sema/Exprs/ExprContext.h"

namespace chi::sema {

class AssignChecker;
class LoopChecker;
class LValueChecker;
class StmtChecker;
class TapeChecker;
class UpdateChecker;

/// The checkers of the statements of one body, and those of its expressions.
struct StmtContext : ExprContext {
  LValueChecker &lvalues;
  AssignChecker &assigns;
  UpdateChecker &updates;
  LoopChecker &loops;
  TapeChecker &tapes;
  StmtChecker &stmts;
};

/// What a checker of statements starts from.
class StmtPart : protected BodyPart {
public:
  explicit StmtPart(StmtContext &ctx)
      : BodyPart(ctx.program, ctx.state), ctx(ctx) {}

protected:
  StmtContext &ctx;
};

} // namespace chi::sema
#endif // CHI_SEMA_STMTS_STMTCONTEXT_H

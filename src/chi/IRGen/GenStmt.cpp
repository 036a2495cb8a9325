//===- GenStmt.cpp - Statements -------------------------------------------===//

#include "chi/IRGen/Gen.h"

using namespace mlir;
using namespace chi;
using namespace chi::irgen;

void FunctionGen::genBody(const sema::Body &body) {
  for (const sema::Stmt *stmt : body) {
    if (isTerminated())
      return; // what follows a return, break or continue is not reached
    genStmt(stmt);
  }
}

void FunctionGen::genStmt(const sema::Stmt *stmt) {
  using namespace sema;
  here = loc(stmt->range);
  switch (stmt->kind) {
  case StmtKind::Expr:
    genExpr(llvm::cast<ExprStmt>(stmt)->value);
    break;
  case StmtKind::Assign:
    genAssign(*llvm::cast<AssignStmt>(stmt));
    break;
  case StmtKind::Accumulate:
    genAccumulate(*llvm::cast<AccumulateStmt>(stmt));
    break;
  case StmtKind::If:
    return genIf(*llvm::cast<IfStmt>(stmt));
  case StmtKind::While:
    return genWhile(*llvm::cast<WhileStmt>(stmt));
  case StmtKind::For:
    return genFor(*llvm::cast<ForStmt>(stmt));
  case StmtKind::Unrolled:
    return genUnrolled(*llvm::cast<UnrolledStmt>(stmt));
  case StmtKind::Break:
    return genBreak();
  case StmtKind::Continue:
    endTapes(loops.empty() ? 0 : loops.back().numTapes);
    ir::ContinueOp::create(b, here);
    return;
  case StmtKind::Return:
    return genReturn(*llvm::cast<ReturnStmt>(stmt));
  case StmtKind::Assert:
    genAssert(*llvm::cast<AssertStmt>(stmt));
    break;
  case StmtKind::Print:
    genPrint(*llvm::cast<PrintStmt>(stmt));
    break;
  case StmtKind::Tape:
    return genTape(*llvm::cast<TapeStmt>(stmt));
  }
  releaseTemporaries();
}

/// The block of a region of a structured op, with insertion at its start.
static Block *openRegion(OpBuilder &b, Region &region) {
  Block *block = region.empty() ? &region.emplaceBlock() : &region.front();
  b.setInsertionPointToStart(block);
  return block;
}

void FunctionGen::genIf(const sema::IfStmt &stmt) {
  mlir::Value condition = genExpr(stmt.condition).single();
  releaseTemporaries();
  auto op = ir::IfOp::create(b, here, condition);
  auto side = [&](Region &region, const sema::Body &body) {
    OpBuilder::InsertionGuard guard(b);
    openRegion(b, region);
    genBody(body);
    if (!isTerminated())
      ir::NextOp::create(b, here);
  };
  side(op.getThenRegion(), stmt.thenBody);
  if (!stmt.elseBody.empty())
    side(op.getElseRegion(), stmt.elseBody);
}

void FunctionGen::genReturn(const sema::ReturnStmt &stmt) {
  if (!stmt.value) {
    endTapes(0);
    return finish({});
  }
  ProgramValue value = genExpr(stmt.value);
  // A returned field belongs to the caller from now on.
  own(value);
  if (function)
    value = castFields(std::move(value), function->result);
  endTapes(0);
  finishWith(passive(value));
}

/// The number of scalars that a message shows of a comparison's side.
static bool isShown(const sema::Expr *side) {
  return side && side->type->isScalar();
}

/// Whether all values of a text are numbers that are there anyway.
static bool hasOnlyVariables(ArrayRef<sema::FormatPart> parts) {
  return llvm::all_of(parts, [](const sema::FormatPart &part) {
    return !part.value ||
           (llvm::isa<sema::LiteralExpr, sema::VariableExpr, sema::GlobalExpr,
                      sema::ParamExpr>(part.value) &&
            !holdsHandle(part.value->type));
  });
}

void FunctionGen::genAssert(const sema::AssertStmt &stmt) {
  SmallVector<mlir::Value> values;
  mlir::Value ok;
  if (isShown(stmt.lhs) && isShown(stmt.rhs)) {
    auto *compare = llvm::dyn_cast<sema::CompareExpr>(stmt.condition);
    if (compare && compare->lhs == stmt.lhs && compare->rhs == stmt.rhs) {
      mlir::Value l = genExpr(stmt.lhs).single();
      mlir::Value r = genExpr(stmt.rhs).single();
      ok = genScalarCompare(compare->op, stmt.lhs->type, l, r);
      values = {l, r};
    }
  }
  if (!ok)
    ok = genExpr(stmt.condition).single();
  here = loc(stmt.range);
  auto check = [&](mlir::Value holds, ArrayAttr parts) {
    auto op = ir::CheckOp::create(
        b, here, ir::CheckKindAttr::get(b.getContext(), ir::CheckKind::assert),
        holds, values, b.getStringAttr(stmt.conditionText),
        b.getI64IntegerAttr(0), parts, IntegerAttr());
    if (stmt.lhs && stmt.lhs->type->isInt() && !stmt.lhs->type->isSigned)
      op.setIsUnsigned(true);
  };
  if (stmt.message.empty())
    return check(ok, {});
  if (isDevice || hasOnlyVariables(stmt.message)) {
    ArrayAttr parts = formatParts(stmt.message, values);
    here = loc(stmt.range);
    return check(ok, parts);
  }
  // Operands that only the message needs are evaluated if it is shown; they are
  // computed where a failing check looks for its message.
  mlir::Value failed =
      arith::XOrIOp::create(b, here, ok, constInt(b.getI1Type(), 1));
  auto op = ir::IfOp::create(b, here, failed);
  OpBuilder::InsertionGuard guard(b);
  openRegion(b, op.getThenRegion());
  SmallVector<mlir::Value> outer = std::exchange(temporaries, {});
  gatherText(stmt.message);
  here = loc(stmt.range);
  check(constInt(b.getI1Type(), 0), b.getArrayAttr({}));
  releaseTemporaries();
  temporaries = std::move(outer);
  ir::NextOp::create(b, here);
}

void FunctionGen::genPrint(const sema::PrintStmt &stmt) {
  SmallVector<mlir::Value> values;
  ArrayAttr parts = formatParts(stmt.parts, values);
  here = loc(stmt.range);
  ir::PrintOp::create(b, here, parts, values);
}

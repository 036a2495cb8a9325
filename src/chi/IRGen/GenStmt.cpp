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
  SmallVector<mlir::Value> results;
  if (stmt.value) {
    ProgramValue value = genExpr(stmt.value);
    // A returned field belongs to the caller from now on.
    if (value.type->isField() && !isDevice) {
      auto *owned = llvm::find(temporaries, value.single());
      if (owned != temporaries.end())
        temporaries.erase(owned);
      else
        rt(here, "chirt_field_retain", nullptr, value.single());
      if (function && function->result->isField())
        value = castField(value, module.handleType(function->result));
    }
    results = flatten(value);
  }
  finish(results);
}

/// The number of scalars that a message shows of a comparison's side.
static bool isShown(const sema::Expr *side) {
  return side && side->type->isScalar();
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
  ArrayAttr parts;
  if (!stmt.message.empty())
    parts = formatParts(stmt.message, values);
  auto op = ir::CheckOp::create(
      b, here, ir::CheckKindAttr::get(b.getContext(), ir::CheckKind::assert),
      ok, values, b.getStringAttr(stmt.conditionText), b.getI64IntegerAttr(0),
      parts, IntegerAttr());
  if (stmt.lhs && stmt.lhs->type->isInt() && !stmt.lhs->type->isSigned)
    op->setAttr(ir::kUnsignedAttr, b.getUnitAttr());
}

void FunctionGen::genPrint(const sema::PrintStmt &stmt) {
  bool hasField = llvm::any_of(stmt.parts, [](const sema::FormatPart &part) {
    return part.value && part.value->type->isField();
  });
  if (!hasField) {
    SmallVector<mlir::Value> values;
    ArrayAttr parts = formatParts(stmt.parts, values);
    here = loc(stmt.range);
    ir::PrintOp::create(b, here, parts, values);
    return;
  }
  // Stretches between fields become strs first, since making a str empties
  // the buffer in which the line is gathered.
  SmallVector<std::pair<mlir::Value, bool>> pieces;
  SmallVector<sema::FormatPart> stretch;
  auto close = [&] {
    if (stretch.empty())
      return;
    SmallVector<mlir::Value> values;
    ArrayAttr parts = formatParts(stretch, values);
    pieces.push_back(
        {ir::FormatOp::create(b, here, ir::StrType::get(b.getContext()), parts,
                              values),
         false});
    stretch.clear();
  };
  for (const sema::FormatPart &part : stmt.parts) {
    if (!part.value || !part.value->type->isField()) {
      stretch.push_back(part);
      continue;
    }
    close();
    pieces.push_back({genExpr(part.value).single(), true});
  }
  close();
  mlir::Value none = ir::StrOp::create(
      b, here, ir::StrType::get(b.getContext()), b.getStringAttr(""));
  for (auto [value, isField] : pieces) {
    if (isField)
      rt(here, "chirt_fmt_field", nullptr, value);
    else
      rt(here, "chirt_fmt_str", nullptr, {value, none});
  }
  rt(here, "chirt_fmt_print", nullptr, {});
}

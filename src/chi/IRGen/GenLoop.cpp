//===- GenLoop.cpp - Loops ------------------------------------------------===//

#include "chi/IRGen/Gen.h"

using namespace mlir;
using namespace chi;
using namespace chi::irgen;

namespace {
/// Whether a body contains a `break` or `continue` of its loop.
struct ExitFinder {
  bool hasBreak = false, hasContinue = false;

  void walk(const sema::Body &body) {
    for (const sema::Stmt *stmt : body)
      visit(stmt);
  }
  void visit(const sema::Stmt *stmt) {
    using namespace sema;
    if (llvm::isa<BreakStmt>(stmt)) {
      hasBreak = true;
    } else if (llvm::isa<ContinueStmt>(stmt)) {
      hasContinue = true;
    } else if (auto *branch = llvm::dyn_cast<IfStmt>(stmt)) {
      walk(branch->thenBody);
      walk(branch->elseBody);
    } else if (auto *tape = llvm::dyn_cast<TapeStmt>(stmt)) {
      walk(tape->body);
    }
  }
};
} // namespace

static Block *openRegion(OpBuilder &b, Region &region) {
  Block *block = region.empty() ? &region.emplaceBlock() : &region.front();
  b.setInsertionPointToStart(block);
  return block;
}

void FunctionGen::genBreak() {
  Loop left = loops.empty() ? Loop() : loops.back();
  endTapes(left.numTapes);
  if (mlir::Value flag = left.brokenFlag)
    ir::SetOp::create(b, here, constInt(b.getI1Type(), 1), flag, ValueRange{});
  ir::BreakOp::create(b, here);
}

/// Leaves one more loop if the flag is set.
void FunctionGen::genLoopExitIf(mlir::Value flagSlot) {
  mlir::Value set =
      ir::GetOp::create(b, here, b.getI1Type(), flagSlot, ValueRange{});
  auto op = ir::IfOp::create(b, here, set);
  OpBuilder::InsertionGuard guard(b);
  openRegion(b, op.getThenRegion());
  ir::BreakOp::create(b, here);
}

void FunctionGen::genWhile(const sema::WhileStmt &stmt) {
  here = loc(stmt.range);
  noteLoop({});
  auto op = ir::WhileOp::create(b, here);
  OpBuilder::InsertionGuard guard(b);
  openRegion(b, op.getBefore());
  mlir::Value condition = genExpr(stmt.condition).single();
  releaseTemporaries();
  ir::ConditionOp::create(b, here, condition);
  openRegion(b, op.getBody());
  noteTurn(stmt);
  loops.push_back({{}, numTapes});
  genBody(stmt.body);
  loops.pop_back();
  if (!isTerminated())
    ir::NextOp::create(b, here);
}

static ArrayAttr axisNames(OpBuilder &b, ArrayRef<sema::Variable *> variables) {
  SmallVector<Attribute> names;
  for (const sema::Variable *variable : variables)
    names.push_back(b.getStringAttr(StringRef(variable->name).ltrim('.')));
  return b.getArrayAttr(names);
}

mlir::Value FunctionGen::genStep(const sema::Expr *expr) {
  mlir::Value step = genExpr(expr).single();
  // Sema has refused a constant zero. A division counts the iterations.
  if (!llvm::isa<sema::LiteralExpr>(expr)) {
    here = loc(expr->range);
    mlir::Value ok = arith::CmpIOp::create(b, here, arith::CmpIPredicate::ne,
                                           step, constInt(step.getType(), 0));
    check(here, ir::CheckKind::divide, ok, {}, "range");
  }
  return step;
}

void FunctionGen::genParallel(const sema::ForStmt &stmt) {
  SmallVector<mlir::Value> from, to, step;
  mlir::Value over;
  if (stmt.field)
    over = genExpr(stmt.field).single();
  for (const sema::ForStmt::Range &range : stmt.ranges) {
    from.push_back(genExpr(range.begin).single());
    to.push_back(genExpr(range.end).single());
    if (range.step)
      step.push_back(genStep(range.step));
  }
  here = loc(stmt.range);
  int64_t block = stmt.block ? stmt.block : function->block;
  auto op =
      ir::ParallelOp::create(b, here, from, to, step, over,
                             block ? b.getI64IntegerAttr(block) : IntegerAttr(),
                             axisNames(b, stmt.variables));
  genParallelBody(stmt, op);
}

void FunctionGen::genParallelBody(const sema::ForStmt &stmt,
                                  ir::ParallelOp op) {
  OpBuilder::InsertionGuard guard(b);
  Block *body = openRegion(b, op.getBody());
  SmallVector<mlir::Value> numbers;
  for (const sema::Variable *variable : stmt.variables)
    numbers.push_back(
        body->addArgument(module.scalarType(variable->type), here));
  Block *outer = std::exchange(frame, body);
  bool wasParallel = std::exchange(inParallel, true);
  for (auto [variable, number] : llvm::zip_equal(stmt.variables, numbers))
    writeVariable(variable, {variable->type, {number}, {}});
  genBody(stmt.body);
  if (!isTerminated())
    ir::NextOp::create(b, here);
  frame = outer;
  inParallel = wasParallel;
}

void FunctionGen::genFor(const sema::ForStmt &stmt) {
  if (stmt.isParallel)
    return genParallel(stmt);
  SmallVector<std::array<mlir::Value, 3>> ranges;
  if (stmt.field) {
    mlir::Value field = genExpr(stmt.field).single();
    for (auto [axis, variable] : llvm::enumerate(stmt.variables)) {
      Type type = module.scalarType(variable->type);
      ranges.push_back(
          {constInt(type, 0),
           ir::DimOp::create(b, here, type, field, b.getI64IntegerAttr(axis)),
           constInt(type, 1)});
    }
  }
  for (const sema::ForStmt::Range &range : stmt.ranges) {
    mlir::Value begin = genExpr(range.begin).single();
    mlir::Value end = genExpr(range.end).single();
    mlir::Value step =
        range.step ? genStep(range.step) : constInt(begin.getType(), 1);
    ranges.push_back({begin, end, step});
  }
  releaseTemporaries();
  here = loc(stmt.range);
  ExitFinder exits;
  exits.walk(stmt.body);
  mlir::Value flag;
  if (exits.hasBreak && ranges.size() > 1) {
    flag = makeSlot("broken", b.getI1Type());
    ir::SetOp::create(b, here, constInt(b.getI1Type(), 0), flag, ValueRange{});
  }
  noteLoop(ranges);
  loops.push_back({flag, numTapes});
  genNest(stmt, 0, ranges, flag);
  loops.pop_back();
}

void FunctionGen::genNest(const sema::ForStmt &stmt, unsigned axis,
                          ArrayRef<std::array<mlir::Value, 3>> ranges,
                          mlir::Value brokenFlag) {
  auto [begin, end, step] = ranges[axis];
  bool progress = axis == 0 && stmt.showsProgress;
  auto op = ir::ForOp::create(b, here, begin, end, step,
                              progress ? b.getUnitAttr() : UnitAttr());
  OpBuilder::InsertionGuard guard(b);
  Block *body = openRegion(b, op.getBody());
  if (body->getNumArguments() == 0)
    body->addArgument(begin.getType(), here);
  const sema::Variable *variable = stmt.variables[axis];
  writeVariable(variable, {variable->type, {body->getArgument(0)}, {}});
  if (axis + 1 < ranges.size()) {
    genNest(stmt, axis + 1, ranges, brokenFlag);
    if (brokenFlag)
      genLoopExitIf(brokenFlag);
  } else {
    noteTurn(stmt);
    genBody(stmt.body);
  }
  if (!isTerminated())
    ir::NextOp::create(b, here);
}

/// Bodies one after the other. Where one of them has a `break` or `continue`,
/// each is put into a loop of one iteration, and a flag makes the program skip
/// the rest.
void FunctionGen::genUnrolled(const sema::UnrolledStmt &stmt) {
  ExitFinder exits;
  for (const sema::Body &body : stmt.bodies)
    exits.walk(body);
  if (!exits.hasBreak && !exits.hasContinue) {
    for (const sema::Body &body : stmt.bodies) {
      if (isTerminated())
        return;
      genBody(body);
    }
    return;
  }
  Type i32 = b.getI32Type(), i1 = b.getI1Type();
  mlir::Value flag;
  if (exits.hasBreak) {
    flag = makeSlot("broken", i1);
    ir::SetOp::create(b, here, constInt(i1, 0), flag, ValueRange{});
  }
  auto once = [&](llvm::function_ref<void()> body) {
    auto op = ir::ForOp::create(b, here, constInt(i32, 0), constInt(i32, 1),
                                constInt(i32, 1), UnitAttr());
    OpBuilder::InsertionGuard guard(b);
    Block *block = openRegion(b, op.getBody());
    if (block->getNumArguments() == 0)
      block->addArgument(i32, here);
    body();
    if (!isTerminated())
      ir::NextOp::create(b, here);
  };
  Location at = here;
  loops.push_back({flag, numTapes});
  once([&] {
    for (const sema::Body &body : stmt.bodies) {
      here = at;
      once([&] { genBody(body); });
      if (flag)
        genLoopExitIf(flag);
    }
  });
  loops.pop_back();
}

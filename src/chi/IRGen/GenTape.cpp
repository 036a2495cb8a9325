//===- GenTape.cpp - Tapes, gradients, passive values ---------------------===//
// Note [Passive functions]: no derivative goes through a function with
// `@nograd`. Its results, and the values that it stores or adds to fields, have
// no derivative. An overwritten element is overwritten for the adjoint, too,
// which becomes zero there, as by any store of a constant. Its callees are
// passive with it, so they have a second form.

#include "chi/IRGen/Gen.h"

#include "chi/Dialect/Chi/DiscardableAttrs.h"
#include "chirt/chirt.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace chi;
using namespace chi::irgen;

ProgramValue FunctionGen::genCompanion(const sema::CompanionExpr &expr) {
  mlir::Value field = genExpr(expr.field).single();
  // The extents are those that the operand's type knows.
  auto type = cast<ir::FieldType>(module.handleType(expr.type));
  auto from = cast<ir::FieldType>(field.getType());
  type = ir::FieldType::get(b.getContext(), from.getShape(), type.getElement(),
                            from.getIsSoA(), from.getOrder());
  auto made = ir::CompanionOp::create(b, here, type, field);
  if (expr.isDual)
    made->setAttr(ir::kDualAttr, b.getUnitAttr());
  return {expr.type, {made}, {}};
}

ProgramValue FunctionGen::stopped(const ProgramValue &value) {
  if (!isDevice) // host code is not differentiated
    return value;
  auto stop = [&](mlir::Value part) -> mlir::Value {
    if (!isa<FloatType>(part.getType()))
      return part;
    return ir::StopGradientOp::create(b, here, part);
  };
  if (value.type->hasMembers()) {
    ProgramValue tuple{value.type, {}, {}};
    for (const ProgramValue &member : value.members)
      tuple.members.push_back(stopped(member));
    return tuple;
  }
  if (value.slot) {
    bool hasFloats = value.type->scalar()->isFloat();
    return hasFloats
               ? map(value.type, [&](Index k) { return stop(get(value, k)); })
               : value;
  }
  ProgramValue result = value;
  for (mlir::Value &part : result.parts)
    part = stop(part);
  return result;
}

/// Bits of `keep` and `accumulate`, which may be known at run time only.
mlir::Value FunctionGen::tapeFlags(const sema::TapeStmt &stmt) {
  Type i32 = b.getI32Type();
  int32_t known = 0;
  SmallVector<mlir::Value> others;
  auto add = [&](const sema::Expr *flag, int32_t bit) {
    if (!flag)
      return;
    if (auto *literal = llvm::dyn_cast<sema::LiteralExpr>(flag)) {
      known |= literal->integer ? bit : 0;
      return;
    }
    mlir::Value set = genExpr(flag).single();
    others.push_back(arith::SelectOp::create(b, here, set, constInt(i32, bit),
                                             constInt(i32, 0)));
  };
  add(stmt.keep, CHIRT_TAPE_KEEP);
  add(stmt.accumulate, CHIRT_TAPE_ACCUMULATE);
  mlir::Value flags = constInt(i32, known);
  for (mlir::Value other : others)
    flags = arith::OrIOp::create(b, here, flags, other);
  return flags;
}

void FunctionGen::genTape(const sema::TapeStmt &stmt) {
  stmt.isForward ? beginForward(stmt) : beginTape(stmt);
  releaseTemporaries();
  unsigned outer = numTapes++;
  areForward.push_back(stmt.isForward);
  genBody(stmt.body);
  here = loc(stmt.range);
  if (!isTerminated())
    endTapes(outer);
  areForward.pop_back();
  numTapes = outer;
}

void FunctionGen::beginForward(const sema::TapeStmt &stmt) {
  here = loc(stmt.range);
  rt(here, "chirt_forward_begin", nullptr, {}, "Forward");
}

void FunctionGen::beginTape(const sema::TapeStmt &stmt) {
  mlir::Value loss = genExpr(stmt.loss).single();
  mlir::Value flags = tapeFlags(stmt);
  auto text = [&](const sema::Expr *given) -> mlir::Value {
    return given ? genExpr(given).single()
                 : ir::StrOp::create(b, here, ir::StrType::get(b.getContext()),
                                     b.getStringAttr(""));
  };
  SmallVector<mlir::Value> budget;
  if (stmt.memory || stmt.spill)
    budget = {text(stmt.memory), text(stmt.spill)};
  SmallVector<mlir::Value> watched;
  for (const sema::Expr *field : stmt.watched)
    watched.push_back(genExpr(field).single());
  here = loc(stmt.range);
  rt(here, "chirt_tape_begin", nullptr, {loss, flags}, "Tape");
  if (!budget.empty())
    rt(here, "chirt_tape_budget", nullptr, budget, "Tape");
  for (mlir::Value field : watched)
    rt(here, "chirt_tape_watch", nullptr, {field}, "Tape");
}

void FunctionGen::endTapes(unsigned keep) {
  for (unsigned k = numTapes; k > keep; --k)
    if (areForward[k - 1])
      rt(here, "chirt_forward_end", nullptr, {});
    else
      runCallAdjoints(rt(here, "chirt_tape_end", b.getI32Type(), {}, "Tape"));
}

/// The launches up to chirt_kernel_end are what `kernel.grad()` goes through.
void FunctionGen::beginKept(StringRef kernel) {
  mlir::Value name = ir::StrOp::create(
      b, here, ir::StrType::get(b.getContext()), b.getStringAttr(kernel));
  rt(here, "chirt_kernel_begin", nullptr, {name});
}

void FunctionGen::genBackward(const sema::Function &recorded) {
  mlir::Value name =
      ir::StrOp::create(b, here, ir::StrType::get(b.getContext()),
                        b.getStringAttr(recorded.name));
  runCallAdjoints(
      rt(here, "chirt_kernel_grad", b.getI32Type(), {name}, "grad"));
}

void ModuleGen::genRecord(const sema::Function &function) {
  std::string record = require(function.record, /*isDevice=*/false);
  auto op =
      func::FuncOp::create(b, location(function.range), record + ".backward",
                           b.getFunctionType({}, {}));
  op->setAttr(ir::kHostAttr, b.getUnitAttr());
  FunctionGen gen(*this, nullptr, /*isDevice=*/false);
  gen.genWith(op, [&] { gen.genBackward(function); });
}

bool FunctionGen::mayBeTaped() const {
  return !isDevice && (numTapes || (function && function->isTaped));
}

void FunctionGen::noteLoop(ArrayRef<std::array<mlir::Value, 3>> ranges) {
  if (!mayBeTaped())
    return;
  Type i64 = b.getI64Type();
  auto wide = [&](mlir::Value number) -> mlir::Value {
    return number.getType() == i64
               ? number
               : arith::ExtSIOp::create(b, here, i64, number);
  };
  // Only whole ranges by steps of one are counted: it is a hint.
  mlir::Value turns;
  for (auto [begin, end, step] : ranges) {
    if (!matchPattern(step, m_One())) {
      turns = nullptr;
      break;
    }
    mlir::Value count = arith::SubIOp::create(b, here, wide(end), wide(begin));
    turns = turns ? arith::MulIOp::create(b, here, turns, count) : count;
  }
  rt(here, "chirt_tape_loop", nullptr, {turns ? turns : constInt(i64, -1)},
     "loop");
}

void FunctionGen::noteTurn(const sema::Stmt &loop) {
  if (mayBeTaped())
    rt(loc(loop.range), "chirt_tape_turn", nullptr, {}, "loop");
}

void FunctionGen::noteHostStore(const Access &access, sema::TypeRef element,
                                bool isAdded) {
  if (!mayBeTaped())
    return;
  Type i64 = b.getI64Type();
  SmallVector<mlir::Value> indices;
  for (mlir::Value index : access.indices)
    indices.push_back(index.getType() == i64
                          ? index
                          : arith::ExtSIOp::create(b, here, i64, index));
  while (indices.size() < CHIRT_MAX_RANK)
    indices.push_back(constInt(i64, 0));
  auto note = [&](mlir::Value component) {
    SmallVector<mlir::Value> args = {
        access.field, constInt(b.getI32Type(), isAdded), component};
    llvm::append_range(args, indices);
    rt(here, "chirt_tape_host_store", nullptr, args);
  };
  if (access.count == element->numScalars())
    return note(constInt(i64, -1));
  forEach(access.count, [&](Index k) {
    mlir::Value number = asI32(affine(access.first, 1, k));
    note(arith::ExtSIOp::create(b, here, i64, number));
  });
}

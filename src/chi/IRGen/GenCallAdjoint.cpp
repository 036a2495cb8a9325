//===- GenCallAdjoint.cpp - Calls with an adjoint of their own ------------===//
// Note [Adjoints of calls]: a call of a kernel or host function with an adjoint
// records the words of its arguments on the tapes. When the backward pass
// reaches it, the end of the tape returns the number of the adjoint, and the
// program itself runs that: the function `chi.adjoints` reads the words, calls
// the adjoint, and continues with the next number until there is none. So the
// run time calls no function of the program, and compiled code and the
// interpreter do the same.

#include "chi/IRGen/Gen.h"

#include "chi/Dialect/Chi/DiscardableAttrs.h"
#include "chirt/chirt.h"

using namespace mlir;
using namespace chi;
using namespace chi::irgen;

static constexpr llvm::StringLiteral kAdjointsName = "chi.adjoints";

bool FunctionGen::isEntry(const sema::CallExpr &expr) const {
  if (isDevice || isPassive || !expr.callee->callAdjoint)
    return false;
  return numTapes || (function && function->isTaped) ||
         !expr.callee->gradName.empty();
}

/// The bits of a scalar as an i64.
mlir::Value FunctionGen::asWord(mlir::Value scalar) {
  Type type = scalar.getType(), i64 = b.getI64Type();
  if (isa<FloatType>(type))
    scalar = arith::BitcastOp::create(
        b, here, b.getIntegerType(type.getIntOrFloatBitWidth()), scalar);
  return scalar.getType() == i64
             ? scalar
             : arith::ExtUIOp::create(b, here, i64, scalar).getResult();
}

mlir::Value FunctionGen::fromWord(mlir::Value word, Type type) {
  Type bits = b.getIntegerType(type.getIntOrFloatBitWidth());
  if (bits != word.getType())
    word = arith::TruncIOp::create(b, here, bits, word);
  if (isa<FloatType>(type))
    word = arith::BitcastOp::create(b, here, type, word);
  return word;
}

void FunctionGen::beginEntry(const sema::CallExpr &expr,
                             ArrayRef<ProgramValue> given) {
  Type i32 = b.getI32Type();
  // The field whose shape another one must have; null if it is none of these.
  auto named = [&](const void *entity) -> mlir::Value {
    for (auto [param, value] : llvm::zip(expr.callee->params, given))
      if (param == entity && value.type->isField() && !value.type->hasMembers())
        return value.single();
    for (auto [global, uses] : expr.callee->globalUses)
      if (global == entity && global->type->isField() &&
          !global->type->hasMembers())
        return readGlobal(global).single();
    return {};
  };
  auto tell = [&](mlir::Value field, sema::CallUses uses) {
    mlir::Value like = uses.like ? named(uses.like) : mlir::Value();
    bool isMade = uses.isMade && (like || !uses.like);
    int64_t bits = (uses.isRead ? CHIRT_CUSTOM_READ : 0) |
                   (isMade ? CHIRT_CUSTOM_MADE : 0);
    if (!like)
      like = ir::NullOp::create(b, here, field.getType());
    rt(here, "chirt_custom_field", nullptr, {field, constInt(i32, bits), like});
  };
  for (auto [k, value] : llvm::enumerate(given))
    value.eachLeaf([&, k = k](const ProgramValue &leaf) {
      if (leaf.type->isField())
        return tell(leaf.single(), expr.callee->paramUses[k]);
      forEach(leaf.type->numScalars(), [&](Index which) {
        rt(here, "chirt_custom_word", nullptr, {asWord(get(leaf, which))});
      });
    });
  for (auto [global, uses] : expr.callee->globalUses)
    readGlobal(global).eachLeaf([&, uses = uses](const ProgramValue &leaf) {
      if (leaf.type->isField())
        tell(leaf.single(), uses);
    });
  auto *number = llvm::find(module.callAdjoints, expr.callee->callAdjoint);
  rt(here, "chirt_custom_begin", nullptr,
     {constInt(i32, number - module.callAdjoints.begin())});
}

/// An argument of the current call; `next` is its first word.
ProgramValue FunctionGen::givenArgument(sema::TypeRef type, int64_t &next) {
  Type i64 = b.getI64Type();
  if (type->hasMembers()) {
    ProgramValue tuple{type, {}, {}};
    for (sema::TypeRef member : type->members)
      tuple.members.push_back(givenArgument(member, next));
    return tuple;
  }
  if (type->isField())
    return {type,
            {rt(here, "chirt_custom_field_at", module.handleType(type),
                {constInt(i64, next++)})},
            {}};
  Type scalar = module.scalarType(type);
  ProgramValue value = map(type, [&](Index which) {
    mlir::Value number = asI32({which.constant + next, which.dynamic});
    number = arith::ExtSIOp::create(b, here, i64, number);
    return fromWord(rt(here, "chirt_custom_word_at", i64, {number}), scalar);
  });
  next += type->numScalars();
  return value;
}

/// Calls the adjoint with what its call was given.
void FunctionGen::genCallAdjoint(const sema::Function &adjoint) {
  SmallVector<mlir::Value> args;
  int64_t next = 0;
  for (const sema::Variable *param : adjoint.params) {
    ProgramValue value = givenArgument(param->type, next);
    if (adjoint.isKernel)
      passToKernel(value, args);
    else
      passArgument(value, args);
  }
  std::string symbol = module.require(&adjoint, /*isDevice=*/false);
  if (adjoint.isKernel)
    ir::CallOp::create(b, here, TypeRange(), symbol, args);
  else
    func::CallOp::create(b, here, symbol, TypeRange(), args);
  releaseTemporaries();
}

/// The body of `chi.adjoints`: while there is a number, calls its adjoint.
void FunctionGen::genCallAdjoints(mlir::Value first) {
  Type i32 = b.getI32Type();
  auto open = [&](Region &region) {
    Block *block = region.empty() ? &region.emplaceBlock() : &region.front();
    b.setInsertionPointToStart(block);
  };
  mlir::Value slot = makeSlot("adjoint", i32);
  ir::SetOp::create(b, here, first, slot, ValueRange{});
  auto loop = ir::WhileOp::create(b, here);
  OpBuilder::InsertionGuard guard(b);
  open(loop.getBefore());
  mlir::Value number = ir::GetOp::create(b, here, i32, slot, ValueRange{});
  ir::ConditionOp::create(b, here,
                          arith::CmpIOp::create(b, here,
                                                arith::CmpIPredicate::sge,
                                                number, constInt(i32, 0)));
  open(loop.getBody());
  number = ir::GetOp::create(b, here, i32, slot, ValueRange{});
  for (auto [k, adjoint] : llvm::enumerate(module.callAdjoints)) {
    mlir::Value isThis = arith::CmpIOp::create(
        b, here, arith::CmpIPredicate::eq, number, constInt(i32, int64_t(k)));
    auto choice = ir::IfOp::create(b, here, isThis);
    OpBuilder::InsertionGuard inner(b);
    open(choice.getThenRegion());
    genCallAdjoint(*adjoint);
    ir::NextOp::create(b, here);
  }
  number = rt(here, "chirt_custom_next", i32, {}, "Tape");
  ir::SetOp::create(b, here, number, slot, ValueRange{});
  ir::NextOp::create(b, here);
}

void FunctionGen::runCallAdjoints(mlir::Value number) {
  if (!module.callAdjoints.empty())
    func::CallOp::create(b, here, kAdjointsName, TypeRange(), number);
}

void ModuleGen::genCallAdjoints() {
  if (callAdjoints.empty())
    return;
  auto op = func::FuncOp::create(b, location(callAdjoints.front()->range),
                                 kAdjointsName,
                                 b.getFunctionType(b.getI32Type(), {}));
  op->setAttr(ir::kHostAttr, b.getUnitAttr());
  FunctionGen gen(*this, nullptr, /*isDevice=*/false);
  gen.genWith(op, [&] { gen.genCallAdjoints(op.getArgument(0)); });
}

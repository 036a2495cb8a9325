//===- GenOperator.cpp - Operators, conversions, choices ------------------===//

#include "chi/IRGen/Gen.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace chi;
using namespace chi::irgen;
using sema::BinaryOp;
using sema::CompareOp;

ProgramValue FunctionGen::genUnary(const sema::UnaryExpr &expr) {
  ProgramValue operand = genExpr(expr.operand);
  sema::TypeRef scalar = expr.type->scalar();
  Type type = module.scalarType(scalar);
  return map(expr.type, [&](Index k) -> mlir::Value {
    mlir::Value x = get(operand, k);
    switch (expr.op) {
    case sema::UnaryOp::Neg:
      if (scalar->isFloat())
        return arith::NegFOp::create(b, here, x);
      return genScalarBinary(BinaryOp::Sub, scalar, constInt(type, 0), x);
    case sema::UnaryOp::BitNot:
    case sema::UnaryOp::Not:
      return arith::XOrIOp::create(b, here, x,
                                   constInt(type, type.isInteger(1) ? 1 : -1));
    }
    llvm_unreachable("unary operator");
  });
}

ProgramValue FunctionGen::genBinary(const sema::BinaryExpr &expr) {
  if (expr.op == BinaryOp::MatMul)
    return genMatMul(expr);
  if (expr.op == BinaryOp::Pow)
    return genPow(expr);
  ProgramValue lhs = genExpr(expr.lhs), rhs = genExpr(expr.rhs);
  return map(expr.type, [&](Index k) {
    mlir::Value l = get(lhs, k), r = get(rhs, k);
    return genScalarBinary(expr.op, expr.type->scalar(), l, r);
  });
}

/// x * x * … by squaring.
mlir::Value FunctionGen::intPower(mlir::Value base, int64_t exponent,
                                  sema::TypeRef type) {
  assert(exponent >= 0);
  if (exponent == 0)
    return constOf(type, 1);
  mlir::Value result;
  for (mlir::Value square = base;;) {
    if (exponent & 1)
      result = result ? genScalarBinary(BinaryOp::Mul, type, result, square)
                      : square;
    exponent >>= 1;
    if (!exponent)
      return result;
    square = genScalarBinary(BinaryOp::Mul, type, square, square);
  }
}

ProgramValue FunctionGen::genPow(const sema::BinaryExpr &expr) {
  ProgramValue lhs = genExpr(expr.lhs);
  sema::TypeRef scalar = expr.type->scalar();
  sema::TypeRef exponentType = expr.rhs->type->scalar();
  auto *literal = llvm::dyn_cast<sema::LiteralExpr>(expr.rhs);
  if (auto *splat = llvm::dyn_cast<sema::SplatExpr>(expr.rhs))
    literal = llvm::dyn_cast<sema::LiteralExpr>(splat->operand);
  constexpr int64_t kMaxChain = 64;
  if (literal && exponentType->isInt()) {
    int64_t n = literal->integer;
    if (scalar->isFloat() && std::abs(n) <= kMaxChain)
      return map(expr.type, [&](Index k) {
        mlir::Value power = intPower(get(lhs, k), std::abs(n), scalar);
        return n >= 0 ? power
                      : genScalarBinary(BinaryOp::Div, scalar,
                                        constOf(scalar, 1), power);
      });
    if (scalar->isInt() && n >= 0 && n <= kMaxChain)
      return map(expr.type,
                 [&](Index k) { return intPower(get(lhs, k), n, scalar); });
  }
  ProgramValue rhs = genExpr(expr.rhs);
  bool rhsIsScalar = rhs.type->isScalar();
  Type type = module.scalarType(scalar);
  return map(expr.type, [&](Index k) -> mlir::Value {
    mlir::Value x = get(lhs, k), n = rhsIsScalar ? rhs.parts[0] : get(rhs, k);
    if (scalar->isFloat()) {
      if (exponentType->isInt())
        n = genScalarCast(n, exponentType, scalar);
      return genScalarBinary(BinaryOp::Pow, scalar, x, n);
    }
    if (exponentType != scalar)
      n = genScalarCast(n, exponentType, scalar);
    if (scalar->isSigned) {
      mlir::Value ok = arith::CmpIOp::create(b, here, arith::CmpIPredicate::sge,
                                             n, constInt(type, 0));
      check(here, ir::CheckKind::power, ok, {n}, "**");
      if (instrumentsOverflow(scalar))
        instrumentPower(x, n);
    }
    return ir::IPowOp::create(b, here, type, x, n,
                              scalar->isSigned ? UnitAttr() : b.getUnitAttr());
  });
}

/// `<<` and `>>` with every amount defined: past the width the result has no
/// bits.
mlir::Value FunctionGen::genShift(BinaryOp op, sema::TypeRef scalar,
                                  mlir::Value x, mlir::Value amount) {
  Type type = x.getType();
  unsigned bits = type.getIntOrFloatBitWidth();
  bool isArithmetic = op == BinaryOp::Shr && scalar->isSigned;
  APInt known;
  bool inRange = matchPattern(amount, m_ConstantInt(&known)) && known.ult(bits);
  mlir::Value inside;
  if (!inRange) {
    inside = arith::CmpIOp::create(b, here, arith::CmpIPredicate::ult, amount,
                                   constInt(type, bits));
    amount = arith::SelectOp::create(
        b, here, inside, amount, constInt(type, isArithmetic ? bits - 1 : 0));
  }
  mlir::Value shifted;
  if (op == BinaryOp::Shl)
    shifted = arith::ShLIOp::create(b, here, x, amount);
  else if (isArithmetic)
    return arith::ShRSIOp::create(b, here, x, amount);
  else
    shifted = arith::ShRUIOp::create(b, here, x, amount);
  if (inRange)
    return shifted;
  return arith::SelectOp::create(b, here, inside, shifted, constInt(type, 0));
}

mlir::Value FunctionGen::genFloatBinary(BinaryOp op, mlir::Value lhs,
                                        mlir::Value rhs) {
  switch (op) {
  case BinaryOp::Add:
    return arith::AddFOp::create(b, here, lhs, rhs);
  case BinaryOp::Sub:
    return arith::SubFOp::create(b, here, lhs, rhs);
  case BinaryOp::Mul:
    return arith::MulFOp::create(b, here, lhs, rhs);
  case BinaryOp::Div:
    return arith::DivFOp::create(b, here, lhs, rhs);
  case BinaryOp::FloorDiv:
    return math::FloorOp::create(b, here,
                                 arith::DivFOp::create(b, here, lhs, rhs));
  case BinaryOp::Mod:
    return ir::FFloorModOp::create(b, here, lhs.getType(), lhs, rhs);
  case BinaryOp::Pow:
    return math::PowFOp::create(b, here, lhs, rhs);
  default:
    llvm_unreachable("operator on floats");
  }
}

mlir::Value FunctionGen::genScalarBinary(BinaryOp op, sema::TypeRef scalar,
                                         mlir::Value lhs, mlir::Value rhs) {
  if (scalar->isFloat()) {
    mlir::Value result = genFloatBinary(op, lhs, rhs);
    return instrument(result, sema::spelling(op), {lhs, rhs});
  }
  Type type = lhs.getType();
  switch (op) {
  case BinaryOp::Add:
    return genArith(ir::OverflowKind::add, scalar, lhs, rhs);
  case BinaryOp::Sub:
    return genArith(ir::OverflowKind::sub, scalar, lhs, rhs);
  case BinaryOp::Mul:
    return genArith(ir::OverflowKind::mul, scalar, lhs, rhs);
  case BinaryOp::FloorDiv:
  case BinaryOp::Mod: {
    APInt divisor;
    if (!matchPattern(rhs, m_ConstantInt(&divisor)) || divisor.isZero()) {
      mlir::Value ok = arith::CmpIOp::create(b, here, arith::CmpIPredicate::ne,
                                             rhs, constInt(type, 0));
      check(here, ir::CheckKind::divide, ok, {lhs},
            op == BinaryOp::Mod ? "%" : "//", 0, !scalar->isSigned);
    }
    if (op == BinaryOp::FloorDiv && instrumentsOverflow(scalar))
      instrumentQuotient(lhs, rhs);
    UnitAttr isUnsigned =
        scalar->isSigned && scalar->isInt() ? UnitAttr() : b.getUnitAttr();
    if (op == BinaryOp::Mod)
      return ir::FloorModOp::create(b, here, type, lhs, rhs, isUnsigned);
    return ir::FloorDivOp::create(b, here, type, lhs, rhs, isUnsigned);
  }
  case BinaryOp::BitAnd:
    return arith::AndIOp::create(b, here, lhs, rhs);
  case BinaryOp::BitOr:
    return arith::OrIOp::create(b, here, lhs, rhs);
  case BinaryOp::BitXor:
    return arith::XOrIOp::create(b, here, lhs, rhs);
  case BinaryOp::Shl:
  case BinaryOp::Shr:
    return genShift(op, scalar, lhs, rhs);
  default:
    llvm_unreachable("operator on integers");
  }
}

mlir::Value FunctionGen::genScalarCompare(CompareOp op, sema::TypeRef scalar,
                                          mlir::Value lhs, mlir::Value rhs) {
  if (scalar->isFloat()) {
    static constexpr arith::CmpFPredicate table[] = {
        arith::CmpFPredicate::OEQ, arith::CmpFPredicate::UNE,
        arith::CmpFPredicate::OLT, arith::CmpFPredicate::OLE,
        arith::CmpFPredicate::OGT, arith::CmpFPredicate::OGE};
    return arith::CmpFOp::create(b, here, table[int(op)], lhs, rhs);
  }
  using P = arith::CmpIPredicate;
  static constexpr P isSigned[] = {P::eq,  P::ne,  P::slt,
                                   P::sle, P::sgt, P::sge};
  static constexpr P isUnsigned[] = {P::eq,  P::ne,  P::ult,
                                     P::ule, P::ugt, P::uge};
  bool useSigned = scalar->isInt() && scalar->isSigned;
  return arith::CmpIOp::create(
      b, here, (useSigned ? isSigned : isUnsigned)[int(op)], lhs, rhs);
}

ProgramValue FunctionGen::genCompare(const sema::CompareExpr &expr) {
  ProgramValue lhs = genExpr(expr.lhs), rhs = genExpr(expr.rhs);
  if (lhs.type->isStr() && isDevice) {
    bool isEqual = expr.op == sema::CompareOp::Eq;
    auto predicate =
        isEqual ? arith::CmpIPredicate::eq : arith::CmpIPredicate::ne;
    mlir::Value same =
        arith::CmpIOp::create(b, here, predicate, lhs.single(), rhs.single());
    return {expr.type, {same}, {}};
  }
  if (lhs.type->isStr()) {
    Type i32 = b.getI32Type();
    mlir::Value order =
        rt(here, "chirt_str_compare", i32, {lhs.single(), rhs.single()});
    static constexpr arith::CmpIPredicate table[] = {
        arith::CmpIPredicate::eq,  arith::CmpIPredicate::ne,
        arith::CmpIPredicate::slt, arith::CmpIPredicate::sle,
        arith::CmpIPredicate::sgt, arith::CmpIPredicate::sge};
    return {expr.type,
            {arith::CmpIOp::create(b, here, table[int(expr.op)], order,
                                   constInt(i32, 0))},
            {}};
  }
  return map(expr.type, [&](Index k) {
    mlir::Value l = get(lhs, k), r = get(rhs, k);
    return genScalarCompare(expr.op, lhs.type->scalar(), l, r);
  });
}

/// Whether all indices are known and lie within the value.
static bool isInside(const sema::ExtractExpr &expr) {
  llvm::ArrayRef<int64_t> shape = expr.base->type->shape;
  for (auto [axis, step] : llvm::enumerate(expr.path)) {
    if (step.isMember())
      continue;
    auto *known = llvm::dyn_cast<sema::LiteralExpr>(step.index);
    if (!known)
      return false;
    if (axis < shape.size() &&
        (known->integer < 0 || known->integer >= shape[axis]))
      return false;
  }
  return true;
}

/// Whether evaluating `expr` needlessly is harmless and cheap: then a choice
/// becomes a `select` instead of a branch. `budget` counts operations down.
bool FunctionGen::isCheap(const sema::Expr *expr, int &budget) {
  using namespace sema;
  if (--budget < 0 || holdsMemory(expr->type))
    return false;
  // What may stop the program must not be evaluated needlessly.
  sema::TypeRef scalar = expr->type->scalarOrNull();
  if (module.options.instrumentNaN && scalar && scalar->isFloat() &&
      expr->kind != ExprKind::Literal && expr->kind != ExprKind::Variable)
    return false;
  auto *literal = llvm::dyn_cast<LiteralExpr>(expr);
  if (module.options.instrumentNaN && literal && literal->madeAt.isValid())
    return false;
  switch (expr->kind) {
  case ExprKind::Literal:
    return true;
  case ExprKind::Variable:
    return !holdsHandle(expr->type);
  case ExprKind::Param:
  case ExprKind::Global:
    return expr->type->isScalar() || expr->type->isAggregate();
  case ExprKind::Unary:
    return ((isDevice && !module.options.instrumentOverflow) ||
            expr->type->scalar()->isFloat()) &&
           isCheap(llvm::cast<UnaryExpr>(expr)->operand, budget);
  case ExprKind::Binary: {
    auto *binary = llvm::cast<BinaryExpr>(expr);
    bool isFloat = expr->type->scalar()->isFloat();
    bool canStop = !isDevice || module.options.instrumentOverflow;
    if (binary->op == sema::BinaryOp::Pow ||
        binary->op == sema::BinaryOp::MatMul)
      return false;
    if (!isFloat && (canStop || binary->op == sema::BinaryOp::FloorDiv ||
                     binary->op == sema::BinaryOp::Mod))
      return false;
    return isCheap(binary->lhs, budget) && isCheap(binary->rhs, budget);
  }
  case ExprKind::Compare: {
    auto *compare = llvm::cast<CompareExpr>(expr);
    return !compare->lhs->type->isStr() && isCheap(compare->lhs, budget) &&
           isCheap(compare->rhs, budget);
  }
  case ExprKind::Logical: {
    auto *logical = llvm::cast<LogicalExpr>(expr);
    return isCheap(logical->lhs, budget) && isCheap(logical->rhs, budget);
  }
  case ExprKind::Cast:
    return isCheap(llvm::cast<CastExpr>(expr)->operand, budget);
  case ExprKind::Splat:
    return isCheap(llvm::cast<SplatExpr>(expr)->operand, budget);
  case ExprKind::Construct:
    return llvm::all_of(llvm::cast<ConstructExpr>(expr)->parts,
                        [&](Expr *part) { return isCheap(part, budget); });
  case ExprKind::Extract: {
    auto *extract = llvm::cast<ExtractExpr>(expr);
    return isInside(*extract) && isCheap(extract->base, budget);
  }
  default:
    return false;
  }
}

constexpr int kCheapOperations = 24;

ProgramValue
FunctionGen::genIfValue(mlir::Value condition, sema::TypeRef type,
                        llvm::function_ref<ProgramValue()> thenValue,
                        llvm::function_ref<ProgramValue()> elseValue) {
  // An array of a tuple is stored where both sides find it.
  SmallVector<Type> types;
  SmallVector<mlir::Value> arrays;
  auto isStored = [&](sema::TypeRef leaf) {
    return type->hasMembers() && livesInMemory(leaf);
  };
  for (sema::TypeRef leaf : leavesOf(type))
    if (isStored(leaf))
      arrays.push_back(
          makeSlot("", module.scalarType(leaf), leaf->numScalars()));
    else
      module.flattenTypes(leaf, types, isDevice);
  auto op = scf::IfOp::create(b, here, types, condition, /*withElse=*/true);
  auto side = [&](Region &region, llvm::function_ref<ProgramValue()> make) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&region.front());
    SmallVector<mlir::Value> yielded;
    ArrayRef<mlir::Value> slots = arrays;
    inBranch(type, make).eachLeaf([&](const ProgramValue &leaf) {
      if (isStored(leaf.type))
        writeArray(slots.consume_front(), leaf);
      else
        llvm::append_range(yielded, flatten(leaf));
    });
    if (!types.empty()) // else the operation was made with its terminators
      scf::YieldOp::create(b, here, yielded);
  };
  side(op.getThenRegion(), thenValue);
  side(op.getElseRegion(), elseValue);
  SmallVector<mlir::Value> results(op.result_begin(), op.result_end());
  for (mlir::Value result : results)
    if (isHandle(result.getType()) && !isDevice)
      temporaries.push_back(result);
  if (!type->hasMembers())
    return flat(type, results);
  ArrayRef<mlir::Value> slots = arrays, parts = results;
  return assembled(type, slots, parts);
}

ProgramValue FunctionGen::genLogical(const sema::LogicalExpr &expr) {
  mlir::Value lhs = genExpr(expr.lhs).single();
  int budget = kCheapOperations;
  if (isCheap(expr.rhs, budget)) {
    mlir::Value rhs = genExpr(expr.rhs).single();
    mlir::Value both =
        expr.isAnd ? arith::AndIOp::create(b, here, lhs, rhs).getResult()
                   : arith::OrIOp::create(b, here, lhs, rhs).getResult();
    return {expr.type, {both}, {}};
  }
  auto constant = [&]() -> ProgramValue {
    return {expr.type, {constInt(b.getI1Type(), expr.isAnd ? 0 : 1)}, {}};
  };
  auto rest = [&] { return genExpr(expr.rhs); };
  if (expr.isAnd)
    return genIfValue(lhs, expr.type, rest, constant);
  return genIfValue(lhs, expr.type, constant, rest);
}

/// Is the derivative of `expr` by the values that it reads bounded by a
/// constant? Otherwise a side of a select that is not taken would contribute
/// zero times an infinity.
static bool isBounded(const sema::Expr *expr) {
  using namespace sema;
  TypeRef scalar = expr->type->scalarOrNull();
  if (!scalar || !scalar->isFloat())
    return true; // integers have none
  switch (expr->kind) {
  case ExprKind::Literal:
  case ExprKind::Variable:
  case ExprKind::Param:
  case ExprKind::Global:
    return true;
  case ExprKind::Unary:
    return isBounded(llvm::cast<UnaryExpr>(expr)->operand);
  case ExprKind::Binary: {
    auto *binary = llvm::cast<BinaryExpr>(expr);
    bool isScaled = binary->op == sema::BinaryOp::Mul &&
                    (llvm::isa<LiteralExpr>(binary->lhs) ||
                     llvm::isa<LiteralExpr>(binary->rhs));
    bool isSum =
        binary->op == sema::BinaryOp::Add || binary->op == sema::BinaryOp::Sub;
    return (isSum || isScaled) && isBounded(binary->lhs) &&
           isBounded(binary->rhs);
  }
  case ExprKind::Cast:
    return isBounded(llvm::cast<CastExpr>(expr)->operand);
  case ExprKind::Splat:
    return isBounded(llvm::cast<SplatExpr>(expr)->operand);
  case ExprKind::Construct:
    return llvm::all_of(llvm::cast<ConstructExpr>(expr)->parts, isBounded);
  case ExprKind::Extract:
    return isBounded(llvm::cast<ExtractExpr>(expr)->base);
  default:
    return false;
  }
}

ProgramValue FunctionGen::select(Location at, mlir::Value condition,
                                 const ProgramValue &a, const ProgramValue &c) {
  if (!a.type->hasMembers())
    return map(a.type, [&](Index k) -> mlir::Value {
      return arith::SelectOp::create(b, at, condition, get(a, k), get(c, k));
    });
  ProgramValue tuple{a.type, {}, {}};
  for (auto [left, right] : llvm::zip_equal(a.members, c.members))
    tuple.members.push_back(select(at, condition, left, right));
  return tuple;
}

ProgramValue FunctionGen::genSelect(const sema::SelectExpr &expr) {
  mlir::Value condition = genExpr(expr.condition).single();
  int budget = kCheapOperations;
  Location choice = NameLoc::get(b.getStringAttr(kChoiceName), here);
  bool canCompute =
      !isDevice || (isBounded(expr.thenValue) && isBounded(expr.elseValue));
  if (canCompute && isCheap(expr.thenValue, budget) &&
      isCheap(expr.elseValue, budget)) {
    ProgramValue a = genExpr(expr.thenValue), c = genExpr(expr.elseValue);
    return select(choice, condition, a, c);
  }
  llvm::SaveAndRestore marked(here, choice);
  return genIfValue(
      condition, expr.type, [&] { return genExpr(expr.thenValue); },
      [&] { return genExpr(expr.elseValue); });
}

mlir::Value FunctionGen::genScalarCast(mlir::Value x, sema::TypeRef from,
                                       sema::TypeRef to) {
  if (from == to)
    return x;
  Type type = module.scalarType(to);
  unsigned fromBits = x.getType().getIntOrFloatBitWidth();
  unsigned toBits = type.getIntOrFloatBitWidth();
  bool fromSigned = from->isInt() && from->isSigned;
  if (to->isBool()) {
    if (from->isFloat())
      return arith::CmpFOp::create(b, here, arith::CmpFPredicate::UNE, x,
                                   constFloat(x.getType(), 0));
    return arith::CmpIOp::create(b, here, arith::CmpIPredicate::ne, x,
                                 constInt(x.getType(), 0));
  }
  if (from->isFloat() && to->isFloat()) {
    if (fromBits < toBits)
      return arith::ExtFOp::create(b, here, type, x);
    if (fromBits == toBits) // f16 and bf16
      x = arith::ExtFOp::create(b, here, b.getF32Type(), x);
    return instrument(arith::TruncFOp::create(b, here, type, x), dtypeName(to),
                      {x});
  }
  if (to->isFloat()) {
    if (fromSigned)
      return arith::SIToFPOp::create(b, here, type, x);
    return arith::UIToFPOp::create(b, here, type, x);
  }
  if (from->isFloat())
    return ir::ToIntOp::create(b, here, type, x, !to->isSigned,
                               /*inrange=*/false);
  if (fromBits == toBits)
    return x;
  if (fromBits > toBits)
    return arith::TruncIOp::create(b, here, type, x);
  if (fromSigned)
    return arith::ExtSIOp::create(b, here, type, x);
  return arith::ExtUIOp::create(b, here, type, x);
}

ProgramValue FunctionGen::genCast(const sema::CastExpr &expr) {
  ProgramValue operand = genExpr(expr.operand);
  sema::TypeRef from = operand.type->scalar(), to = expr.type->scalar();
  return map(expr.type, [&](Index k) -> mlir::Value {
    mlir::Value x = get(operand, k);
    if (!expr.isBitcast)
      return genScalarCast(x, from, to);
    Type type = module.scalarType(to);
    if (x.getType() == type)
      return x;
    return arith::BitcastOp::create(b, here, type, x);
  });
}

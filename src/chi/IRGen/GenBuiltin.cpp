//===- GenBuiltin.cpp - Elementwise functions and reductions --------------===//

#include "chi/IRGen/Gen.h"
#include "llvm/Support/SaveAndRestore.h"
#include <limits>

using namespace mlir;
using namespace chi;
using namespace chi::irgen;
using sema::BinaryOp;
using sema::Builtin;

mlir::Value FunctionGen::genMinMax(bool isMax, sema::TypeRef scalar,
                                   mlir::Value a, mlir::Value c) {
  if (scalar->isFloat()) {
    // A NaN operand loses, as in C's fmin and fmax.
    if (isMax)
      return arith::MaxNumFOp::create(b, here, a, c);
    return arith::MinNumFOp::create(b, here, a, c);
  }
  bool isSigned = scalar->isInt() && scalar->isSigned;
  if (isMax)
    return isSigned ? arith::MaxSIOp::create(b, here, a, c).getResult()
                    : arith::MaxUIOp::create(b, here, a, c).getResult();
  return isSigned ? arith::MinSIOp::create(b, here, a, c).getResult()
                  : arith::MinUIOp::create(b, here, a, c).getResult();
}

/// -1, 0 or 1; NaN gives NaN.
mlir::Value FunctionGen::genSign(sema::TypeRef scalar, mlir::Value x) {
  Type type = x.getType();
  mlir::Value zero = constOf(scalar, 0), one = constOf(scalar, 1);
  mlir::Value above = genScalarCompare(sema::CompareOp::Gt, scalar, x, zero);
  if (scalar->isInt() && !scalar->isSigned)
    return arith::SelectOp::create(b, here, above, one, zero);
  mlir::Value below = genScalarCompare(sema::CompareOp::Lt, scalar, x, zero);
  mlir::Value minus =
      scalar->isFloat() ? constFloat(type, -1) : constInt(type, -1);
  // Keeps ±0 and NaN, which have no slope either.
  mlir::Value rest = zero;
  if (scalar->isFloat())
    rest = ir::StopGradientOp::create(b, here, x);
  mlir::Value low = arith::SelectOp::create(b, here, below, minus, rest);
  return arith::SelectOp::create(b, here, above, one, low);
}

static mlir::Value unaryMath(OpBuilder &b, Location loc, Builtin op,
                             mlir::Value x) {
  switch (op) {
#define CHI_UNARY(Name, Op)                                                    \
  case Builtin::Name:                                                          \
    return math::Op::create(b, loc, x);
    CHI_UNARY(Sqrt, SqrtOp)
    CHI_UNARY(Rsqrt, RsqrtOp)
    CHI_UNARY(Exp, ExpOp)
    CHI_UNARY(Exp2, Exp2Op)
    CHI_UNARY(Expm1, ExpM1Op)
    CHI_UNARY(Log, LogOp)
    CHI_UNARY(Log2, Log2Op)
    CHI_UNARY(Log10, Log10Op)
    CHI_UNARY(Log1p, Log1pOp)
    CHI_UNARY(Sin, SinOp)
    CHI_UNARY(Cos, CosOp)
    CHI_UNARY(Tan, TanOp)
    CHI_UNARY(Asin, AsinOp)
    CHI_UNARY(Acos, AcosOp)
    CHI_UNARY(Atan, AtanOp)
    CHI_UNARY(Sinh, SinhOp)
    CHI_UNARY(Cosh, CoshOp)
    CHI_UNARY(Tanh, TanhOp)
    CHI_UNARY(Asinh, AsinhOp)
    CHI_UNARY(Acosh, AcoshOp)
    CHI_UNARY(Atanh, AtanhOp)
    CHI_UNARY(Cbrt, CbrtOp)
    CHI_UNARY(Erf, ErfOp)
    CHI_UNARY(Erfc, ErfcOp)
    CHI_UNARY(Floor, FloorOp)
    CHI_UNARY(Ceil, CeilOp)
    CHI_UNARY(Round, RoundEvenOp)
    CHI_UNARY(Trunc, TruncOp)
    CHI_UNARY(IsNan, IsNaNOp)
    CHI_UNARY(IsFinite, IsFiniteOp)
#undef CHI_UNARY
  default:
    return {};
  }
}

/// High half of the unsigned product.
static mlir::Value mulHigh(OpBuilder &b, Location loc, mlir::Value x,
                           mlir::Value y) {
  return arith::MulUIExtendedOp::create(b, loc, x, y).getHigh();
}

mlir::Value FunctionGen::genMath(Builtin op, sema::TypeRef scalar,
                                 ArrayRef<mlir::Value> args) {
  mlir::Value result;
  {
    llvm::SaveAndRestore asOne(isInstrumenting, false);
    result = genPlainMath(op, scalar, args);
  }
  return instrument(result, sema::builtinName(op), args);
}

mlir::Value FunctionGen::genPlainMath(Builtin op, sema::TypeRef scalar,
                                      ArrayRef<mlir::Value> args) {
  mlir::Value x = args[0];
  if (mlir::Value result = unaryMath(b, here, op, x))
    return result;
  switch (op) {
  case Builtin::IsInf: { // LLVM has no such operation
    mlir::Value size = math::AbsFOp::create(b, here, x);
    return arith::CmpFOp::create(
        b, here, arith::CmpFPredicate::OEQ, size,
        constFloat(x.getType(), std::numeric_limits<double>::infinity()));
  }
  case Builtin::Atan2:
    return math::Atan2Op::create(b, here, x, args[1]);
  case Builtin::Copysign:
    return math::CopySignOp::create(b, here, x, args[1]);
  case Builtin::Fma:
    return math::FmaOp::create(b, here, x, args[1], args[2]);
  case Builtin::Fmod:
    return arith::RemFOp::create(b, here, x, args[1]);
  case Builtin::Abs:
    if (scalar->isFloat())
      return math::AbsFOp::create(b, here, x);
    if (!scalar->isSigned)
      return x;
    if (instrumentsOverflow(scalar))
      instrumentLeast(x, "abs");
    return math::AbsIOp::create(b, here, x);
  case Builtin::Sign:
    return genSign(scalar, x);
  case Builtin::Min:
    return genMinMax(false, scalar, x, args[1]);
  case Builtin::Max:
    return genMinMax(true, scalar, x, args[1]);
  case Builtin::Clamp:
    return genMinMax(false, scalar, genMinMax(true, scalar, x, args[1]),
                     args[2]);
  case Builtin::Mix: {
    mlir::Value d = genScalarBinary(BinaryOp::Sub, scalar, args[1], x);
    mlir::Value t = genScalarBinary(BinaryOp::Mul, scalar, d, args[2]);
    return genScalarBinary(BinaryOp::Add, scalar, x, t);
  }
  case Builtin::Step: {
    mlir::Value below =
        genScalarCompare(sema::CompareOp::Lt, scalar, args[1], x);
    return arith::SelectOp::create(b, here, below, constOf(scalar, 0),
                                   constOf(scalar, 1));
  }
  case Builtin::SmoothStep:
    return genSmoothStep(scalar, x, args[1], args[2]);
  case Builtin::Choose:
    return arith::SelectOp::create(b, here, x, args[1], args[2]);
  case Builtin::Ldexp:
    return genLdexp(x, args[1]);
  case Builtin::Exponent:
    return genExponent(x);
  case Builtin::Hypot:
    return ir::HypotOp::create(b, here, x, args[1]);
  case Builtin::PopCount:
    return math::CtPopOp::create(b, here, x);
  case Builtin::CountLeadingZeros:
    return math::CountLeadingZerosOp::create(b, here, x);
  case Builtin::CountTrailingZeros:
    return math::CountTrailingZerosOp::create(b, here, x);
  case Builtin::MulHigh:
    return mulHigh(b, here, x, args[1]);
  default:
    llvm_unreachable("not an elementwise function");
  }
}

ProgramValue FunctionGen::genElementwise(const sema::BuiltinExpr &expr) {
  SmallVector<ProgramValue> args;
  for (const sema::Expr *arg : expr.args)
    args.push_back(genExpr(arg));
  sema::TypeRef scalar = args[0].type->scalar();
  return map(expr.type, [&](Index k) {
    SmallVector<mlir::Value> scalars;
    for (const ProgramValue &arg : args)
      scalars.push_back(arg.type->isScalar() ? arg.parts[0] : get(arg, k));
    return genMath(expr.op, scalar, scalars);
  });
}

mlir::Value FunctionGen::genReduce(Builtin op, const ProgramValue &value) {
  sema::TypeRef scalar = value.type->scalar();
  return fold(
      value.type->numScalars(), scalar, [&](Index k) { return get(value, k); },
      [&](mlir::Value l, mlir::Value r) -> mlir::Value {
        switch (op) {
        case Builtin::Sum:
          return genScalarBinary(BinaryOp::Add, scalar, l, r);
        case Builtin::Product:
          return genScalarBinary(BinaryOp::Mul, scalar, l, r);
        case Builtin::MinElement:
          return genMinMax(false, scalar, l, r);
        case Builtin::MaxElement:
          return genMinMax(true, scalar, l, r);
        case Builtin::All:
          return arith::AndIOp::create(b, here, l, r);
        case Builtin::Any:
          return arith::OrIOp::create(b, here, l, r);
        default:
          llvm_unreachable("not a reduction");
        }
      });
}

mlir::Value FunctionGen::genDot(const ProgramValue &x, const ProgramValue &y) {
  sema::TypeRef scalar = x.type->scalar();
  return fold(
      x.type->numScalars(), scalar,
      [&](Index k) {
        return genScalarBinary(BinaryOp::Mul, scalar, get(x, k), get(y, k));
      },
      [&](mlir::Value l, mlir::Value r) {
        return genScalarBinary(BinaryOp::Add, scalar, l, r);
      });
}

ProgramValue FunctionGen::genBuiltin(const sema::BuiltinExpr &expr) {
  sema::TypeRef type = expr.type;
  switch (expr.op) {
  case Builtin::Sum:
  case Builtin::Product:
  case Builtin::MinElement:
  case Builtin::MaxElement:
  case Builtin::All:
  case Builtin::Any:
    return {type, {genReduce(expr.op, genExpr(expr.args[0]))}, {}};
  case Builtin::StopGradient:
    return stopped(genExpr(expr.args[0]));
  case Builtin::Dot: {
    ProgramValue x = genExpr(expr.args[0]), y = genExpr(expr.args[1]);
    return {type, {genDot(x, y)}, {}};
  }
  case Builtin::NormSqr: {
    ProgramValue x = genExpr(expr.args[0]);
    return {type, {genDot(x, x)}, {}};
  }
  case Builtin::Norm:
  case Builtin::Normalized: {
    ProgramValue x = genExpr(expr.args[0]);
    sema::TypeRef scalar = x.type->scalar();
    mlir::Value square = genDot(x, x);
    auto *eps = expr.args.size() > 1
                    ? llvm::dyn_cast<sema::LiteralExpr>(expr.args[1])
                    : nullptr;
    if (expr.args.size() > 1 && !(eps && eps->real == 0))
      square = genScalarBinary(BinaryOp::Add, scalar, square,
                               genExpr(expr.args[1]).single());
    mlir::Value norm = ir::RootOp::create(b, here, square.getType(), square);
    instrument(norm, sema::builtinName(Builtin::Sqrt), {square});
    if (expr.op == Builtin::Norm)
      return {type, {norm}, {}};
    return map(type, [&](Index k) {
      return genScalarBinary(BinaryOp::Div, scalar, get(x, k), norm);
    });
  }
  case Builtin::Cross:
  case Builtin::Outer:
  case Builtin::Transpose:
  case Builtin::Determinant:
  case Builtin::Inverse:
  case Builtin::Trace:
  case Builtin::Column:
  case Builtin::Diag:
  case Builtin::Identity:
    return genMatrixBuiltin(expr);
  default:
    return genElementwise(expr);
  }
}

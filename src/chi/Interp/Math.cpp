//===- Math.cpp - Elementary functions ------------------------------------===//
// The bodies of the math library are evaluated where there is one; otherwise
// the C library is used.

#include "chi/Interp/Code.h"
#include "chi/Interp/Floats.h"
#include <bit>
#include <cmath>

using namespace mlir;
using namespace chi;
using namespace chi::interp;

namespace {
struct LibraryCall {
  const Function *function;
  std::vector<Register> args;
};
} // namespace

static void callLibrary(Frame &f, const Instr &i) {
  auto &extra = *static_cast<const LibraryCall *>(i.extra);
  f.machine->call(*extra.function, f, extra.args, i.dst);
}

#define CHI_MATH1(Name, Expr)                                                  \
  static void Name(Frame &f, const Instr &i) {                                 \
    withFloat(i.imm, [&](auto zero) {                                          \
      using T = decltype(zero);                                                \
      Computed<T> x(fromBits<T>(f.r[i.a]));                                    \
      f.r[i.dst] = toBits(T(Computed<T>(Expr)));                               \
    });                                                                        \
  }
#define CHI_MATH2(Name, Expr)                                                  \
  static void Name(Frame &f, const Instr &i) {                                 \
    withFloat(i.imm, [&](auto zero) {                                          \
      using T = decltype(zero);                                                \
      Computed<T> x(fromBits<T>(f.r[i.a])), y(fromBits<T>(f.r[i.b]));          \
      f.r[i.dst] = toBits(T(Computed<T>(Expr)));                               \
    });                                                                        \
  }
CHI_MATH1(mSqrt, std::sqrt(x))
CHI_MATH1(mRsqrt, 1 / std::sqrt(x))
CHI_MATH1(mFloor, std::floor(x))
CHI_MATH1(mCeil, std::ceil(x))
CHI_MATH1(mTrunc, std::trunc(x))
CHI_MATH1(mRound, __builtin_roundeven(x))
CHI_MATH1(mAbs, std::fabs(x))
CHI_MATH1(mExp, std::exp(x))
CHI_MATH1(mExp2, std::exp2(x))
CHI_MATH1(mExpm1, std::expm1(x))
CHI_MATH1(mLog, std::log(x))
CHI_MATH1(mLog2, std::log2(x))
CHI_MATH1(mLog10, std::log10(x))
CHI_MATH1(mLog1p, std::log1p(x))
CHI_MATH1(mSin, std::sin(x))
CHI_MATH1(mCos, std::cos(x))
CHI_MATH1(mTan, std::tan(x))
CHI_MATH1(mAsin, std::asin(x))
CHI_MATH1(mAcos, std::acos(x))
CHI_MATH1(mAtan, std::atan(x))
CHI_MATH1(mSinh, std::sinh(x))
CHI_MATH1(mCosh, std::cosh(x))
CHI_MATH1(mTanh, std::tanh(x))
CHI_MATH1(mAsinh, std::asinh(x))
CHI_MATH1(mAcosh, std::acosh(x))
CHI_MATH1(mAtanh, std::atanh(x))
CHI_MATH1(mCbrt, std::cbrt(x))
CHI_MATH1(mErf, std::erf(x))
CHI_MATH1(mErfc, std::erfc(x))
CHI_MATH2(mAtan2, std::atan2(x, y))
CHI_MATH2(mHypot, std::hypot(x, y))
CHI_MATH2(mPow, std::pow(x, y))
CHI_MATH2(mCopysign, std::copysign(x, y))

static void mFma(Frame &f, const Instr &i) {
  withFloat(i.imm, [&](auto zero) {
    using T = decltype(zero);
    // Products of short floats are exact in double.
    using N = std::conditional_t<sizeof(T) < 4, double, T>;
    auto read = [&](Register from) {
      return N(Computed<T>(fromBits<T>(f.r[from])));
    };
    f.r[i.dst] = toBits(T(std::fma(read(i.a), read(i.b), read(i.c))));
  });
}
static double asDouble(const Frame &f, const Instr &i) {
  return withFloat(i.imm, [&](auto zero) {
    using T = decltype(zero);
    return double(Computed<T>(fromBits<T>(f.r[i.a])));
  });
}
static void mIsNan(Frame &f, const Instr &i) {
  f.r[i.dst] = std::isnan(asDouble(f, i));
}
static void mIsInf(Frame &f, const Instr &i) {
  f.r[i.dst] = std::isinf(asDouble(f, i));
}
static void mIsFinite(Frame &f, const Instr &i) {
  f.r[i.dst] = std::isfinite(asDouble(f, i));
}
static void mAbsInt(Frame &f, const Instr &i) {
  int64_t x = signExtend(f.r[i.a], i.imm);
  f.r[i.dst] = (x < 0 ? 0 - uint64_t(x) : uint64_t(x)) & maskOf(i.imm);
}
static void mPopCount(Frame &f, const Instr &i) {
  f.r[i.dst] = std::popcount(f.r[i.a]);
}
static void mLeadingZeros(Frame &f, const Instr &i) {
  f.r[i.dst] = std::countl_zero(f.r[i.a]) - (64 - int(i.imm));
}

static void mTrailingZeros(Frame &f, const Instr &i) {
  f.r[i.dst] = f.r[i.a] ? uint64_t(std::countr_zero(f.r[i.a])) : i.imm;
}

/// Functions of the hardware: never looked up in the library.
static Handler hardwareHandler(StringRef name) {
  return llvm::StringSwitch<Handler>(name)
      .Case("sqrt", mSqrt)
      .Case("rsqrt", mRsqrt)
      .Case("floor", mFloor)
      .Case("ceil", mCeil)
      .Case("trunc", mTrunc)
      .Case("roundeven", mRound)
      .Case("absf", mAbs)
      .Case("absi", mAbsInt)
      .Case("copysign", mCopysign)
      .Case("fma", mFma)
      .Case("isnan", mIsNan)
      .Case("isinf", mIsInf)
      .Case("isfinite", mIsFinite)
      .Case("ctpop", mPopCount)
      .Case("ctlz", mLeadingZeros)
      .Case("cttz", mTrailingZeros)
      .Default(nullptr);
}
static Handler libraryHandler(StringRef name) {
  return llvm::StringSwitch<Handler>(name)
      .Case("exp", mExp)
      .Case("exp2", mExp2)
      .Case("expm1", mExpm1)
      .Case("log", mLog)
      .Case("log2", mLog2)
      .Case("log10", mLog10)
      .Case("log1p", mLog1p)
      .Case("sin", mSin)
      .Case("cos", mCos)
      .Case("tan", mTan)
      .Case("asin", mAsin)
      .Case("acos", mAcos)
      .Case("atan", mAtan)
      .Case("sinh", mSinh)
      .Case("cosh", mCosh)
      .Case("tanh", mTanh)
      .Case("asinh", mAsinh)
      .Case("acosh", mAcosh)
      .Case("atanh", mAtanh)
      .Case("cbrt", mCbrt)
      .Case("erf", mErf)
      .Case("erfc", mErfc)
      .Case("atan2", mAtan2)
      .Case("hypot", mHypot)
      .Case("powf", mPow)
      .Default(nullptr);
}

bool Translator::translateMath(Operation *op, Code &code) {
  StringRef name;
  if (isa<ir::RootOp>(op))
    name = "sqrt";
  else if (isa<ir::HypotOp>(op))
    name = "hypot";
  else if (isa<math::MathDialect>(op->getDialect()))
    name = op->getName().stripDialect();
  else
    return false;
  Type type = op->getOperand(0).getType();
  auto fill = [&](Instr &instr) {
    instr.dst = reg(op->getResult(0));
    instr.a = reg(op->getOperand(0));
    if (op->getNumOperands() > 1)
      instr.b = reg(op->getOperand(1));
    if (op->getNumOperands() > 2)
      instr.c = reg(op->getOperand(2));
    instr.imm = widthOf(type);
    return true;
  };
  if (Handler handler = hardwareHandler(name))
    return fill(emit(code, handler));
  StringRef stem = name == "powf" ? "pow" : name;
  std::string symbol = (stem + (type.isF64() ? ".f64" : ".f32")).str();
  bool isShort = type.isF16() || type.isBF16();
  Function *body = isShort ? nullptr : machine.mathFunction(symbol);
  if (body) {
    auto *made = extra<LibraryCall>();
    made->function = body;
    for (Value operand : op->getOperands())
      made->args.push_back(reg(operand));
    Instr &instr = emit(code, callLibrary);
    instr.extra = made;
    instr.dst = reg(op->getResult(0));
    return true;
  }
  if (Handler handler = libraryHandler(name))
    return fill(emit(code, handler));
  return false;
}

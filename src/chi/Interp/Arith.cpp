//===- Arith.cpp - Scalar arithmetic --------------------------------------===//

#include "chi/Interp/Code.h"
#include "chi/Interp/Floats.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace chi;
using namespace chi::interp;

// In all handlers imm is the width of the operands, c that of the result.
#define CHI_INT(Name, Expr)                                                    \
  static void Name(Frame &f, const Instr &i) {                                 \
    uint64_t x = f.r[i.a], y = f.r[i.b];                                       \
    [[maybe_unused]] int64_t sx = signExtend(x, i.imm),                        \
                             sy = signExtend(y, i.imm);                        \
    f.r[i.dst] = uint64_t(Expr) & maskOf(i.imm);                               \
  }
CHI_INT(addInt, x + y)
CHI_INT(subInt, x - y)
CHI_INT(mulInt, x *y)
CHI_INT(divSigned, y == 0 ? 0 : sy == -1 ? 0 - x : uint64_t(sx / sy))
CHI_INT(divUnsigned, y == 0 ? 0 : x / y)
CHI_INT(remSigned, y == 0 || sy == -1 ? 0 : uint64_t(sx % sy))
CHI_INT(remUnsigned, y == 0 ? 0 : x % y)
CHI_INT(andInt, x &y)
CHI_INT(orInt, x | y)
CHI_INT(xorInt, x ^ y)
CHI_INT(shiftLeft, y >= i.imm ? 0 : x << y)
CHI_INT(shiftRight, y >= i.imm ? 0 : x >> y)
CHI_INT(shiftSigned, uint64_t(sx >> (y >= i.imm ? i.imm - 1 : y)))
CHI_INT(minSigned, sx < sy ? x : y)
CHI_INT(maxSigned, sx > sy ? x : y)
CHI_INT(minUnsigned, x < y ? x : y)
CHI_INT(maxUnsigned, x > y ? x : y)

/// Rounds the quotient down; the remainder has the divisor's sign.
static int64_t floorDiv(int64_t x, int64_t y) {
  if (y == 0)
    return 0;
  if (y == -1)
    return int64_t(0 - uint64_t(x));
  int64_t q = x / y;
  return (x % y != 0) && ((x < 0) != (y < 0)) ? q - 1 : q;
}
CHI_INT(floorDivSigned, floorDiv(sx, sy))
CHI_INT(floorModSigned,
        uint64_t(sx) - uint64_t(floorDiv(sx, sy)) * uint64_t(sy))

static uint64_t power(uint64_t x, uint64_t n) {
  uint64_t result = 1;
  for (; n; n >>= 1, x *= x)
    if (n & 1)
      result *= x;
  return result;
}
CHI_INT(powerInt, power(x, y))

static void overflowAdd(Frame &f, const Instr &i) {
  __int128 sum =
      __int128(signExtend(f.r[i.a], i.imm)) + signExtend(f.r[i.b], i.imm);
  f.r[i.dst] = sum != signExtend(uint64_t(sum), i.imm);
}
static void overflowSub(Frame &f, const Instr &i) {
  __int128 sum =
      __int128(signExtend(f.r[i.a], i.imm)) - signExtend(f.r[i.b], i.imm);
  f.r[i.dst] = sum != signExtend(uint64_t(sum), i.imm);
}
static void overflowMul(Frame &f, const Instr &i) {
  __int128 product =
      __int128(signExtend(f.r[i.a], i.imm)) * signExtend(f.r[i.b], i.imm);
  f.r[i.dst] = product != signExtend(uint64_t(product), i.imm);
}

/// c: the predicate of arith.cmpi.
static void compareInt(Frame &f, const Instr &i) {
  using P = arith::CmpIPredicate;
  uint64_t x = f.r[i.a], y = f.r[i.b];
  int64_t sx = signExtend(x, i.imm), sy = signExtend(y, i.imm);
  bool result = false;
  switch (P(i.c)) {
  case P::eq:
    result = x == y;
    break;
  case P::ne:
    result = x != y;
    break;
  case P::slt:
    result = sx < sy;
    break;
  case P::sle:
    result = sx <= sy;
    break;
  case P::sgt:
    result = sx > sy;
    break;
  case P::sge:
    result = sx >= sy;
    break;
  case P::ult:
    result = x < y;
    break;
  case P::ule:
    result = x <= y;
    break;
  case P::ugt:
    result = x > y;
    break;
  case P::uge:
    result = x >= y;
    break;
  }
  f.r[i.dst] = result;
}

static void zeroExtend(Frame &f, const Instr &i) { f.r[i.dst] = f.r[i.a]; }
static void extendSigned(Frame &f, const Instr &i) {
  f.r[i.dst] = uint64_t(signExtend(f.r[i.a], i.imm)) & maskOf(i.c);
}
static void truncateInt(Frame &f, const Instr &i) {
  f.r[i.dst] = f.r[i.a] & maskOf(i.c);
}
static void selectValue(Frame &f, const Instr &i) {
  f.r[i.dst] = f.r[i.a] & 1 ? f.r[i.b] : f.r[i.c];
}
static void constant(Frame &f, const Instr &i) { f.r[i.dst] = i.imm; }
static void mulExtended(Frame &f, const Instr &i) {
  unsigned __int128 product =
      (unsigned __int128)f.r[i.a] * (unsigned __int128)f.r[i.b];
  f.r[i.dst] = uint64_t(product) & maskOf(i.imm);
  f.r[i.c] = uint64_t(product >> i.imm) & maskOf(i.imm);
}

//===----------------------------------------------------------------------===//
// Floats: computed in their own precision, halves in single and rounded.
//===----------------------------------------------------------------------===//

static double readFloat(uint64_t bits, unsigned width) {
  return withFloat(width, [&](auto zero) {
    return double(Computed<decltype(zero)>(fromBits<decltype(zero)>(bits)));
  });
}
static uint64_t writeFloat(double value, unsigned width) {
  return withFloat(width,
                   [&](auto zero) { return toBits(decltype(zero)(value)); });
}

/// Python's %: the exact rest of the division towards zero, or that and `y`
/// added, with the sign of `y`.
template <typename T> static T floorMod(T x, T y) {
  T rest = std::fmod(x, y);
  if (rest == 0)
    return std::copysign(rest, y);
  return (rest < 0) != (y < 0) ? rest + y : rest;
}

// An operation on the operands in double, rounded once more to float, gives
// the float operation's result for + - * / and sqrt (Figueroa, "When is double
// rounding innocuous?", 1995); still, each width has its own arithmetic.
#define CHI_FLOAT(Name, Expr)                                                  \
  static void Name(Frame &f, const Instr &i) {                                 \
    withFloat(i.imm, [&](auto zero) {                                          \
      using T = decltype(zero);                                                \
      Computed<T> x(fromBits<T>(f.r[i.a])), y(fromBits<T>(f.r[i.b]));          \
      f.r[i.dst] = toBits(T(Expr));                                            \
    });                                                                        \
  }
CHI_FLOAT(addFloat, x + y)
CHI_FLOAT(subFloat, x - y)
CHI_FLOAT(mulFloat, x *y)
CHI_FLOAT(divFloat, x / y)
CHI_FLOAT(remFloat, std::fmod(x, y))
CHI_FLOAT(minNum, leastOf(x, y))
CHI_FLOAT(maxNum, greatestOf(x, y))
CHI_FLOAT(floorModFloat, floorMod(x, y))

static void negateFloat(Frame &f, const Instr &i) {
  f.r[i.dst] = f.r[i.a] ^ (uint64_t(1) << ((i.imm & 127) - 1));
}
static void compareFloat(Frame &f, const Instr &i) {
  using P = arith::CmpFPredicate;
  double x = readFloat(f.r[i.a], i.imm), y = readFloat(f.r[i.b], i.imm);
  bool unordered = std::isnan(x) || std::isnan(y);
  bool r = false;
  switch (P(i.c)) {
  case P::AlwaysFalse:
    r = false;
    break;
  case P::OEQ:
    r = x == y;
    break;
  case P::OGT:
    r = x > y;
    break;
  case P::OGE:
    r = x >= y;
    break;
  case P::OLT:
    r = x < y;
    break;
  case P::OLE:
    r = x <= y;
    break;
  case P::ONE:
    r = !unordered && x != y;
    break;
  case P::ORD:
    r = !unordered;
    break;
  case P::UEQ:
    r = unordered || x == y;
    break;
  case P::UGT:
    r = unordered || x > y;
    break;
  case P::UGE:
    r = unordered || x >= y;
    break;
  case P::ULT:
    r = unordered || x < y;
    break;
  case P::ULE:
    r = unordered || x <= y;
    break;
  case P::UNE:
    r = unordered || x != y;
    break;
  case P::UNO:
    r = unordered;
    break;
  case P::AlwaysTrue:
    r = true;
    break;
  }
  f.r[i.dst] = r;
}
static void convertFloat(Frame &f, const Instr &i) {
  f.r[i.dst] = writeFloat(readFloat(f.r[i.a], i.imm), i.c);
}
/// An integer as a float; as a short one by way of f32.
template <typename Integer>
static uint64_t integerToFloat(Integer value, unsigned width) {
  return withFloat(width, [&](auto zero) {
    using T = decltype(zero);
    return toBits(T(Computed<T>(value)));
  });
}
static void signedToFloat(Frame &f, const Instr &i) {
  f.r[i.dst] = integerToFloat(signExtend(f.r[i.a], i.imm), i.c);
}
static void unsignedToFloat(Frame &f, const Instr &i) {
  f.r[i.dst] = integerToFloat(f.r[i.a], i.c);
}
/// Past the range: the nearest integer; NaN: 0.
static void floatToSigned(Frame &f, const Instr &i) {
  double x = readFloat(f.r[i.a], i.imm);
  double limit = std::ldexp(1.0, int(i.c) - 1);
  int64_t result = std::isnan(x) ? 0
                   : x >= limit  ? int64_t(maskOf(i.c - 1))
                   : x <= -limit ? int64_t(~uint64_t(0) << (i.c - 1))
                                 : int64_t(x);
  f.r[i.dst] = uint64_t(result) & maskOf(i.c);
}
static void floatToUnsigned(Frame &f, const Instr &i) {
  double x = readFloat(f.r[i.a], i.imm);
  double limit = std::ldexp(1.0, int(i.c));
  uint64_t result = !(x > 0) ? 0 : x >= limit ? maskOf(i.c) : uint64_t(x);
  f.r[i.dst] = result;
}

//===----------------------------------------------------------------------===//
// Translation
//===----------------------------------------------------------------------===//

static Handler binaryHandler(Operation *op) {
  return llvm::TypeSwitch<Operation *, Handler>(op)
      .Case<arith::AddIOp>([](auto) { return addInt; })
      .Case<arith::SubIOp>([](auto) { return subInt; })
      .Case<arith::MulIOp>([](auto) { return mulInt; })
      .Case<arith::DivSIOp>([](auto) { return divSigned; })
      .Case<arith::DivUIOp>([](auto) { return divUnsigned; })
      .Case<arith::FloorDivSIOp>([](auto) { return floorDivSigned; })
      .Case<arith::RemSIOp>([](auto) { return remSigned; })
      .Case<arith::RemUIOp>([](auto) { return remUnsigned; })
      .Case<arith::AndIOp>([](auto) { return andInt; })
      .Case<arith::OrIOp>([](auto) { return orInt; })
      .Case<arith::XOrIOp>([](auto) { return xorInt; })
      .Case<arith::ShLIOp>([](auto) { return shiftLeft; })
      .Case<arith::ShRUIOp>([](auto) { return shiftRight; })
      .Case<arith::ShRSIOp>([](auto) { return shiftSigned; })
      .Case<arith::MinSIOp>([](auto) { return minSigned; })
      .Case<arith::MaxSIOp>([](auto) { return maxSigned; })
      .Case<arith::MinUIOp>([](auto) { return minUnsigned; })
      .Case<arith::MaxUIOp>([](auto) { return maxUnsigned; })
      .Case<arith::AddFOp>([](auto) { return addFloat; })
      .Case<arith::SubFOp>([](auto) { return subFloat; })
      .Case<arith::MulFOp>([](auto) { return mulFloat; })
      .Case<arith::DivFOp>([](auto) { return divFloat; })
      .Case<arith::RemFOp>([](auto) { return remFloat; })
      .Case<arith::MinNumFOp>([](auto) { return minNum; })
      .Case<arith::MaxNumFOp>([](auto) { return maxNum; })
      .Case<ir::FFloorModOp>([](auto) { return floorModFloat; })
      .Case<ir::FloorDivOp>([](ir::FloorDivOp o) {
        return o.getIsUnsigned() ? divUnsigned : floorDivSigned;
      })
      .Case<ir::FloorModOp>([](ir::FloorModOp o) {
        return o.getIsUnsigned() ? remUnsigned : floorModSigned;
      })
      .Case<ir::IPowOp>([](auto) { return powerInt; })
      .Case<ir::OverflowOp>([](ir::OverflowOp o) {
        return o.getKind() == ir::OverflowKind::add   ? overflowAdd
               : o.getKind() == ir::OverflowKind::sub ? overflowSub
                                                      : overflowMul;
      })
      .Default([](auto) { return nullptr; });
}

/// chi.checked. imm is the width, c the kind, extra the site.
static void checkedInt(Frame &f, const Instr &i) {
  int64_t x = signExtend(f.r[i.a], i.imm), y = signExtend(f.r[i.b], i.imm);
  auto kind = ir::OverflowKind(i.c);
  __int128 result = kind == ir::OverflowKind::add   ? __int128(x) + y
                    : kind == ir::OverflowKind::sub ? __int128(x) - y
                                                    : __int128(x) * y;
  if (result != signExtend(uint64_t(result), i.imm)) {
    int64_t values[] = {x, y};
    chirt_raise(static_cast<const chirt_site *>(i.extra), values);
  }
  f.r[i.dst] = uint64_t(result) & maskOf(i.imm);
}

static const chirt_site *siteOf(Translator &t, ir::CheckedOp op) {
  auto type = uint8_t(ir::dtypeOf(op.getType()));
  return makeSite(t, op.getLoc(), int32_t(ir::CheckKind::overflow),
                  ir::spelling(op.getKind()), 0, {type, type});
}

static Handler castHandler(Operation *op) {
  return llvm::TypeSwitch<Operation *, Handler>(op)
      .Case<arith::ExtUIOp, arith::BitcastOp>([](auto) { return zeroExtend; })
      .Case<arith::ExtSIOp>([](auto) { return extendSigned; })
      .Case<arith::TruncIOp>([](auto) { return truncateInt; })
      .Case<arith::IndexCastOp>([](auto) { return extendSigned; })
      .Case<arith::IndexCastUIOp>([](auto) { return truncateInt; })
      .Case<arith::ExtFOp, arith::TruncFOp>([](auto) { return convertFloat; })
      .Case<arith::SIToFPOp>([](auto) { return signedToFloat; })
      .Case<arith::UIToFPOp>([](auto) { return unsignedToFloat; })
      .Case([](ir::ToIntOp cast) {
        return cast.getIsUnsigned() ? floatToUnsigned : floatToSigned;
      })
      .Case<arith::NegFOp>([](auto) { return negateFloat; })
      .Default([](auto) { return nullptr; });
}

static uint64_t constantBits(Attribute value) {
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return integer.getValue().getZExtValue();
  if (auto real = dyn_cast<FloatAttr>(value))
    return real.getValue().bitcastToAPInt().getZExtValue();
  return 0;
}

bool Translator::translateArith(Operation *op, Code &code) {
  if (Handler handler = binaryHandler(op)) {
    Instr &instr = emit(code, handler);
    instr.a = reg(op->getOperand(0));
    instr.b = reg(op->getOperand(1));
    instr.dst = reg(op->getResult(0));
    instr.imm = widthOf(op->getOperand(0).getType());
    return true;
  }
  if (Handler handler = castHandler(op)) {
    Instr &instr = emit(code, handler);
    instr.a = reg(op->getOperand(0));
    instr.dst = reg(op->getResult(0));
    instr.imm = widthOf(op->getOperand(0).getType());
    instr.c = widthOf(op->getResult(0).getType());
    return true;
  }
  Register dst = op->getNumResults() ? reg(op->getResult(0)) : 0;
  if (auto known = dyn_cast<arith::ConstantOp>(op)) {
    Instr &instr = emit(code, constant);
    instr.dst = dst;
    instr.imm = constantBits(known.getValue());
    return true;
  }
  if (isa<ub::PoisonOp>(op)) {
    emit(code, constant).dst = dst;
    return true;
  }
  if (auto checked = dyn_cast<ir::CheckedOp>(op)) {
    const chirt_site *site = siteOf(*this, checked);
    Instr &instr = emit(code, checkedInt);
    instr.a = reg(checked.getLhs()), instr.b = reg(checked.getRhs());
    instr.dst = dst, instr.c = Register(checked.getKind());
    instr.imm = widthOf(checked.getType()), instr.extra = site;
    return true;
  }
  auto three = [&](Handler handler, Register a, Register b, Register c) {
    Instr &instr = emit(code, handler);
    instr.dst = dst, instr.a = a, instr.b = b, instr.c = c;
    instr.imm = widthOf(op->getOperand(0).getType());
    return true;
  };
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return three(compareInt, reg(compare.getLhs()), reg(compare.getRhs()),
                 Register(compare.getPredicate()));
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return three(compareFloat, reg(compare.getLhs()), reg(compare.getRhs()),
                 Register(compare.getPredicate()));
  if (auto choice = dyn_cast<arith::SelectOp>(op))
    return three(selectValue, reg(choice.getCondition()),
                 reg(choice.getTrueValue()), reg(choice.getFalseValue()));
  if (auto product = dyn_cast<arith::MulUIExtendedOp>(op))
    return three(mulExtended, reg(product.getLhs()), reg(product.getRhs()),
                 reg(product.getHigh()));
  return false;
}

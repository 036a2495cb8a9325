//===- ExpandForSPIRV.cpp - What SPIR-V has no instruction for ------------===//
// The results are those of a processor:
// LoopsToCPU/{SaturatingCasts,SignedZeros, OverflowFlags}.cpp say what is
// meant.

#include "chi/Conversion/Emitter.h"
#include "chi/Target/SPIRV/Steps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;
using namespace chi::conv::kernels;
using namespace chi::target::spv;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace {
/// Writes the replacement of one operation in front of it.
class Expansion {
public:
  Expansion(OpBuilder &builder, Operation *op) : b(builder), emit(builder, op) {
    b.setInsertionPoint(op);
  }

  Value toInt(ir::ToIntOp op);
  Value overflow(ir::OverflowOp op);
  Value size(Value x);
  Value remainder(Value x, Value y);
  Value least(Value x, Value y, bool isMax);
  Value trunc(Value x);
  Value inverseRoot(Value x);
  Value compareSize(CmpIPredicate how, Value x);
  Value timesZero(Value x, bool isNegative);
  Value withZero(arith::DivFOp quotient);
  Value plusZero(Value x);
  Value fromUnsigned(arith::UIToFPOp op);
  Value countOnes(Value x);
  Value smeared(Value x);
  template <typename Op> Value make(Value x, Value y) {
    return Op::create(b, emit.loc, x, y);
  }

  OpBuilder &b;
  Emitter emit;

private:
  Value isNegative(Value x) {
    return emit.compare(CmpIPredicate::slt, x, emit.constant(x.getType(), 0));
  }
  Value negated(Value x) {
    return make<arith::SubIOp>(emit.constant(x.getType(), 0), x);
  }
  Value compare(CmpFPredicate how, Value x, Value y) {
    return arith::CmpFOp::create(b, emit.loc, how, x, y);
  }
  Value integer(Type type, const APInt &value) {
    return arith::ConstantOp::create(b, emit.loc,
                                     b.getIntegerAttr(type, value));
  }
  Value bounded(Value result, Value x, CmpFPredicate how, const APFloat &bound,
                const APInt &value);
  Value saturated(Value x, IntegerType type, bool isSigned);
};
} // namespace

//===----------------------------------------------------------------------===//
// From floats to integers
//===----------------------------------------------------------------------===//

Value Expansion::bounded(Value result, Value x, CmpFPredicate how,
                         const APFloat &bound, const APInt &value) {
  Value limit = arith::ConstantOp::create(b, emit.loc,
                                          FloatAttr::get(x.getType(), bound));
  return emit.select(compare(how, x, limit), integer(result.getType(), value),
                     result);
}

/// To 32 or 64 bits. What SPIR-V's conversion gives past the range is replaced.
Value Expansion::saturated(Value x, IntegerType type, bool isSigned) {
  unsigned width = type.getWidth();
  const auto &format = cast<FloatType>(x.getType()).getFloatSemantics();
  auto asFloat = [&](const APInt &value) {
    APFloat number(format);
    number.convertFromAPInt(value, /*IsSigned=*/true,
                            APFloat::rmNearestTiesToEven);
    return number;
  };
  APInt most =
      isSigned ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width);
  APInt least = isSigned ? APInt::getSignedMinValue(width) : APInt(width, 0);
  Value result =
      isSigned ? arith::FPToSIOp::create(b, emit.loc, type, x).getResult()
               : arith::FPToUIOp::create(b, emit.loc, type, x).getResult();
  result = bounded(result, x, CmpFPredicate::OGE,
                   asFloat(most.zext(width + 2) + 1), most);
  result = bounded(result, x, CmpFPredicate::OLE,
                   asFloat(least.sext(width + 2) - 1), least);
  return bounded(result, x, CmpFPredicate::UNO, APFloat::getZero(format),
                 APInt(width, 0));
}

Value Expansion::toInt(ir::ToIntOp op) {
  Value x = op.getOperand();
  auto type = cast<IntegerType>(op.getType());
  if (x.getType().isF16())
    x = arith::ExtFOp::create(b, emit.loc, b.getF32Type(), x);
  bool isSigned = !op.getIsUnsigned();
  unsigned width = type.getWidth();
  if (width >= 32)
    return saturated(x, type, isSigned);
  APInt most = isSigned ? APInt::getSignedMaxValue(width).sext(32)
                        : APInt::getMaxValue(width).zext(32);
  APInt least =
      isSigned ? APInt::getSignedMinValue(width).sext(32) : APInt(32, 0);
  Value wide = saturated(x, b.getI32Type(), /*isSigned=*/true);
  wide = emit.max(wide, integer(b.getI32Type(), least));
  wide = emit.min(wide, integer(b.getI32Type(), most));
  return arith::TruncIOp::create(b, emit.loc, type, wide);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// A sum overflows if both terms have the sign that it has not; a product if
/// its upper half is not the sign of the lower one.
Value Expansion::overflow(ir::OverflowOp op) {
  Value x = op.getLhs(), y = op.getRhs();
  Type type = x.getType();
  auto differ = [&](Value a, Value c) { return make<arith::XOrIOp>(a, c); };
  switch (op.getKind()) {
  case ir::OverflowKind::add: {
    Value sum = make<arith::AddIOp>(x, y);
    return isNegative(make<arith::AndIOp>(differ(sum, x), differ(sum, y)));
  }
  case ir::OverflowKind::sub: {
    Value difference = make<arith::SubIOp>(x, y);
    return isNegative(make<arith::AndIOp>(differ(x, y), differ(difference, x)));
  }
  case ir::OverflowKind::mul: {
    auto product = arith::MulSIExtendedOp::create(b, emit.loc, x, y);
    Value last = emit.constant(type, type.getIntOrFloatBitWidth() - 1);
    Value sign = make<arith::ShRSIOp>(product.getLow(), last);
    return emit.compare(CmpIPredicate::ne, product.getHigh(), sign);
  }
  }
  llvm_unreachable("all kinds are listed");
}

/// Without its sign: the least number is its own, as one without signs.
Value Expansion::size(Value x) {
  return emit.select(isNegative(x), negated(x), x);
}

/// With the sign of `x`. SPIR-V's own has no meaning for numbers below 0, and
/// MLIR's takes the least number, which is its own size, for one above.
Value Expansion::remainder(Value x, Value y) {
  Value rest = make<arith::RemUIOp>(size(x), size(y));
  return emit.select(isNegative(x), negated(rest), rest);
}

/// Sums of neighbouring bits, pairs, fours; then of all bytes, in the highest.
Value Expansion::countOnes(Value x) {
  Type type = x.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  auto repeated = [&](uint8_t byte) {
    return integer(type, APInt::getSplat(width, APInt(8, byte)));
  };
  auto shifted = [&](Value value, unsigned by) {
    return make<arith::ShRUIOp>(value, emit.constant(type, by));
  };
  auto masked = [&](Value value, uint8_t byte) {
    return make<arith::AndIOp>(value, repeated(byte));
  };
  x = make<arith::SubIOp>(x, masked(shifted(x, 1), 0x55));
  x = make<arith::AddIOp>(masked(x, 0x33), masked(shifted(x, 2), 0x33));
  x = masked(make<arith::AddIOp>(x, shifted(x, 4)), 0x0F);
  return width == 8 ? x
                    : shifted(make<arith::MulIOp>(x, repeated(1)), width - 8);
}

/// All bits below the highest that is set.
Value Expansion::smeared(Value x) {
  Type type = x.getType();
  for (unsigned by = 1; by < type.getIntOrFloatBitWidth(); by *= 2)
    x = make<arith::OrIOp>(x, make<arith::ShRUIOp>(x, emit.constant(type, by)));
  return x;
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// A NaN is passed over, and -0 is less than +0.
Value Expansion::least(Value x, Value y, bool isMax) {
  Type type = x.getType(), wide = type;
  if (type.isF16()) {
    wide = b.getF32Type();
    x = arith::ExtFOp::create(b, emit.loc, wide, x);
    y = arith::ExtFOp::create(b, emit.loc, wide, y);
  }
  Type bits = b.getIntegerType(wide.getIntOrFloatBitWidth());
  Value xBits = arith::BitcastOp::create(b, emit.loc, bits, x);
  Value yBits = arith::BitcastOp::create(b, emit.loc, bits, y);
  // Equal numbers differ in the sign of zero at most.
  Value equal = isMax ? make<arith::AndIOp>(xBits, yBits)
                      : make<arith::OrIOp>(xBits, yBits);
  equal = arith::BitcastOp::create(b, emit.loc, wide, equal);
  CmpFPredicate first = isMax ? CmpFPredicate::OGT : CmpFPredicate::OLT;
  Value yIsNaN = compare(CmpFPredicate::UNO, y, y);
  Value takesX = make<arith::OrIOp>(compare(first, x, y), yIsNaN);
  Value result = emit.select(takesX, x, y);
  result = emit.select(compare(CmpFPredicate::OEQ, x, y), equal, result);
  if (wide != type)
    result = arith::TruncFOp::create(b, emit.loc, type, result);
  return result;
}

Value Expansion::trunc(Value x) {
  Value size =
      math::FloorOp::create(b, emit.loc, math::AbsFOp::create(b, emit.loc, x));
  return math::CopySignOp::create(b, emit.loc, size, x);
}

/// In two steps, as on a processor: SPIR-V's own may be wrong by 2 ulp.
Value Expansion::inverseRoot(Value x) {
  Value one =
      arith::ConstantOp::create(b, emit.loc, b.getFloatAttr(x.getType(), 1));
  return make<arith::DivFOp>(one, math::SqrtOp::create(b, emit.loc, x));
}

/// How a number's size compares with infinity's, by the bits: a driver may take
/// it that no comparison of floats meets a NaN.
Value Expansion::compareSize(CmpIPredicate how, Value x) {
  if (x.getType().isF16())
    x = arith::ExtFOp::create(b, emit.loc, b.getF32Type(), x);
  auto type = cast<FloatType>(x.getType());
  Type bits = b.getIntegerType(type.getWidth());
  APInt infinity = APFloat::getInf(type.getFloatSemantics()).bitcastToAPInt();
  Value size = make<arith::AndIOp>(
      arith::BitcastOp::create(b, emit.loc, bits, x),
      integer(bits, APInt::getSignedMaxValue(type.getWidth())));
  return emit.compare(how, size, integer(bits, infinity));
}

/// A zero with the sign of the product, or NaN, by the bits: drivers take it
/// that a product with the constant is zero, of an infinity too.
Value Expansion::timesZero(Value x, bool isNegative) {
  Type type = x.getType();
  if (type.isF16())
    x = arith::ExtFOp::create(b, emit.loc, b.getF32Type(), x);
  auto wide = cast<FloatType>(x.getType());
  unsigned width = wide.getWidth();
  Type bits = b.getIntegerType(width);
  APInt sign = APInt::getSignMask(width);
  Value zero = make<arith::AndIOp>(
      arith::BitcastOp::create(b, emit.loc, bits, x), integer(bits, sign));
  if (isNegative)
    zero = make<arith::XOrIOp>(zero, integer(bits, sign));
  APInt noNumber = APFloat::getQNaN(wide.getFloatSemantics()).bitcastToAPInt();
  Value product =
      arith::BitcastOp::create(b, emit.loc, wide,
                               emit.select(compareSize(CmpIPredicate::ult, x),
                                           zero, integer(bits, noNumber)));
  if (wide == type)
    return product;
  return arith::TruncFOp::create(b, emit.loc, type, product);
}

/// Of 32 bits to f32, as half of it, whose last bit says what is lost, if it is
/// no signed number: SwiftShader rounds such numbers twice.
Value Expansion::fromUnsigned(arith::UIToFPOp op) {
  Value x = op.getIn();
  if (!x.getType().isInteger(32) || !op.getType().isF32())
    return {};
  Value one = emit.constant(x.getType(), 1);
  Value half = make<arith::OrIOp>(make<arith::ShRUIOp>(x, one),
                                  make<arith::AndIOp>(x, one));
  Value isLarge = isNegative(x);
  Value number = arith::SIToFPOp::create(b, emit.loc, op.getType(),
                                         emit.select(isLarge, half, x));
  return emit.select(isLarge, make<arith::AddFOp>(number, number), number);
}

/// A sum with +0, by the bits: -0 becomes +0. Drivers drop the constant.
Value Expansion::plusZero(Value x) {
  Type type = x.getType();
  if (type.isF16())
    x = arith::ExtFOp::create(b, emit.loc, b.getF32Type(), x);
  auto wide = cast<FloatType>(x.getType());
  Type bits = b.getIntegerType(wide.getWidth());
  Value number = arith::BitcastOp::create(b, emit.loc, bits, x);
  Value isNegativeZero =
      emit.compare(CmpIPredicate::eq, number,
                   integer(bits, APInt::getSignMask(wide.getWidth())));
  Value sum = arith::BitcastOp::create(
      b, emit.loc, wide,
      emit.select(isNegativeZero, emit.constant(bits, 0), number));
  if (wide == type)
    return sum;
  return arith::TruncFOp::create(b, emit.loc, type, sum);
}

/// A quotient by a zero, or of one, by the bits: drivers multiply by the
/// reciprocal, and take it that a product with a zero is zero. Null if neither
/// is a constant zero.
Value Expansion::withZero(arith::DivFOp quotient) {
  Type type = quotient.getType();
  APFloat zero(0.0);
  bool isBy =
      matchPattern(quotient.getRhs(), m_ConstantFloat(&zero)) && zero.isZero();
  if (!isBy && !(matchPattern(quotient.getLhs(), m_ConstantFloat(&zero)) &&
                 zero.isZero()))
    return {};
  Value x = isBy ? quotient.getLhs() : quotient.getRhs();
  if (type.isF16())
    x = arith::ExtFOp::create(b, emit.loc, b.getF32Type(), x);
  auto wide = cast<FloatType>(x.getType());
  const llvm::fltSemantics &format = wide.getFloatSemantics();
  unsigned width = wide.getWidth();
  Type bits = b.getIntegerType(width);
  APInt mask = APInt::getSignMask(width);
  APInt size =
      isBy ? APFloat::getInf(format).bitcastToAPInt() : APInt::getZero(width);
  Value pattern = arith::BitcastOp::create(b, emit.loc, bits, x);
  Value result = make<arith::XOrIOp>(
      make<arith::AndIOp>(pattern, integer(bits, mask)),
      integer(bits, zero.isNegative() ? size | mask : size));
  // Less 1, a zero is larger than all sizes: neither it nor NaN has a quotient.
  Value less =
      make<arith::SubIOp>(make<arith::AndIOp>(pattern, integer(bits, ~mask)),
                          integer(bits, APInt(width, 1)));
  Value isNumber =
      emit.compare(CmpIPredicate::ult, less,
                   integer(bits, APFloat::getInf(format).bitcastToAPInt()));
  result = arith::BitcastOp::create(
      b, emit.loc, wide,
      emit.select(isNumber, result,
                  integer(bits, APFloat::getQNaN(format).bitcastToAPInt())));
  if (wide == type)
    return result;
  return arith::TruncFOp::create(b, emit.loc, type, result);
}

//===----------------------------------------------------------------------===//
// All operations
//===----------------------------------------------------------------------===//

namespace {
/// The kernels, and functions, whose floats are to be those of a processor.
class StrictKernels {
public:
  explicit StrictKernels(mlir::gpu::GPUModuleOp kernels) {
    for (auto kernel : kernels.getOps<mlir::gpu::GPUFuncOp>())
      any |= kernel->hasAttr(kStrictAttr);
  }
  bool have(Operation *op) const {
    auto kernel = op->getParentOfType<mlir::gpu::GPUFuncOp>();
    return kernel ? kernel->hasAttr(kStrictAttr) : any;
  }

private:
  bool any = false; ///< functions do not know who calls them
};
} // namespace

/// The replacement of an operation; null if it stays.
static Value expand(Operation *op, OpBuilder &builder,
                    const StrictKernels &strict) {
  Expansion here(builder, op);
  Emitter &emit = here.emit;
  auto ones = [&](Value x) { return emit.constant(x.getType(), -1); };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](ir::ToIntOp op) { return here.toInt(op); })
      .Case([&](ir::OverflowOp op) { return here.overflow(op); })
      .Case([&](arith::MinNumFOp op) {
        return here.least(op.getLhs(), op.getRhs(), /*isMax=*/false);
      })
      .Case([&](arith::MaxNumFOp op) {
        return here.least(op.getLhs(), op.getRhs(), /*isMax=*/true);
      })
      .Case([&](math::TruncOp op) { return here.trunc(op.getOperand()); })
      .Case([&](math::RsqrtOp op) { return here.inverseRoot(op.getOperand()); })
      .Case([&](arith::MulFOp op) {
        for (Value factor : {op.getLhs(), op.getRhs()}) {
          APFloat zero(0.0);
          if (matchPattern(factor, m_ConstantFloat(&zero)) && zero.isZero())
            return here.timesZero(factor == op.getLhs() ? op.getRhs()
                                                        : op.getLhs(),
                                  zero.isNegative());
        }
        return Value();
      })
      .Case([&](arith::UIToFPOp op) { return here.fromUnsigned(op); })
      .Case([&](arith::DivFOp op) { return here.withZero(op); })
      .Case([&](arith::AddFOp op) {
        bool isFirst = matchPattern(op.getLhs(), m_PosZeroFloat());
        return strict.have(op) &&
                       (isFirst || matchPattern(op.getRhs(), m_PosZeroFloat()))
                   ? here.plusZero(isFirst ? op.getRhs() : op.getLhs())
                   : Value();
      })
      .Case([&](arith::SubFOp op) {
        if (!strict.have(op))
          return Value();
        if (matchPattern(op.getLhs(), m_PosZeroFloat()))
          return here.plusZero(
              arith::NegFOp::create(builder, op.getLoc(), op.getRhs()));
        return matchPattern(op.getRhs(), m_NegZeroFloat())
                   ? here.plusZero(op.getLhs())
                   : Value();
      })
      .Case([&](math::FmaOp op) {
        return strict.have(op) ? exactFma(builder, op) : Value();
      })
      .Case([&](arith::SelectOp op) {
        return strict.have(op) ? exactSelect(builder, op) : Value();
      })
      .Case([&](math::IsNaNOp op) {
        return here.compareSize(CmpIPredicate::ugt, op.getOperand());
      })
      .Case([&](math::IsFiniteOp op) {
        return here.compareSize(CmpIPredicate::ult, op.getOperand());
      })
      .Case([&](math::CtPopOp op) { return here.countOnes(op.getOperand()); })
      .Case([&](math::CountLeadingZerosOp op) {
        Value low = here.smeared(op.getOperand());
        return here.countOnes(here.make<arith::XOrIOp>(low, ones(low)));
      })
      .Case([&](math::CountTrailingZerosOp op) {
        Value x = op.getOperand();
        Value others = here.make<arith::XOrIOp>(x, ones(x));
        Value below = here.make<arith::AddIOp>(x, ones(x));
        return here.countOnes(here.make<arith::AndIOp>(others, below));
      })
      .Case([&](math::AbsIOp op) { return here.size(op.getOperand()); })
      .Case([&](arith::RemSIOp op) {
        return here.remainder(op.getLhs(), op.getRhs());
      })
      .Default(Value());
}

/// What addFloatPatterns looks at.
static bool isContracted(Operation *op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             arith::NegFOp>(op);
}

/// What flags say is for other devices, or is said in another way: MLIR would
/// make of them decorations that Vulkan does not take.
static void dropFlags(Operation *op) {
  MLIRContext *context = op->getContext();
  if (auto floats = dyn_cast<arith::ArithFastMathInterface>(op);
      floats && !isContracted(op))
    op->setAttr(
        floats.getFastMathAttrName(),
        arith::FastMathFlagsAttr::get(context, arith::FastMathFlags::none));
  if (auto integers = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    op->setAttr(integers.getIntegerOverflowAttrName(),
                arith::IntegerOverflowFlagsAttr::get(
                    context, arith::IntegerOverflowFlags::none));
}

void chi::target::spv::expandForSPIRV(mlir::gpu::GPUModuleOp kernels) {
  OpBuilder builder(kernels.getContext());
  SmallVector<Operation *> work;
  kernels.walk([&](Operation *op) { work.push_back(op); });
  StrictKernels strict(kernels);
  for (Operation *op : work)
    if (Value result = expand(op, builder, strict)) {
      op->replaceAllUsesWith(ValueRange{result});
      op->erase();
    }
  kernels.walk(dropFlags);
}

namespace {
template <typename Op, typename To> struct FloatOp : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = this->getTypeConverter()->convertType(op.getType());
    if (!type)
      return failure();
    auto result =
        To::create(rewriter, op.getLoc(), type, adaptor.getOperands());
    if (!arith::bitEnumContainsAll(op.getFastmath(),
                                   arith::FastMathFlags::contract))
      result->setAttr("no_contraction", rewriter.getUnitAttr());
    rewriter.replaceOp(op, result);
    return success();
  }
};
} // namespace

void chi::target::spv::addFloatPatterns(const SPIRVTypeConverter &types,
                                        RewritePatternSet &patterns) {
  patterns.add<FloatOp<arith::AddFOp, spirv::FAddOp>,
               FloatOp<arith::SubFOp, spirv::FSubOp>,
               FloatOp<arith::MulFOp, spirv::FMulOp>,
               FloatOp<arith::DivFOp, spirv::FDivOp>,
               FloatOp<arith::NegFOp, spirv::FNegateOp>>(
      types, patterns.getContext(), PatternBenefit(2));
}

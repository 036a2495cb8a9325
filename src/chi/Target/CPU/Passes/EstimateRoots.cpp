//===- EstimateRoots.cpp - Reciprocals of roots by estimates --------------===//
// Note [Estimates of roots]
// LLVM's own expansion of a / sqrt(x) multiplies x = 0 by the infinite
// estimate, and x = inf by the estimate 0: NaN, where infinity and 0 are right.
// And it rewrites a / (x * sqrt(x)) as a / sqrt(x**3), whose cube overflows
// where the quotient is an ordinary number. Here the factor that refines the
// estimate is clamped to its range, by a minimum that returns its second
// operand if one is NaN.
//
// With the estimate y, e = x y**2 - 1 is at most 2**-13 (AVX-512) or 2**-10.4:
//   x**(-1/2) = y (1 - e/2 + O(e**2)), a step of Newton's method,
//   x**(-3/2) = y**3 (1 - 3/2 e + 15/8 e**2 - O(e**3)), of which AVX-512 needs
//               the linear part only.
// docs/design/0041-roots.md
//===----------------------------------------------------------------------===//

#include "chi/Target/CPU/Passes/EstimateRoots.h"
#include "chi/Target/CPU/Passes/KeepBlocks.h"
#include "chi/Target/Roots/Roots.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using chi::target::cpu::passes::RootEstimates;
using chi::target::roots::findRoot;
using chi::target::roots::Root;

namespace {
class Expansion {
public:
  Expansion(const RootEstimates &has, Instruction *at) : has(has), builder(at) {
    flags.setAllowContract();
    flags.setNoSignedZeros();
    builder.setFastMathFlags(flags);
  }

  /// All but the constant of x**(-1/2), or of x**(-3/2); and that.
  std::pair<Value *, double> reciprocal(const Root &root);

private:
  Value *estimate(Value *x);
  Value *estimateRegister(Value *x);
  Value *limit(Value *value, double most);
  Value *multiplyAdd(Value *a, Value *b, Value *c) {
    return builder.CreateFAdd(builder.CreateFMul(a, b), c);
  }
  Value *number(Value *like, double value) {
    return ConstantFP::get(like->getType(), value);
  }

  const RootEstimates &has;
  FastMathFlags flags;
  IRBuilder<> builder;
};
} // namespace

RootEstimates RootEstimates::of(const TargetMachine &machine) {
  if (!machine.getTargetTriple().isX86())
    return {};
  auto has = [&](StringRef feature) {
    return machine.getMCSubtargetInfo()->checkFeatures(feature);
  };
  if (has("+avx512f,+avx512vl"))
    return {true, 16};
  return {false, has("+avx") ? 8u : has("+sse2") ? 4u : 0u};
}

//===----------------------------------------------------------------------===//
// The estimate
//===----------------------------------------------------------------------===//

/// For 4, 8 or 16 lanes.
Value *Expansion::estimateRegister(Value *x) {
  unsigned lanes = cast<FixedVectorType>(x->getType())->getNumElements();
  if (!has.isFine)
    return builder.CreateIntrinsic(lanes == 8 ? Intrinsic::x86_avx_rsqrt_ps_256
                                              : Intrinsic::x86_sse_rsqrt_ps,
                                   {x});
  Intrinsic::ID fine = lanes == 16  ? Intrinsic::x86_avx512_rsqrt14_ps_512
                       : lanes == 8 ? Intrinsic::x86_avx512_rsqrt14_ps_256
                                    : Intrinsic::x86_avx512_rsqrt14_ps_128;
  Type *mask = builder.getIntNTy(std::max(lanes, 8u));
  return builder.CreateIntrinsic(fine, {x, Constant::getNullValue(x->getType()),
                                        Constant::getAllOnesValue(mask)});
}

/// In whole registers, the last of which may be in part anything.
Value *Expansion::estimate(Value *x) {
  auto type = dyn_cast<FixedVectorType>(x->getType());
  if (!type) {
    auto *four = FixedVectorType::get(x->getType(), 4);
    Value *first = builder.CreateInsertElement(PoisonValue::get(four), x,
                                               builder.getInt64(0));
    return builder.CreateExtractElement(estimateRegister(first),
                                        builder.getInt64(0));
  }
  unsigned count = type->getNumElements();
  unsigned lanes = 4;
  while (lanes < has.lanes && lanes < count)
    lanes *= 2;
  if (count == lanes)
    return estimateRegister(x);
  Value *all = nullptr;
  for (unsigned first = 0; first < count; first += lanes) {
    SmallVector<int> mask;
    for (unsigned lane = first; lane < first + lanes; ++lane)
      mask.push_back(lane < count ? int(lane) : PoisonMaskElem);
    Value *part = estimateRegister(builder.CreateShuffleVector(x, mask));
    // Extended to a register, then truncated to the requested length.
    SmallVector<int> join;
    for (unsigned lane = 0; lane < std::min(first + lanes, count); ++lane)
      join.push_back(lane < first ? int(lane)
                                  : int(lane - first + (all ? first : 0)));
    if (!all) {
      all = builder.CreateShuffleVector(part, join);
      continue;
    }
    SmallVector<int> same;
    for (unsigned lane = 0; lane < first; ++lane)
      same.push_back(lane < lanes ? int(lane) : PoisonMaskElem);
    Value *widened = builder.CreateShuffleVector(part, same);
    all = builder.CreateShuffleVector(all, widened, join);
  }
  return all;
}

//===----------------------------------------------------------------------===//
// Its refinement
//===----------------------------------------------------------------------===//

/// `value` where it is below `most`; else, and beside NaN, `most`.
Value *Expansion::limit(Value *value, double most) {
  IRBuilder<>::FastMathFlagGuard guard(builder);
  builder.clearFastMathFlags();
  Value *bound = number(value, most);
  return builder.CreateSelect(builder.CreateFCmpOLT(value, bound), value,
                              bound);
}

std::pair<Value *, double> Expansion::reciprocal(const Root &root) {
  Value *x = root.x, *y = estimate(x);
  if (!root.isCubed) { // y (e - 2) (-1/2)
    Value *product = builder.CreateFMul(x, y);
    Value *factor = limit(multiplyAdd(product, y, number(x, -3)), -1.5);
    return {builder.CreateFMul(y, factor), -0.5};
  }
  Value *square = builder.CreateFMul(y, y);
  Value *cube = builder.CreateFMul(square, y);
  if (has.isFine) { // y**3 (e - 2/3) (-3/2)
    Value *factor = limit(multiplyAdd(x, square, number(x, -5.0 / 3)), -0.5);
    return {builder.CreateFMul(cube, factor), -1.5};
  }
  Value *error = limit(multiplyAdd(x, square, number(x, -1)), 0.25);
  Value *slope = multiplyAdd(error, number(x, 1.875), number(x, -1.5));
  Value *factor = multiplyAdd(slope, error, number(x, 1));
  return {builder.CreateFMul(cube, factor), 1};
}

//===----------------------------------------------------------------------===//
// What divides
//===----------------------------------------------------------------------===//

/// The root by which a quotient may be estimated; none if `x` is null. A
/// quotient that must keep its place among other factors is not divided in two,
/// and not multiplied by a cube, which may overflow where it does not.
static Root estimatedRoot(const BinaryOperator &quotient) {
  if (quotient.getOpcode() != Instruction::FDiv ||
      !quotient.getType()->getScalarType()->isFloatTy() ||
      !quotient.hasAllowReciprocal() || !quotient.hasApproxFunc())
    return {};
  Root root = findRoot(quotient.getOperand(1));
  bool isOne = !root.isCubed && !root.factor;
  return isOne || quotient.hasAllowReassoc() ? root : Root();
}

/// The place of the reciprocal for all quotients: after the divisor, but before
/// the only quotient, which may be in a branch.
static Instruction *placeFor(ArrayRef<BinaryOperator *> quotients) {
  if (quotients.size() == 1)
    return quotients.front();
  auto *divisor = cast<Instruction>(quotients.front()->getOperand(1));
  return &*divisor->getInsertionPointAfterDef().value();
}

static void expand(ArrayRef<BinaryOperator *> quotients, const Root &root,
                   const RootEstimates &has) {
  Instruction *at = placeFor(quotients);
  auto [reciprocal, constant] = Expansion(has, at).reciprocal(root);
  Type *type = reciprocal->getType();
  auto scaled = [&, constant = constant](IRBuilder<> &builder, Value *value) {
    builder.setFastMathFlags(quotients.front()->getFastMathFlags());
    return builder.CreateFMul(value, ConstantFP::get(type, constant));
  };
  // Into a constant numerator, or once for all.
  bool isFolded =
      quotients.size() == 1 && isa<Constant>(quotients.front()->getOperand(0));
  if (IRBuilder<> builder(at); !isFolded)
    reciprocal = scaled(builder, reciprocal);
  for (BinaryOperator *quotient : quotients) {
    IRBuilder<> builder(quotient);
    Value *numerator = quotient->getOperand(0);
    if (isFolded)
      numerator = scaled(builder, numerator);
    builder.setFastMathFlags(quotient->getFastMathFlags());
    Value *result = builder.CreateFMul(numerator, reciprocal);
    if (root.factor)
      result = builder.CreateFDiv(result, root.factor);
    quotient->replaceAllUsesWith(result);
    quotient->eraseFromParent();
  }
}

PreservedAnalyses
chi::target::cpu::passes::EstimateRootsPass::run(Function &function,
                                                 FunctionAnalysisManager &) {
  MapVector<Value *, SmallVector<BinaryOperator *, 1>> divisors;
  if (has.lanes != 0)
    for (Instruction &inst : instructions(function))
      if (auto *quotient = dyn_cast<BinaryOperator>(&inst);
          quotient && estimatedRoot(*quotient).x)
        divisors[quotient->getOperand(1)].push_back(quotient);
  for (auto &[divisor, quotients] : divisors)
    expand(quotients, findRoot(divisor), has);
  return keepBlocks(!divisors.empty());
}

void chi::target::cpu::passes::keepExactRoots(Function &function) {
  function.addFnAttr("reciprocal-estimates", "!sqrtf,!vec-sqrtf");
}

//===- ExpandMinMax.cpp - min and max of scalars, written out -------------===//
// Note [Minimum beside NaN]
// For processors with AVX512DQ LLVM 22 orders the zeros of a scalar minimum or
// maximum by `vfpclass` if one side is known not to be NaN. Its mask matches a
// zero or a NaN, and moves the match to the operand from which `vmax`
// propagates a NaN: right for `maximum`, wrong for `maximumnum`, which must
// ignore it. `maximumnum(x, float(i))` of a NaN `x` is then NaN.
// docs/design/0011-wrapped-indices.md says when this can go.
//===----------------------------------------------------------------------===//

#include "chi/Target/CPU/Workarounds/ExpandMinMax.h"
#include "chi/Target/CPU/Passes/KeepBlocks.h"
#include "chi/Target/CPU/Workarounds/WorksAround.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

CHI_WORKS_AROUND_LLVM(22);

namespace {
/// One of them: `x` and `y`, a constant last.
struct MinMax {
  explicit MinMax(IntrinsicInst &call)
      : call(call), isMax(call.getIntrinsicID() == Intrinsic::maximumnum),
        x(call.getArgOperand(0)), y(call.getArgOperand(1)), builder(&call) {
    if (isa<Constant>(x))
      std::swap(x, y);
  }

  Value *expand();

private:
  Value *withoutZeros(const APFloat &constant);
  Value *orderZeros(Value *nearly);

  IntrinsicInst &call;
  bool isMax;
  Value *x, *y;
  IRBuilder<> builder;
};
} // namespace

/// Beside a constant one comparison does: it decides by the constant where `x`
/// is NaN, and for the zero that wins also where both are zero.
Value *MinMax::withoutZeros(const APFloat &constant) {
  bool loses = constant.isZero() && constant.isNegative() == isMax;
  CmpInst::Predicate predicate =
      isMax ? (loses ? CmpInst::FCMP_OGE : CmpInst::FCMP_OGT)
            : (loses ? CmpInst::FCMP_OLE : CmpInst::FCMP_OLT);
  return builder.CreateSelect(builder.CreateFCmp(predicate, x, y), x, y);
}

/// If both are equal they have the same bits, or are two zeros, whose signs
/// decide.
Value *MinMax::orderZeros(Value *nearly) {
  Type *bits = builder.getIntNTy(x->getType()->getScalarSizeInBits());
  Value *a = builder.CreateBitCast(x, bits),
        *b = builder.CreateBitCast(y, bits);
  Value *same = isMax ? builder.CreateAnd(a, b) : builder.CreateOr(a, b);
  return builder.CreateSelect(builder.CreateFCmpOEQ(x, y),
                              builder.CreateBitCast(same, x->getType()),
                              nearly);
}

Value *MinMax::expand() {
  const APFloat *constant = nullptr;
  if (PatternMatch::match(y, PatternMatch::m_APFloat(constant)) &&
      !constant->isNaN())
    return withoutZeros(*constant);
  CmpInst::Predicate wins = isMax ? CmpInst::FCMP_OGT : CmpInst::FCMP_OLT;
  Value *nearly =
      builder.CreateSelect(builder.CreateFCmp(wins, x, y), x, y); // y if NaN
  if (!call.hasNoNaNs())
    nearly = builder.CreateSelect(builder.CreateFCmpUNO(y, y), x, nearly);
  return call.hasNoSignedZeros() ? nearly : orderZeros(nearly);
}

PreservedAnalyses chi::target::cpu::workarounds::ExpandMinMaxPass::run(
    Function &function, FunctionAnalysisManager &) {
  bool isChanged = false;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<IntrinsicInst>(&inst);
    if (!call || call->getType()->isVectorTy() ||
        (call->getIntrinsicID() != Intrinsic::minimumnum &&
         call->getIntrinsicID() != Intrinsic::maximumnum))
      continue;
    Value *expanded = MinMax(*call).expand();
    call->replaceAllUsesWith(expanded);
    call->eraseFromParent();
    isChanged = true;
  }
  return passes::keepBlocks(isChanged);
}

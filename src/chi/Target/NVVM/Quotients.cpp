//===- Quotients.cpp - Quotients and roots of f32 for NVIDIA --------------===//
// Note [Quotients on NVIDIA devices]
// For operations that may be approximated LLVM chooses div.approx.f32, whose
// quotient is 0 for divisors of 2**126 and more and is off by up to 2 ulp, and
// sqrt.approx.f32. Then 49 / 49 is less than 1, and errors of one direction
// accumulate: the velocities of examples/lbm.chi were off by 2.6e-5 after 1000
// steps, exact quotients by 2e-7. All other targets divide exactly.
//
// Reciprocals of roots are estimated, as on the CPU (docs/design/0041): with
// y = rsqrt.approx(x), which is off by 2**-22.9 at most and correct for x = 0,
// infinity and denormals, n / sqrt(x) = n y, and n / (x sqrt(x)) = n y y y.
// docs/design/0079-quotients-on-cuda.md
//===----------------------------------------------------------------------===//

#include "chi/Target/NVVM/Quotients.h"
#include "chi/Target/Roots/Roots.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using chi::target::nvvm::Quotients;
using chi::target::roots::findRoot;
using chi::target::roots::Root;

/// The root by which a quotient may be estimated; none if `x` is null.
static Root estimatedRoot(const Instruction &quotient) {
  if (quotient.getOpcode() != Instruction::FDiv ||
      !quotient.getType()->isFloatTy() || !quotient.hasAllowReciprocal() ||
      !quotient.hasApproxFunc())
    return {};
  Root root = findRoot(quotient.getOperand(1));
  bool isOrdered = root.isCubed && !quotient.hasAllowReassoc();
  return isOrdered || root.factor ? Root() : root;
}

/// The numerator is multiplied first: y**3 may overflow where the quotient does
/// not.
static void expand(Instruction *quotient, const Root &root) {
  IRBuilder<> builder(quotient);
  FastMathFlags flags;
  flags.setAllowContract();
  flags.setNoSignedZeros();
  builder.setFastMathFlags(flags);
  Value *y = builder.CreateIntrinsic(Intrinsic::nvvm_rsqrt_approx_f, {root.x});
  Value *result = builder.CreateFMul(quotient->getOperand(0), y);
  for (int more = root.isCubed ? 2 : 0; more > 0; --more)
    result = builder.CreateFMul(result, y);
  quotient->replaceAllUsesWith(result);
  quotient->eraseFromParent();
}

static bool isApproximated(const Instruction &inst) {
  return inst.getType()->getScalarType()->isFloatTy() &&
         (inst.getOpcode() == Instruction::FDiv ||
          match(&inst, m_Sqrt(m_Value())));
}

void chi::target::nvvm::expandQuotients(Function &function, Quotients form) {
  if (form == Quotients::Native)
    return;
  for (Instruction &inst : make_early_inc_range(instructions(function)))
    if (form == Quotients::Estimated)
      if (Root root = estimatedRoot(inst); root.x)
        expand(&inst, root);
  for (Instruction &inst : instructions(function))
    if (isApproximated(inst))
      inst.setHasApproxFunc(false);
}

//===- LimitInterleavingTest.cpp - Deep expressions stay single -----------===//
#include "chi/Target/CPU/Workarounds/LimitInterleaving.h"
#include "../RunPass.h"
#include "gtest/gtest.h"

using namespace llvm;
using chi::target::cpu::ThenVectorise;
using chi::target::cpu::workarounds::LimitInterleavingPass;

/// A loop that adds up x * x, squared so many times: 2**depth paths lead from
/// the sum to the element.
static std::string squares(unsigned depth) {
  std::string text =
      "define float @f(ptr noalias %p, i64 %n) {\nentry:\n  br label %loop\n"
      "loop:\n  %i = phi i64 [ 0, %entry ], [ %j, %loop ]\n"
      "  %s = phi float [ 0.0, %entry ], [ %t, %loop ]\n"
      "  %at = getelementptr float, ptr %p, i64 %i\n"
      "  %v0 = load float, ptr %at\n";
  for (unsigned k = 0; k < depth; ++k) {
    std::string v = "%v" + std::to_string(k);
    text += "  %v" + std::to_string(k + 1) + " = fmul fast float " + v + ", " +
            v + "\n";
  }
  return text + "  %t = fadd fast float %s, %v" + std::to_string(depth) +
         "\n  %j = add nuw nsw i64 %i, 1\n  %c = icmp eq i64 %j, %n\n"
         "  br i1 %c, label %exit, label %loop\nexit:\n  ret float %t\n}\n";
}

static bool isLimited(unsigned depth) {
  std::string text =
      chi::target::cpu::textAfter(LimitInterleavingPass(), squares(depth));
  EXPECT_NE(text.find("%t = fadd"), std::string::npos) << text;
  return text.find("!llvm.loop") != std::string::npos;
}

TEST(LimitInterleaving, CountsPathsAndNotOperations) {
  EXPECT_FALSE(isLimited(4));
  EXPECT_FALSE(isLimited(12));
  EXPECT_TRUE(isLimited(20));
  EXPECT_TRUE(isLimited(200)); // more paths than any number holds
}

TEST(LimitInterleaving, LeavesVectors) {
  auto machine = chi::target::cpu::x86Machine("znver3");
  if (!machine)
    GTEST_SKIP() << "no code for x86-64 can be made here";
  auto products = [&](unsigned depth) {
    std::string text = chi::target::cpu::textAfter(
        ThenVectorise<LimitInterleavingPass>(), squares(depth), machine.get());
    return StringRef(text).count("fmul fast <8 x float>");
  };
  EXPECT_GT(products(2), 2u); // interleaved
  EXPECT_EQ(products(20), 20u);
}

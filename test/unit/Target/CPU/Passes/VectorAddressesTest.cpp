//===- VectorAddressesTest.cpp - Indices of gathers are vectors -----------===//
#include "chi/Target/CPU/Passes/VectorAddresses.h"
#include "../RunPass.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Transforms/Vectorize/LoopVectorize.h"
#include "gtest/gtest.h"

using namespace llvm;
using chi::target::cpu::passes::VectorAddressesPass;

namespace {
class VectorAddresses : public ::testing::Test {
protected:
  void SetUp() override {
    InitializeNativeTarget();
    if (!machineOf("znver3"))
      GTEST_SKIP() << "no code for x86-64 can be made here";
  }

  static std::unique_ptr<TargetMachine> machineOf(StringRef processor) {
    Triple triple("x86_64-unknown-linux-gnu");
    std::string error;
    const Target *target = TargetRegistry::lookupTarget(triple, error);
    return std::unique_ptr<TargetMachine>(
        target ? target->createTargetMachine(triple, processor, "", {},
                                             std::nullopt)
               : nullptr);
  }

  /// The text of a function after the passes: a loop over %i whose body makes
  /// the index %k, an i32, and loads from that place of %p, and from those
  /// behind it.
  template <typename Pass = VectorAddressesPass>
  static std::string after(StringRef index, unsigned loads,
                           StringRef processor = "znver3", Pass pass = {}) {
    std::string text =
        "define void @f(ptr noalias %p, ptr noalias %q, ptr noalias %w, "
        "i64 %n) {\nentry:\n  br label %loop\nloop:\n"
        "  %i = phi i64 [ 0, %entry ], [ %j, %loop ]\n" +
        index.str() +
        "  %wide = zext i32 %k to i64\n"
        "  %s0 = fadd fast float 0.0, 0.0\n";
    for (unsigned load = 1; load <= loads; ++load) {
      std::string n = std::to_string(load), m = std::to_string(load - 1);
      text += "  %a" + n + " = getelementptr [4 x float], ptr %p, i64 %wide, " +
              "i64 " + n + "\n  %v" + n + " = load float, ptr %a" + n +
              "\n  %s" + n + " = fadd fast float %s" + m + ", %v" + n + "\n";
    }
    text += "  %to = getelementptr float, ptr %q, i64 %i\n  store float %s" +
            std::to_string(loads) +
            ", ptr %to\n  %j = add nuw nsw i64 %i, 1\n"
            "  %c = icmp eq i64 %j, %n\n"
            "  br i1 %c, label %exit, label %loop\nexit:\n  ret void\n}\n";
    return chi::target::cpu::textAfter(std::move(pass), text,
                                       machineOf(processor).get());
  }
};
} // namespace

static constexpr StringLiteral kOfFloat =
    "  %at = getelementptr float, ptr %w, i64 %i\n"
    "  %x = load float, ptr %at\n  %y = fmul float %x, 3.0\n"
    "  %k = fptosi float %y to i32\n";

static size_t phisIn(StringRef text) { return text.count("= phi "); }

TEST_F(VectorAddresses, AnIndexOfFloatsGoesThroughAPhi) {
  std::string text = after(kOfFloat, 4);
  EXPECT_EQ(phisIn(text), 2u) << text;
  EXPECT_NE(text.find(" = phi i32 [ %k, %loop ]"), std::string::npos) << text;
  EXPECT_NE(text.find("%wide = zext i32 %0"), std::string::npos) << text;
}

TEST_F(VectorAddresses, SoDoSeveral) {
  std::string text = after("  %at = getelementptr float, ptr %w, i64 %i\n"
                           "  %x = load float, ptr %at\n"
                           "  %h = fptosi float %x to i64\n"
                           "  %b = getelementptr i8, ptr %p, i64 %h\n"
                           "  %first = load float, ptr %b\n"
                           "  %y = fmul float %first, 3.0\n"
                           "  %k = fptosi float %y to i32\n",
                           3);
  EXPECT_NE(text.find(" = phi i64 [ %h, %loop ]"), std::string::npos) << text;
  EXPECT_NE(text.find(" = phi i32 [ %k, %"), std::string::npos) << text;
}

TEST_F(VectorAddresses, NeighboursShareAnIndex) {
  std::string text = after("  %at = getelementptr float, ptr %w, i64 %i\n"
                           "  %x = load float, ptr %at\n"
                           "  %h = fptosi float %x to i32\n"
                           "  %k = add i32 %h, 1\n",
                           4);
  EXPECT_NE(text.find(" = phi i32 [ %h, %loop ]"), std::string::npos) << text;
  EXPECT_NE(text.find("%k = add i32 %0, 1"), std::string::npos) << text;
}

TEST_F(VectorAddresses, ChoicesOfSixtyFourBitsStay) {
  std::string text = after("  %at = getelementptr float, ptr %w, i64 %i\n"
                           "  %x = load float, ptr %at\n"
                           "  %h = fptosi float %x to i32\n"
                           "  %far = sext i32 %h to i64\n"
                           "  %large = fcmp oge float %x, 9.0\n"
                           "  %m = select i1 %large, i64 9, i64 %far\n"
                           "  %p9 = getelementptr float, ptr %p, i64 %m\n"
                           "  %k = load i32, ptr %p9\n",
                           4);
  EXPECT_EQ(phisIn(text), 1u) << text;
}

TEST_F(VectorAddresses, FewLoadsStay) {
  std::string text = after(kOfFloat, 3);
  EXPECT_EQ(phisIn(text), 1u) << text;
}

TEST_F(VectorAddresses, GathersNeedNothing) {
  for (StringRef processor : {"znver4", "skylake"}) {
    std::string text = after(kOfFloat, 4, processor);
    EXPECT_EQ(phisIn(text), 1u) << text;
  }
}

TEST_F(VectorAddresses, IndicesThatAreCountedOrLoadedStay) {
  std::string text = after("  %t = trunc i64 %i to i32\n"
                           "  %k = and i32 %t, 1023\n",
                           4);
  EXPECT_EQ(phisIn(text), 1u) << text;
  text = after("  %at = getelementptr i32, ptr %w, i64 %i\n"
               "  %k = load i32, ptr %at\n",
               4);
  EXPECT_EQ(phisIn(text), 1u) << text;
}

/// Tells when a later LLVM needs the pass no longer.
TEST_F(VectorAddresses, TheVectoriserCastsLaneByLaneWithoutIt) {
  std::string text = after(kOfFloat, 4, "znver3", LoopVectorizePass());
  EXPECT_NE(text.find("fadd fast <"), std::string::npos) << text;
  EXPECT_EQ(text.find("fptosi <"), std::string::npos) << text;
  FunctionPassManager both;
  both.addPass(VectorAddressesPass());
  both.addPass(LoopVectorizePass());
  text = after(kOfFloat, 4, "znver3", std::move(both));
  EXPECT_NE(text.find("fptosi <"), std::string::npos) << text;
}

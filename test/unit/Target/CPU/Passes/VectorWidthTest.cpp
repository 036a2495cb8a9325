//===- VectorWidthTest.cpp - How wide registers of a function are ---------===//
#include "chi/Target/CPU/Passes/VectorWidth.h"
#include "../RunPass.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace {
struct SetWidth : PassInfoMixin<SetWidth> {
  const TargetMachine *machine;
  std::string *widths;
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    chi::target::cpu::passes::setVectorWidth(function, *machine);
    for (StringRef name : {"min-legal-vector-width", "prefer-vector-width"}) {
      StringRef width = function.getFnAttribute(name).getValueAsString();
      *widths += (width.empty() ? "-" : width.str()) + " ";
    }
    return PreservedAnalyses::all();
  }
};

class VectorWidth : public ::testing::Test {
protected:
  /// Both attributes of a function that does `body` with %a, of `lanes` floats
  /// and loaded from %p.
  static std::string widths(StringRef processor, unsigned lanes,
                            StringRef body) {
    InitializeNativeTarget();
    Triple triple("x86_64-unknown-linux-gnu");
    std::string error;
    const Target *target = TargetRegistry::lookupTarget(triple, error);
    if (!target)
      return "no target";
    std::unique_ptr<TargetMachine> machine(
        target->createTargetMachine(triple, processor, "", {}, std::nullopt));
    std::string type = "<" + std::to_string(lanes) + " x float>";
    std::string text = "declare void @g(<9 x float>)\n"
                       "define void @f(ptr %p) {\n  %a = load " +
                       type + ", ptr %p\n  %b = fmul " + type + " %a, %a\n" +
                       body.str() + "  store " + type +
                       " %b, ptr %p\n  ret void\n}\n";
    std::string result;
    std::string after = chi::target::cpu::textAfter(
        SetWidth{{}, machine.get(), &result}, text, machine.get());
    EXPECT_NE(after.find("fmul"), std::string::npos) << after;
    return result;
  }
};
} // namespace

TEST_F(VectorWidth, IsHalfWhereLanesAreUnused) {
  if (widths("znver4", 9, "") == "no target")
    GTEST_SKIP() << "no code for x86-64 can be made here";
  EXPECT_EQ(widths("znver4", 9, ""), "256 256 ");
  EXPECT_EQ(widths("znver4", 12, ""), "256 256 ");
  EXPECT_EQ(widths("skylake-avx512", 9, ""), "256 256 ");
}

TEST_F(VectorWidth, IsWholeWhereTheyAreUsed) {
  if (widths("znver4", 16, "") == "no target")
    GTEST_SKIP() << "no code for x86-64 can be made here";
  for (unsigned lanes : {4u, 8u, 13u, 16u, 32u})
    EXPECT_EQ(widths("znver4", lanes, ""), "- 512 ") << lanes;
  EXPECT_EQ(widths("skylake-avx512", 16, ""), "- - ");
  EXPECT_EQ(widths("haswell", 9, ""), "- - ");
  // Longer ones are the more.
  StringRef full = "  %c = load <16 x float>, ptr %p\n"
                   "  %d = fadd <16 x float> %c, %c\n"
                   "  %e = fadd <16 x float> %d, %c\n"
                   "  store <16 x float> %e, ptr %p\n";
  EXPECT_EQ(widths("znver4", 9, full), "- 512 ");
}

TEST_F(VectorWidth, KeepsRegistersOfArguments) {
  EXPECT_EQ(widths("znver4", 9, "  call void @g(<9 x float> %b)\n"), "- 512 ");
}

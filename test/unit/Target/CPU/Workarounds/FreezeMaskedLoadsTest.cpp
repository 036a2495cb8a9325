//===- FreezeMaskedLoadsTest.cpp - Masked loads stay where they are -------===//
#include "chi/Target/CPU/Workarounds/FreezeMaskedLoads.h"
#include "../RunPass.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace {
struct FreezePass : PassInfoMixin<FreezePass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    chi::target::cpu::workarounds::freezeMaskedLoads(function);
    return PreservedAnalyses::none();
  }
};

struct FreezeAndCombine : PassInfoMixin<FreezeAndCombine> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &manager) {
    chi::target::cpu::workarounds::freezeMaskedLoads(function);
    chi::target::cpu::workarounds::freezeMaskedLoads(function);
    return InstCombinePass().run(function, manager);
  }
};
} // namespace

/// A function that loads, runs `between`, and selects.
static std::string textOf(StringRef between) {
  return ("define <8 x float> @f(ptr %p, <8 x float> %v, <8 x i1> %m) {\n"
          "  %x = call <8 x float> @llvm.masked.load(ptr align 4 %p, "
          "<8 x i1> %m, <8 x float> poison)\n" +
          between +
          "  %s = select <8 x i1> %m, <8 x float> %x, <8 x float> %v\n"
          "  ret <8 x float> %s\n}\n")
      .str();
}

static constexpr StringLiteral kStore =
    "  call void @llvm.masked.store(<8 x float> zeroinitializer, "
    "ptr align 4 %p, <8 x i1> %m)\n";

static size_t placeOf(const std::string &text, StringRef callee) {
  return StringRef(text).find(("@llvm.masked." + callee).str());
}

TEST(FreezeMaskedLoads, BeforeAWrite) {
  std::string text = chi::target::cpu::textAfter(FreezePass(), textOf(kStore));
  EXPECT_EQ(StringRef(text).count(" = freeze <8 x float> %x"), 1u) << text;
  EXPECT_TRUE(
      StringRef(text).contains("select <8 x i1> %m, <8 x float> %x.kept"))
      << text;
}

TEST(FreezeMaskedLoads, NotWithoutAWrite) {
  std::string text = chi::target::cpu::textAfter(FreezePass(), textOf(""));
  EXPECT_FALSE(StringRef(text).contains("freeze")) << text;
}

TEST(FreezeMaskedLoads, KeepTheOrderOfLoadAndStore) {
  std::string text =
      chi::target::cpu::textAfter(FreezeAndCombine(), textOf(kStore));
  EXPECT_LT(placeOf(text, "load"), placeOf(text, "store")) << text;
  EXPECT_EQ(StringRef(text).count("freeze"), 1u) << text;
}

// When this fails, LLVM no longer has the fault, and the workaround can go.
TEST(FreezeMaskedLoads, TheFaultIsThere) {
  std::string text =
      chi::target::cpu::textAfter(InstCombinePass(), textOf(kStore));
  EXPECT_GT(placeOf(text, "load"), placeOf(text, "store")) << text;
}

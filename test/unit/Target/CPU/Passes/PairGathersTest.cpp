//===- PairGathersTest.cpp - Neighbours are gathered together -------------===//
#include "chi/Target/CPU/Passes/PairGathers.h"
#include "../RunPass.h"
#include "gtest/gtest.h"

using namespace llvm;

/// The text of `body`, the code of a function of (p, q, index, mask), after
/// the pass.
static std::string afterPass(StringRef body) {
  std::string text =
      "declare <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr>, <4 x i1>, "
      "<4 x float>)\n"
      "define <4 x float> @f(ptr %p, ptr noalias %q, <4 x i64> %index, "
      "<4 x i1> %mask) {\n  %x = getelementptr [2 x float], ptr %p, <4 x i64> "
      "%index\n" +
      body.str() + "  ret <4 x float> %r\n}\n";
  using namespace chi::target;
  return cpu::textAfter(cpu::passes::PairGathersPass(), text);
}

static size_t occurrences(StringRef text, StringRef part) {
  return text.count(part);
}

static const char *kGather =
    "call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> align 4 ";

static std::string gather(StringRef name, StringRef address,
                          StringRef mask = "%mask", StringRef dead = "poison") {
  return ("  %" + name + " = " + kGather + address + ", <4 x i1> " + mask +
          ", <4 x float> " + dead + ")\n")
      .str();
}

static const char *kY = "  %y = getelementptr i8, <4 x ptr> %x, i64 4\n";
static const char *kSum = "  %r = fsub <4 x float> %a, %b\n";

TEST(PairGathers, TwoComponentsAreOneGather) {
  std::string text =
      afterPass(kY + gather("a", "%x") + gather("b", "%y") + kSum);
  EXPECT_EQ(occurrences(text, "@llvm.masked.gather.v4i64"), 1u) << text;
  EXPECT_EQ(occurrences(text, "@llvm.masked.gather.v4f32"), 0u) << text;
  EXPECT_NE(text.find("%a = shufflevector <8 x float> %"), std::string::npos);
  EXPECT_NE(text.find("<i32 0, i32 2, i32 4, i32 6>"), std::string::npos);
  EXPECT_NE(text.find("<i32 1, i32 3, i32 5, i32 7>"), std::string::npos);
}

TEST(PairGathers, TheHigherOneMayComeFirst) {
  std::string text =
      afterPass(kY + gather("b", "%y") + gather("a", "%x") + kSum);
  EXPECT_EQ(occurrences(text, "@llvm.masked.gather.v4i64"), 1u) << text;
  EXPECT_NE(text.find("i64 -4"), std::string::npos) << text;
}

TEST(PairGathers, AStepOfTheBaseIsSeen) {
  std::string text = afterPass("  %p4 = getelementptr i8, ptr %p, i64 4\n"
                               "  %y = getelementptr [2 x float], ptr %p4, "
                               "<4 x i64> %index\n" +
                               gather("a", "%x") + gather("b", "%y") + kSum);
  EXPECT_EQ(occurrences(text, "@llvm.masked.gather.v4i64"), 1u) << text;
}

TEST(PairGathers, OthersStay) {
  // Not side by side; another mask; lanes that are not dead.
  std::string far = "  %y = getelementptr i8, <4 x ptr> %x, i64 8\n";
  std::string first = gather("a", "%x");
  auto left = [&](const std::string &between, const std::string &second) {
    return occurrences(afterPass(between + first + second + kSum),
                       "gather.v4f32");
  };
  EXPECT_EQ(left(far, gather("b", "%y")), 2u);
  EXPECT_EQ(left(kY, gather("b", "%y", "splat (i1 true)")), 2u);
  EXPECT_EQ(left(kY, gather("b", "%y", "%mask", "splat (float 1.0)")), 2u);
}

TEST(PairGathers, DeadLanesStayZero) {
  std::string text =
      afterPass(kY + gather("a", "%x", "%mask", "zeroinitializer") +
                gather("b", "%y", "%mask", "zeroinitializer") + kSum);
  EXPECT_NE(text.find("<4 x i64> zeroinitializer)"), std::string::npos) << text;
}

TEST(PairGathers, AWriteBetweenParts) {
  auto between = [&](StringRef where) {
    return afterPass(kY + gather("a", "%x") + "  store float 1.0, ptr " +
                     where.str() + "\n" + gather("b", "%y") + kSum);
  };
  EXPECT_EQ(occurrences(between("%p"), "gather.v4f32"), 2u);
  EXPECT_EQ(occurrences(between("%q"), "gather.v4i64"), 1u);
}

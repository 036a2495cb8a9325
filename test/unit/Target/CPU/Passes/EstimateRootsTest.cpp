//===- EstimateRootsTest.cpp - Reciprocals of roots by estimates ----------===//
#include "chi/Target/CPU/Passes/EstimateRoots.h"
#include "../RunPass.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace chi::target;

/// The text of a function of x and n (and a vector of three) that ends with
/// these instructions, %r the last.
static std::string afterPass(StringRef body, cpu::passes::RootEstimates has) {
  return cpu::textAfter(
      cpu::passes::EstimateRootsPass(has),
      ("declare float @llvm.sqrt.f32(float)\n"
       "declare double @llvm.sqrt.f64(double)\n"
       "declare <16 x float> @llvm.sqrt.v16f32(<16 x float>)\n"
       "declare <12 x float> @llvm.sqrt.v12f32(<12 x float>)\n"
       "define void @f(float %x, float %n, double %d, "
       "<16 x float> %v, <12 x float> %u, ptr %p) {\n" +
       body + "\n  ret void\n}\n")
          .str());
}

static size_t countOf(StringRef text, StringRef what) {
  return text.count(what);
}

static constexpr cpu::passes::RootEstimates kFine{true, 16}, kCoarse{false, 8};

static constexpr char kQuotient[] =
    "  %s = call fast float @llvm.sqrt.f32(float %x)\n"
    "  %r = fdiv fast float %n, %s\n"
    "  store float %r, ptr %p\n";

TEST(EstimateRoots, Quotient) {
  for (cpu::passes::RootEstimates has : {kFine, kCoarse}) {
    std::string text = afterPass(kQuotient, has);
    EXPECT_EQ(countOf(text, "fdiv"), 0u) << text;
    EXPECT_EQ(countOf(text, has.isFine ? "<4 x float> @llvm.x86.avx512"
                                         ".rsqrt14.ps.128("
                                       : "<4 x float> @llvm.x86.sse"
                                         ".rsqrt.ps("),
              1u)
        << text;
    // What refines is limited, so that nothing infinite meets a zero.
    EXPECT_EQ(countOf(text, "fcmp olt float"), 1u) << text;
    EXPECT_EQ(countOf(text, "select i1"), 1u) << text;
  }
}

TEST(EstimateRoots, Registers) {
  auto quotient = [](StringRef type, StringRef name) {
    return ("  %s = call fast " + type + " @llvm.sqrt.v" + type.slice(1, 3) +
            "f32(" + type + " " + name + ")\n  %r = fdiv fast " + type + " " +
            name + ", %s\n  store " + type + " %r, ptr %p\n")
        .str();
  };
  std::string sixteen = quotient("<16 x float>", "%v");
  EXPECT_EQ(countOf(afterPass(sixteen, kFine), "<16 x float> @llvm.x86."), 1u);
  EXPECT_EQ(countOf(afterPass(sixteen, kCoarse), "<8 x float> @llvm.x86."), 2u);
  EXPECT_EQ(countOf(afterPass(sixteen, {false, 4}), "<4 x float> @llvm."), 4u);
  std::string twelve = quotient("<12 x float>", "%u");
  std::string text = afterPass(twelve, kCoarse);
  EXPECT_EQ(countOf(text, "<8 x float> @llvm.x86."), 2u) << text;
  EXPECT_NE(text, "invalid");
}

TEST(EstimateRoots, CubeOfARoot) {
  StringRef divisors[] = {"  %d3 = fmul fast float %s, %x\n",
                          "  %d3 = fmul fast float %x, %s\n",
                          "  %d2 = fmul fast float %s, %s\n"
                          "  %d3 = fmul fast float %d2, %s\n"};
  for (StringRef divisor : divisors) {
    std::string text = afterPass(
        ("  %s = call fast float @llvm.sqrt.f32(float %x)\n" + divisor +
         "  %r = fdiv fast float 2.0, %d3\n"
         "  store float %r, ptr %p\n")
            .str(),
        kFine);
    EXPECT_EQ(countOf(text, "fdiv"), 0u) << text;
    // The cube of x, which may overflow, is not among the products.
    EXPECT_EQ(countOf(text, "fadd nsz contract float %"), 1u) << text;
    EXPECT_EQ(countOf(text, "float -3.000000e+00, %"), 1u) << text; // 2 (-3/2)
  }
}

TEST(EstimateRoots, AnotherFactor) {
  std::string text =
      afterPass("  %s = call fast float @llvm.sqrt.f32(float %x)\n"
                "  %d1 = fmul fast float %s, %n\n"
                "  %r = fdiv fast float 2.0, %d1\n"
                "  store float %r, ptr %p\n",
                kFine);
  EXPECT_EQ(countOf(text, "fdiv fast float %"), 1u) << text;
  EXPECT_EQ(countOf(text, ", %n"), 2u) << text; // and the product, now dead
}

TEST(EstimateRoots, OneReciprocalForMany) {
  std::string text =
      afterPass("  %s = call fast float @llvm.sqrt.f32(float %x)\n"
                "  %a = fdiv fast float %n, %s\n"
                "  %b = fdiv fast float %x, %s\n"
                "  store float %a, ptr %p\n"
                "  store float %b, ptr %p\n",
                kFine);
  EXPECT_EQ(countOf(text, "<4 x float> @llvm.x86"), 1u) << text;
  EXPECT_EQ(countOf(text, "fdiv"), 0u) << text;
}

TEST(EstimateRoots, LeftAlone) {
  std::string exact(kQuotient);
  exact.replace(exact.find("fdiv fast"), 9, "fdiv");
  EXPECT_EQ(countOf(afterPass(exact, kFine), "fdiv"), 1u);
  std::string root(kQuotient);
  root.replace(root.find("call fast"), 9, "call");
  EXPECT_EQ(countOf(afterPass(root, kFine), "fdiv"), 1u);
  EXPECT_EQ(countOf(afterPass(kQuotient, {}), "fdiv"), 1u);
  EXPECT_EQ(countOf(afterPass("  %s = call fast double "
                              "@llvm.sqrt.f64(double %d)\n"
                              "  %r = fdiv fast double %d, %s\n"
                              "  store double %r, ptr %p\n",
                              kFine),
                    "fdiv"),
            1u);
}

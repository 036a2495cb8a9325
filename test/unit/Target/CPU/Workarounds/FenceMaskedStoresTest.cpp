//===- FenceMaskedStoresTest.cpp - Masked stores take ready values --------===//
#include "chi/Target/CPU/Workarounds/FenceMaskedStores.h"
#include "../RunPass.h"
#include "gtest/gtest.h"

using namespace llvm;
using chi::target::cpu::workarounds::FenceMaskedStoresPass;

/// The text of a function of these operations after the pass.
static std::string after(StringRef body) {
  return chi::target::cpu::textAfter(
      FenceMaskedStoresPass(),
      ("define void @f(<8 x i32> %x, <8 x i8> %b, <8 x i64> %w, "
       "<8 x i1> %m, ptr %p, ptr %q) {\n" +
       body + "  ret void\n}\n")
          .str());
}

static bool isFenced(const std::string &text) {
  return StringRef(text).contains("@llvm.arithmetic.fence");
}

/// A masked store of %v in lanes of this type.
static std::string storeOf(StringRef type, StringRef value = "%v") {
  return ("  call void @llvm.masked.store(<8 x " + type + "> " + value +
          ", ptr align 1 %p, <8 x i1> %m)\n")
      .str();
}

TEST(FenceMaskedStores, TheValueOfAMaskedStore) {
  std::string text =
      after("  %v = trunc <8 x i32> %x to <8 x i8>\n" + storeOf("i8"));
  StringRef rest = text;
  for (StringRef part :
       {"trunc <8 x i32>", "to <4 x float>",
        "call <4 x float> @llvm.arithmetic.fence.v4f32", "to <16 x i8>",
        "shufflevector <16 x i8>", "@llvm.masked.store.v8i8.p0"}) {
    ASSERT_TRUE(rest.contains(part)) << part.str() << "\n" << text;
    rest = rest.substr(rest.find(part));
  }
}

TEST(FenceMaskedStores, EveryTypeThatATruncationGives) {
  EXPECT_TRUE(isFenced(
      after("  %v = trunc <8 x i32> %x to <8 x i16>\n" + storeOf("i16"))));
  EXPECT_TRUE(isFenced(
      after("  %v = trunc <8 x i64> %w to <8 x i32>\n" + storeOf("i32"))));
  EXPECT_TRUE(isFenced(after("  %t = trunc <8 x i32> %x to <8 x i16>\n"
                             "  %v = bitcast <8 x i16> %t to <8 x half>\n" +
                             storeOf("half"))));
  // From logic on truncated values code generation makes one truncation.
  EXPECT_TRUE(isFenced(after("  %t = trunc <8 x i32> %x to <8 x i8>\n"
                             "  %v = xor <8 x i8> %t, %b\n" +
                             storeOf("i8"))));
}

TEST(FenceMaskedStores, StoresThatMayBecomeMasked) {
  std::string value = "  %t = trunc <8 x i32> %x to <8 x i8>\n"
                      "  %o = load <8 x i8>, ptr %p, align 1\n";
  std::string select = "  %v = select <8 x i1> %m, <8 x i8> %t, <8 x i8> %o\n";
  std::string shuffle =
      "  %v = shufflevector <8 x i8> %t, <8 x i8> %o, <8 x i32> "
      "<i32 0, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>\n";
  std::string here = "  store <8 x i8> %v, ptr %p, align 1\n",
              there = "  store <8 x i8> %v, ptr %q, align 1\n";
  EXPECT_TRUE(isFenced(after(value + select + here)));
  EXPECT_TRUE(isFenced(after(value + shuffle + here)));
  EXPECT_FALSE(isFenced(after(value + select + there)));
  EXPECT_FALSE(isFenced(after(value + shuffle + there)));
}

TEST(FenceMaskedStores, OthersStay) {
  EXPECT_FALSE(
      isFenced(after("  %v = add <8 x i64> %w, %w\n" + storeOf("i64"))));
  EXPECT_FALSE(isFenced(
      after("  %v = sitofp <8 x i32> %x to <8 x float>\n" + storeOf("float"))));
  EXPECT_FALSE(isFenced(after(storeOf("i8", "splat (i8 3)"))));
  EXPECT_FALSE(isFenced(after("  %v = trunc <8 x i32> %x to <8 x i8>\n"
                              "  store <8 x i8> %v, ptr %p, align 1\n")));
}

TEST(FenceMaskedStores, WhereCodeGenerationTruncates) {
  auto narrow = chi::target::cpu::x86Machine("x86-64-v3");
  auto wide = chi::target::cpu::x86Machine("x86-64-v4");
  if (!narrow || !wide)
    GTEST_SKIP() << "no code for x86-64 can be made here";
  EXPECT_FALSE(FenceMaskedStoresPass::isNeeded(*narrow));
  EXPECT_TRUE(FenceMaskedStoresPass::isNeeded(*wide));
}

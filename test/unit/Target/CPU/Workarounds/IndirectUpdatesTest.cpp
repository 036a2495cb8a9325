//===- IndirectUpdatesTest.cpp - Sums at indices stay in order ------------===//
#include "chi/Target/CPU/Workarounds/IndirectUpdates.h"
#include "../RunPass.h"
#include "gtest/gtest.h"

using namespace llvm;
using chi::target::cpu::ThenVectorise;
using chi::target::cpu::workarounds::IndirectUpdatesPass;

/// `r[K] += 1`, after so many turns of `u[i] += 3; u[plane + i] += 3`, whose
/// distance only a check at run time can tell.
static std::string updates(unsigned tripCount, StringRef key) {
  std::string text =
      "define void @f(ptr noalias %r, ptr noalias %u, i64 %plane, i64 %n) {\n"
      "entry:\n  %u2 = getelementptr i16, ptr %u, i64 %plane\n"
      "  br label %loop\nloop:\n"
      "  %i = phi i64 [ 0, %entry ], [ %j, %loop ]\n"
      "  %p = getelementptr i16, ptr %u, i64 %i\n"
      "  %q = getelementptr i16, ptr %u2, i64 %i\n";
  for (unsigned k = 0; k < tripCount; ++k)
    for (const char *at : {"p", "q"}) {
      std::string v = "%" + std::string(at) + std::to_string(k);
      text += "  " + v + " = load i16, ptr %" + at + "\n  " + v +
              "s = add i16 " + v + ", 3\n  store i16 " + v + "s, ptr %" + at +
              "\n";
    }
  return text + "  %bin = urem i64 %i, 5\n  %e = getelementptr i16, ptr %r, " +
         "i64 " + key.str() +
         "\n  %v = load i16, ptr %e\n  %w = add i16 %v, 1\n"
         "  store i16 %w, ptr %e\n  %j = add nuw nsw i64 %i, 1\n"
         "  %c = icmp eq i64 %j, %n\n  br i1 %c, label %exit, label %loop\n"
         "exit:\n  ret void\n}\n";
}

static bool isMarked(const std::string &text) {
  std::string after = chi::target::cpu::textAfter(IndirectUpdatesPass(), text);
  EXPECT_NE(after.find("store i16 %w"), std::string::npos) << after;
  return after.find("!llvm.loop") != std::string::npos;
}

TEST(IndirectUpdates, MarksLargeLoopsOnly) {
  EXPECT_TRUE(isMarked(updates(32, "%bin")));
  EXPECT_FALSE(isMarked(updates(32, "%i")));
  EXPECT_FALSE(isMarked(updates(32, "3"))); // LLVM sees that by itself
  EXPECT_FALSE(isMarked(updates(2, "%bin")));
}

TEST(IndirectUpdates, AreNoVectors) {
  auto machine = chi::target::cpu::x86Machine("znver4");
  if (!machine)
    GTEST_SKIP() << "no code for x86-64 can be made here";
  auto isVector = [&](unsigned tripCount, StringRef key) {
    std::string text =
        chi::target::cpu::textAfter(ThenVectorise<IndirectUpdatesPass>(),
                                    updates(tripCount, key), machine.get());
    return StringRef(text).contains(" x i16>");
  };
  EXPECT_FALSE(isVector(2, "%bin"));
  EXPECT_FALSE(isVector(32, "%bin"));
  EXPECT_TRUE(isVector(2, "%i"));
  EXPECT_TRUE(isVector(32, "%i"));
}

//===- FreezeWrappedTest.cpp - No wrapped index is widened as a row -------===//
#include "chi/Target/CPU/Workarounds/FreezeWrapped.h"
#include "../RunPass.h"
#include "gtest/gtest.h"

using namespace llvm;

/// The text of a function after the pass: a loop of %n turns that counts %i
/// and loads from %p at the i64 that `index` calls %at.
static std::string afterPass(StringRef index, StringRef next = "") {
  std::string text =
      "define void @f(ptr %p, ptr noalias %q, i64 %n, i32 %k) {\n"
      "entry:\n  br label %loop\nloop:\n"
      "  %i = phi i64 [ 0, %entry ], [ %j, %loop ]\n" +
      index.str() +
      "  %from = getelementptr i8, ptr %p, i64 %at\n"
      "  %x = load i8, ptr %from\n"
      "  %to = getelementptr i8, ptr %q, i64 %i\n"
      "  store i8 %x, ptr %to\n  %j = add nuw nsw i64 %i, 1\n" +
      next.str() +
      "  %c = icmp eq i64 %j, %n\n"
      "  br i1 %c, label %exit, label %loop\nexit:\n  ret void\n}\n";
  using namespace chi::target;
  return cpu::textAfter(cpu::workarounds::FreezeWrappedPass(), text);
}

TEST(FreezeWrapped, AMaskedCounterIsHidden) {
  std::string text = afterPass("  %a = add i64 %i, 63\n"
                               "  %at = and i64 %a, 63\n");
  EXPECT_NE(text.find("%wrapped = freeze i64 %at"), std::string::npos) << text;
  EXPECT_NE(text.find("ptr %p, i64 %wrapped"), std::string::npos) << text;
}

TEST(FreezeWrapped, WhereTheMaskComesUpAndNotBehindIt) {
  std::string text = afterPass("  %t = trunc i64 %i to i32\n"
                               "  %m = and i32 %t, 15\n"
                               "  %s = or disjoint i32 %m, 16\n"
                               "  %at = zext i32 %s to i64\n");
  EXPECT_NE(text.find("%wrapped = freeze i32 %m"), std::string::npos) << text;
  EXPECT_EQ(StringRef(text).count("freeze"), 1u) << text;
}

TEST(FreezeWrapped, ANarrowCounterThatIsExtendedIsHidden) {
  std::string text = afterPass("  %t = trunc i64 %i to i8\n"
                               "  %at = sext i8 %t to i64\n");
  EXPECT_NE(text.find("%wrapped = freeze i64 %at"), std::string::npos) << text;
}

TEST(FreezeWrapped, ACounterThatIsCutInEachIterationIsHidden) {
  std::string text = afterPass("  %u = phi i32 [ 0, %entry ], [ %v, %loop ]\n"
                               "  %at = zext i32 %u to i64\n",
                               "  %h = trunc i32 %u to i8\n"
                               "  %w = sext i8 %h to i32\n"
                               "  %v = add i32 %w, 1\n");
  EXPECT_NE(text.find("freeze i32 %v"), std::string::npos) << text;
}

TEST(FreezeWrapped, LoopVariablesOf32BitsStayVisible) {
  std::string text = afterPass("  %t = trunc i64 %i to i32\n"
                               "  %a = add i32 %t, %k\n"
                               "  %at = sext i32 %a to i64\n");
  EXPECT_EQ(StringRef(text).count("freeze"), 0u) << text;
}

TEST(FreezeWrapped, WhatTheLoopDoesNotChangeStaysVisible) {
  std::string text = afterPass("  %m = and i32 %k, 15\n"
                               "  %w = zext i32 %m to i64\n"
                               "  %at = add i64 %w, %i\n");
  EXPECT_EQ(StringRef(text).count("freeze"), 0u) << text;
}

//===- ReloadNeighboursTest.cpp - Reloads neighbours ----------------------===//
#include "chi/Target/CPU/Passes/ReloadNeighbours.h"
#include "../RunPass.h"
#include "gtest/gtest.h"

using namespace llvm;

/// The text of a function after the pass: a loop that counts %i from 1, with
/// `carried` values, and `load`s of which %x is the last.
static std::string afterPass(StringRef before, StringRef carried,
                             StringRef load, StringRef stored = "%q") {
  std::string text =
      "define void @f(ptr noalias %p, ptr noalias %q, i64 %n) {\n"
      "entry:\n" +
      before.str() + "  br label %loop\nloop:\n" +
      "  %i = phi i64 [ 1, %entry ], [ %j, %loop ]\n" + carried.str() +
      load.str() + "  %to = getelementptr i8, ptr " + stored.str() +
      ", i64 %i\n"
      "  %y = add i8 %x, %back\n"
      "  store i8 %y, ptr %to\n  %j = add nuw nsw i64 %i, 1\n"
      "  %c = icmp eq i64 %j, %n\n"
      "  br i1 %c, label %exit, label %loop\nexit:\n  ret void\n}\n";
  using namespace chi::target;
  return cpu::textAfter(cpu::passes::ReloadNeighboursPass(), text);
}

static constexpr StringLiteral kFirst = "  %first = load i8, ptr %p\n";
static constexpr StringLiteral kCarried =
    "  %back = phi i8 [ %first, %entry ], [ %x, %loop ]\n";
static constexpr StringLiteral kLoad =
    "  %from = getelementptr i8, ptr %p, i64 %i\n"
    "  %x = load i8, ptr %from\n";

TEST(ReloadNeighbours, TheElementBeforeIsLoadedAgain) {
  std::string text = afterPass(kFirst, kCarried, kLoad);
  EXPECT_EQ(StringRef(text).count("phi"), 1u) << text;
  EXPECT_EQ(StringRef(text).count("load i8"), 2u) << text;
  EXPECT_EQ(text.find("%first"), std::string::npos) << text;
  EXPECT_NE(text.find("i64 -1"), std::string::npos) << text;
}

TEST(ReloadNeighbours, SoIsTheOneBeforeThat) {
  std::string text =
      afterPass("  %p1 = getelementptr i8, ptr %p, i64 1\n"
                "  %first = load i8, ptr %p1\n  %zeroth = load i8, ptr %p\n",
                "  %mid = phi i8 [ %first, %entry ], [ %x, %loop ]\n"
                "  %back = phi i8 [ %zeroth, %entry ], [ %mid, %loop ]\n",
                "  %next = add nuw nsw i64 %i, 1\n"
                "  %from = getelementptr i8, ptr %p, i64 %next\n"
                "  %x = load i8, ptr %from\n");
  EXPECT_EQ(StringRef(text).count("phi"), 1u) << text;
  EXPECT_EQ(StringRef(text).count("i64 -1"), 2u) << text;
}

TEST(ReloadNeighbours, NotWhatTheLoopWrites) {
  std::string text = afterPass(kFirst, kCarried, kLoad, "%p");
  EXPECT_EQ(StringRef(text).count("phi"), 2u) << text;
}

TEST(ReloadNeighbours, NotWhatBeginsElsewhere) {
  std::string text = afterPass("  %p7 = getelementptr i8, ptr %p, i64 7\n"
                               "  %first = load i8, ptr %p7\n",
                               kCarried, kLoad);
  EXPECT_EQ(StringRef(text).count("phi"), 2u) << text;
}

TEST(ReloadNeighbours, NotWhatIsWrittenBeforeTheLoop) {
  std::string text =
      afterPass(kFirst.str() + "  store i8 3, ptr %p\n", kCarried, kLoad);
  EXPECT_EQ(StringRef(text).count("phi"), 2u) << text;
}

TEST(ReloadNeighbours, NotWhatIsScattered) {
  std::string text = afterPass(kFirst, kCarried,
                               "  %far = mul nuw nsw i64 %i, 3\n"
                               "  %from = getelementptr i8, ptr %p, i64 %far\n"
                               "  %x = load i8, ptr %from\n");
  EXPECT_EQ(StringRef(text).count("phi"), 2u) << text;
}

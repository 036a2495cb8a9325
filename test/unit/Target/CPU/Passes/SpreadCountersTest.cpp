//===- SpreadCountersTest.cpp - Equal neighbours count apart --------------===//
#include "chi/Target/CPU/Passes/SpreadCounters.h"
#include "../RunPass.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace {
/// A loop over bytes, four a turn, that adds `amount` to counters.
struct CountingLoop {
  std::string attribute = "noalias", key = "i8", load = "load i32";
  std::string counter = "i32";
  std::string amount = "1", behind;
  unsigned sums = 4;

  std::string after() const {
    std::string text = "define void @f(ptr " + attribute +
                       " %table, ptr %keys, i64 %from, i64 %to) {\n"
                       "entry:\n  br label %loop\nloop:\n"
                       "  %i = phi i64 [ %from, %entry ], [ %next, %loop ]\n";
    for (unsigned k = 0; k < sums; ++k) {
      std::string n = std::to_string(k);
      text += "  %a" + n + " = getelementptr " + key + ", ptr %keys, i64 %i\n" +
              "  %k" + n + " = load " + key + ", ptr %a" + n + "\n" + "  %w" +
              n + " = zext " + key + " %k" + n + " to i64\n" + "  %p" + n +
              " = getelementptr i32, ptr %table, i64 %w" + n + "\n" + "  %c" +
              n + " = " + load + ", ptr %p" + n +
              (load == "load i32" ? "" : " monotonic, align 4") + "\n" +
              "  %s" + n + " = add i32 %c" + n + ", " + amount + "\n" +
              "  store i32 %s" + n + ", ptr %p" + n + "\n";
    }
    text += "  %next = add i64 %i, 4\n  %end = icmp eq i64 %next, %to\n"
            "  br i1 %end, label %done, label %loop\ndone:\n" +
            behind + "  ret void\n}\n";
    for (size_t at;
         counter != "i32" && (at = text.find("i32")) != std::string::npos;)
      text.replace(at, 3, counter);
    using namespace chi::target;
    return cpu::textAfter(cpu::passes::SpreadCountersPass(), text);
  }
  bool isSpread() const {
    return StringRef(after()).contains("alloca [256 x i32]");
  }
};
} // namespace

TEST(SpreadCounters, ThreeMoreTablesAlternate) {
  std::string all = CountingLoop().after();
  StringRef text = all;
  EXPECT_EQ(text.count("alloca [256 x i32]"), 3u) << all;
  EXPECT_EQ(text.count("call void @llvm.memset"), 3u) << all;
  EXPECT_EQ(text.count("select i1"), 3u) << all;
  // One of the four sums goes to the table itself.
  EXPECT_EQ(text.count("getelementptr i32, ptr %table, i64 %w"), 1u) << all;
}

TEST(SpreadCounters, LongerIterationsHaveEightTablesIfTheyAreSmall) {
  CountingLoop eight;
  eight.sums = 8;
  std::string all = eight.after();
  StringRef text = all;
  EXPECT_EQ(text.count("alloca [256 x i32]"), 7u) << all;
  EXPECT_EQ(text.count("getelementptr i32, ptr %table, i64 %w"), 1u) << all;
  EXPECT_TRUE(text.contains(", 32768")) << all;
  eight.counter = "i64";
  all = eight.after();
  EXPECT_EQ(StringRef(all).count("alloca [256 x i64]"), 3u) << all;
}

TEST(SpreadCounters, ShortLoopsHaveTheTableOnly) {
  std::string all = CountingLoop().after();
  EXPECT_TRUE(StringRef(all).contains("icmp ugt i64 %")) << all;
  EXPECT_TRUE(StringRef(all).contains(", 16384")) << all;
}

TEST(SpreadCounters, OnlyCountersThatWereMetAreAddedTo) {
  std::string all = CountingLoop().after();
  EXPECT_TRUE(StringRef(all).contains("counters.some:")) << all;
  EXPECT_TRUE(StringRef(all).contains("icmp ne i32 %")) << all;
}

TEST(SpreadCounters, AnAmountMayBeAnyInteger) {
  CountingLoop loop;
  loop.amount = "-3";
  EXPECT_TRUE(loop.isSpread());
}

TEST(SpreadCounters, WhatIsNotSuchALoopStays) {
  CountingLoop shared, wide, few, atomic, read;
  shared.attribute = "";
  EXPECT_FALSE(shared.isSpread());
  wide.key = "i16";
  EXPECT_FALSE(StringRef(wide.after()).contains("alloca"));
  few.sums = 3;
  EXPECT_FALSE(few.isSpread());
  atomic.load = "load atomic i32";
  EXPECT_FALSE(atomic.isSpread());
  read.behind = "  %q = getelementptr i32, ptr %table, i64 7\n"
                "  %r = load i32, ptr %q\n  store i32 %r, ptr %keys\n";
  EXPECT_FALSE(read.isSpread());
}

//===- JoinKeysTest.cpp - Small keys are loaded as one word ---------------===//
#include "chi/Target/CPU/Passes/JoinKeys.h"
#include "../RunPass.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace {
/// A block that looks up some keys in a row; what `table` gives is written to
/// another place for each.
struct Lookups {
  std::string type = "i8", load = "load", table = "noalias", use, between;
  std::vector<int> keys{0, 1, 2, 3};

  std::string after() const {
    std::string text = "target datalayout = \"e-m:e-i64:64-n8:16:32:64\"\n"
                       "target triple = \"x86_64-pc-linux-gnu\"\n"
                       "declare void @stop()\n"
                       "define i64 @f(ptr " +
                       table + " %table, ptr noalias %keys, i64 %i) {\n";
    for (size_t k = 0; k < keys.size(); ++k)
      text += oneKey(std::to_string(k), std::to_string(keys[k]));
    text += "  ret i64 " + (use.empty() ? "0" : use) + "\n}\n";
    using namespace chi::target;
    return cpu::textAfter(cpu::passes::JoinKeysPass(), text);
  }

  std::string oneKey(const std::string &n, const std::string &at) const {
    return "  %j" + n + " = add i64 %i, " + at + "\n" + "  %a" + n +
           " = getelementptr " + type + ", ptr %keys, i64 %j" + n + "\n" +
           "  %k" + n + " = " + load + " " + type + ", ptr %a" + n +
           ", align 1\n" + "  %w" + n + " = zext " + type + " %k" + n +
           " to i64\n" + "  %p" + n + " = getelementptr i32, ptr %table, i64 " +
           "%w" + n + "\n" + "  %c" + n + " = load i32, ptr %p" + n + "\n" +
           "  %s" + n + " = add i32 %c" + n + ", 1\n" + "  store i32 %s" + n +
           ", ptr %p" + n + "\n" + between;
  }

  /// Words of 32 bits, keys by themselves.
  std::pair<size_t, size_t> loads() const {
    std::string all = after();
    StringRef text = all;
    return {text.count(" = load i32, ptr %word.at"),
            text.count("= load " + type) +
                text.count("= load volatile " + type)};
  }
};

using Loads = std::pair<size_t, size_t>;
} // namespace

TEST(JoinKeys, FourBytesAreOneWord) {
  std::string all = Lookups().after();
  StringRef text = all;
  EXPECT_EQ(Lookups().loads(), Loads(1, 0)) << all;
  EXPECT_TRUE(text.contains("lshr i32 %word, 8")) << all;
  EXPECT_TRUE(text.contains("lshr i32 %word, 24")) << all;
  // The least byte of the word is the key at the least address.
  EXPECT_TRUE(text.contains("trunc i32 %word to i8")) << all;
}

TEST(JoinKeys, EightBytesAreTwoWords) {
  Lookups eight;
  eight.keys = {0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(eight.loads(), Loads(2, 0)) << eight.after();
}

TEST(JoinKeys, TwoKeysOfSixteenBitsAreAWord) {
  Lookups pairs;
  pairs.type = "i16";
  EXPECT_EQ(pairs.loads(), Loads(2, 0)) << pairs.after();
}

TEST(JoinKeys, AnyOrderWillDo) {
  Lookups reversed;
  reversed.keys = {3, 2, 1, 0};
  std::string all = reversed.after();
  EXPECT_EQ(reversed.loads(), Loads(1, 0)) << all;
  EXPECT_TRUE(StringRef(all).contains("i64 -3")) << all;
}

TEST(JoinKeys, GapsStay) {
  Lookups gap;
  gap.keys = {0, 1, 3, 4};
  EXPECT_EQ(gap.loads(), Loads(0, 4));
  gap.keys = {0, 2, 3, 4, 5};
  EXPECT_EQ(gap.loads(), Loads(1, 1));
}

TEST(JoinKeys, WhatIsMoreThanAnIndexStays) {
  Lookups read;
  read.use = "%w2";
  EXPECT_EQ(read.loads(), Loads(0, 4)) << read.after();
}

TEST(JoinKeys, KeysThatMayBeWrittenStay) {
  Lookups shared;
  shared.table = "";
  EXPECT_EQ(shared.loads(), Loads(1, 0)) << "%keys is noalias still";
  shared.between = "  store i8 9, ptr %a0\n";
  EXPECT_EQ(shared.loads(), Loads(0, 4)) << shared.after();
}

TEST(JoinKeys, KeysBehindWhatMayNotReturnStay) {
  Lookups stops;
  stops.between = "  call void @stop() memory(none)\n";
  EXPECT_EQ(stops.loads(), Loads(0, 4)) << stops.after();
}

TEST(JoinKeys, OtherTypesAndVolatileLoadsStay) {
  Lookups wide, asWritten;
  wide.type = "i32";
  EXPECT_FALSE(StringRef(wide.after()).contains("%word")) << wide.after();
  asWritten.load = "load volatile";
  EXPECT_EQ(asWritten.loads(), Loads(0, 4)) << asWritten.after();
}

#include "chi/Sweep/Points/ParamFacts.h"
#include <gtest/gtest.h>

using namespace chi::sweep;

static std::vector<ParamFacts> params() {
  auto read = readParams(R"j([
    {"name": "n_cells", "type": "i32", "default": "8", "doc": "cells",
     "range": [1, 100]},
    {"name": "dt", "type": "f32", "default": "0.1", "doc": "",
     "range": [0.0, 0.5]},
    {"name": "mode", "type": "str", "default": "a", "doc": "",
     "choices": ["a", "b"]},
    {"name": "v", "type": "vec(2, f32)", "default": "[0, 1]", "doc": ""},
    {"name": "k", "type": "i32", "default": "2", "choices": [2, 4]},
    {"name": "odd", "type": "matrix", "default": ""}])j");
  EXPECT_TRUE(bool(read));
  return read ? *read : std::vector<ParamFacts>();
}

TEST(ParamFacts, Values) {
  auto all = params();
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(problemOf(all[0], "64"), "");
  EXPECT_EQ(problemOf(all[0], "1e3"),
            "`1e3` is no i32 (i32 in [1, 100], cells)");
  EXPECT_EQ(problemOf(all[0], "0"),
            "`0` is outside its range (i32 in [1, 100], cells)");
  EXPECT_EQ(problemOf(all[1], "0.5"), "");
  EXPECT_NE(problemOf(all[1], "0.51"), "");
  EXPECT_NE(problemOf(all[1], "nan"), "");
  EXPECT_EQ(problemOf(all[2], "b"), "");
  EXPECT_EQ(problemOf(all[2], "c"),
            "`c` is not one of its choices (str in {a, b})");
  EXPECT_EQ(problemOf(all[3], "[1, 2]"), "");
  EXPECT_NE(problemOf(all[3], "1"), "");
  EXPECT_EQ(problemOf(all[4], "4"), "");
  EXPECT_NE(problemOf(all[4], "3"), "");
  EXPECT_EQ(problemOf(all[5], "anything"), "");
}

TEST(ParamFacts, Names) {
  auto all = params();
  ASSERT_NE(findParam(all, "n-cells"), nullptr);
  EXPECT_EQ(findParam(all, "n-cells")->name, "n_cells");
  EXPECT_EQ(findParam(all, "cells"), nullptr);
  EXPECT_TRUE(all[0].isInteger());
  EXPECT_FALSE(all[1].isInteger());
}

TEST(ParamFacts, OtherTexts) {
  for (const char *text : {"", "{}", "[1]", "[{\"type\": \"i32\"}]"}) {
    auto read = readParams(text);
    EXPECT_FALSE(bool(read)) << text;
    llvm::consumeError(read.takeError());
  }
}

//===- ResultTest.cpp - Results as JSON, and their comparison -------------===//
#include "chi/Bench/Result.h"

#include <gtest/gtest.h>

using namespace chi::bench;

namespace {

/// Twelve runs around `seconds`.
Result resultOf(double seconds) {
  Result result;
  result.program = "a \"b\".chi";
  result.version = "0.1";
  result.arguments = {"--n", "4"};
  result.machine = {"a processor", "Linux", "here", 2};
  Series series;
  series.arch = "cpu", series.device = "cpu, 2 threads";
  series.compileSeconds = 0.5;
  for (int k = 0; k < 12; ++k)
    series.runs.push_back(seconds * (1 + 0.001 * k));
  series.kernels = {{"step:3", 7, 0.25}};
  result.series.push_back(series);
  return result;
}

std::string textOf(const Result &result) {
  std::string text;
  llvm::raw_string_ostream out(text);
  writeJson(result, out);
  return text;
}

std::string problemOf(llvm::StringRef text) {
  auto result = readJson(text);
  return result ? "" : llvm::toString(result.takeError());
}

TEST(Result, IsReadAsItWasWritten) {
  Result before = resultOf(0.1);
  auto after = readJson(textOf(before));
  ASSERT_TRUE(bool(after));
  EXPECT_EQ(after->program, before.program);
  EXPECT_EQ(after->arguments, before.arguments);
  EXPECT_EQ(after->machine.cores, 2);
  ASSERT_EQ(after->series.size(), 1u);
  EXPECT_EQ(after->series[0].runs, before.series[0].runs);
  ASSERT_EQ(after->series[0].kernels.size(), 1u);
  EXPECT_EQ(after->series[0].kernels[0].launches, 7);
  EXPECT_EQ(textOf(*after), textOf(before));
}

TEST(Result, OfOtherTextsIsNone) {
  EXPECT_NE(problemOf(""), "");
  EXPECT_NE(problemOf("{"), "");
  EXPECT_EQ(problemOf("{}"), "is no result of chic bench");
  EXPECT_EQ(problemOf("[1]"), "is no result of chic bench");
  EXPECT_EQ(problemOf(R"({"format": "chi bench 1"})"), "has no series");
  EXPECT_EQ(problemOf(R"({"format": "chi bench 1", "series": [1]})"),
            "has a series that is no object");
  EXPECT_EQ(problemOf(R"({"format": "chi bench 1", "series": [{}]})"),
            "has a series without an arch or without runs");
  EXPECT_EQ(problemOf(R"({"format": "chi bench 1", "series":
                          [{"arch": "cpu", "runs_seconds": ["a"]}]})"),
            "has a run that is no time");
}

TEST(Compare, NeedsALongerMedianAndItsSignificance) {
  auto verdictOf = [](double before, double after) {
    auto all = compare(resultOf(before), resultOf(after), 0.05);
    EXPECT_EQ(all.size(), 1u);
    return all.front();
  };
  EXPECT_TRUE(verdictOf(0.1, 0.12).isRegression);
  EXPECT_LT(verdictOf(0.1, 0.12).probability, 1e-3);
  EXPECT_FALSE(verdictOf(0.1, 0.104).isRegression);
  EXPECT_FALSE(verdictOf(0.1, 0.08).isRegression);
  EXPECT_FALSE(verdictOf(0.1, 0.1).isRegression);
}

TEST(Compare, TellsNoiseFromARegression) {
  Result before = resultOf(0.1), after = resultOf(0.1);
  before.series[0].runs = {1, 2, 3, 4, 5, 6};
  after.series[0].runs = {1.1, 2.2, 3.3, 4.9, 5.5, 6.6}; // median 1.17 x
  auto all = compare(before, after, 0.05);
  EXPECT_GT(all[0].after, all[0].before * 1.05);
  EXPECT_FALSE(all[0].isRegression);
}

TEST(Compare, OnlyTargetsOfBoth) {
  Result other = resultOf(0.1);
  other.series[0].arch = "vulkan";
  EXPECT_TRUE(compare(resultOf(0.1), other, 0.05).empty());
}
} // namespace

//===- RuleTest.cpp - When enough was measured ----------------------------===//
#include "chi/Bench/Rule.h"

#include <gtest/gtest.h>

using namespace chi::bench;

namespace {

TEST(Rule, WantsRunsSecondsAndPrecision) {
  Rule rule;
  EXPECT_FALSE(isEnough(rule, {}));
  EXPECT_FALSE(isEnough(rule, std::vector<double>(9, 1)));     // too few
  EXPECT_FALSE(isEnough(rule, std::vector<double>(10, 0.01))); // too short
  EXPECT_TRUE(isEnough(rule, std::vector<double>(10, 0.1)));
  std::vector<double> noisy(10, 0.1);
  for (size_t k = 0; k < 5; ++k)
    noisy[k] = 0.2;
  EXPECT_FALSE(isEnough(rule, noisy));
  rule.precision = 0.5;
  EXPECT_TRUE(isEnough(rule, noisy));
}

TEST(Rule, EndsWhenTheTimeIsOver) {
  Rule rule;
  EXPECT_FALSE(isEnough(rule, {299}));
  EXPECT_TRUE(isEnough(rule, {300}));
  EXPECT_TRUE(isEnough(rule, {100, 250}));
}

TEST(Rule, LooksAgainAfterFivePerCent) {
  EXPECT_EQ(nextLook({}), 1u);
  EXPECT_EQ(nextLook(std::vector<double>(10, 1)), 11u);
  EXPECT_EQ(nextLook(std::vector<double>(1000, 1)), 1050u);
}
} // namespace

//===- StatisticsTest.cpp - Intervals of medians, tests of ranks ----------===//
#include "chi/Bench/Statistics.h"

#include <gtest/gtest.h>
#include <random>

using namespace chi::bench;

namespace {

/// A table of J.-Y. Le Boudec, "Performance Evaluation of Computer and
/// Communication Systems" (2010), appendix A: intervals of the median at 95 per
/// cent.
TEST(RanksOfMedian, AreThoseOfTheTables) {
  const size_t table[][3] = {{6, 1, 6},   {7, 1, 7},   {8, 1, 8},   {9, 2, 8},
                             {10, 2, 9},  {12, 3, 10}, {15, 4, 12}, {17, 5, 13},
                             {20, 6, 15}, {25, 8, 18}, {30, 10, 21}};
  for (auto [count, low, high] : table) {
    auto ranks = ranksOfMedian(count);
    ASSERT_TRUE(ranks) << count;
    EXPECT_EQ(ranks->low, low) << count;
    EXPECT_EQ(ranks->high, high) << count;
  }
}

TEST(RanksOfMedian, NeedSixSamples) {
  for (size_t count = 0; count < 6; ++count)
    EXPECT_FALSE(ranksOfMedian(count)) << count;
}

/// n/2 -+ 0.98 sqrt(n), the normal approximation.
TEST(RanksOfMedian, AreNarrowForManySamples) {
  auto ranks = ranksOfMedian(10000);
  ASSERT_TRUE(ranks);
  EXPECT_NEAR(double(ranks->low), 5000 - 98, 2);
  EXPECT_EQ(ranks->low + ranks->high, 10001u);
}

TEST(MedianOf, LiesBetweenItsBounds) {
  Median median = medianOf({9, 1, 5, 3, 7, 2, 8, 4, 6, 10});
  EXPECT_DOUBLE_EQ(median.value, 5.5);
  EXPECT_DOUBLE_EQ(median.low, 2);
  EXPECT_DOUBLE_EQ(median.high, 9);
  median = medianOf({4, 2, 3});
  EXPECT_DOUBLE_EQ(median.value, 3);
  EXPECT_DOUBLE_EQ(median.low, 2);
  EXPECT_DOUBLE_EQ(median.high, 4);
  EXPECT_DOUBLE_EQ(medianOf({2}).relativeError(), 0);
}

TEST(MedianOf, CoversTheTrueMedianAsOftenAsItSays) {
  std::mt19937 random(1);
  std::exponential_distribution<double> times(1);
  int covered = 0;
  for (int k = 0; k < 2000; ++k) {
    std::vector<double> samples(25);
    for (double &sample : samples)
      sample = times(random);
    Median median = medianOf(samples);
    covered += median.low <= M_LN2 && M_LN2 <= median.high;
  }
  EXPECT_GE(covered, 1900);
  EXPECT_LT(covered, 1980);
}

/// The example of scipy.stats.mannwhitneyu: U = 17 for the males, two-sided
/// p = 0.1111 exact (14 of 126 arrangements).
TEST(MannWhitney, IsExactForFewSamples) {
  std::vector<double> males = {19, 22, 16, 29, 24}, females = {20, 11, 17, 12};
  EXPECT_NEAR(probabilityOfNoIncrease(females, males), 1.0 / 18, 1e-12);
  // P(U >= 3) of the same: U of the females is 3, 7 of 126 lie below.
  EXPECT_NEAR(probabilityOfNoIncrease(males, females), 122.0 / 126, 1e-12);
}

/// The least p of 3 and 3 samples: one of C(6, 3) = 20 arrangements.
TEST(MannWhitney, OfSeparateSamples) {
  EXPECT_NEAR(probabilityOfNoIncrease({1, 2, 3}, {4, 5, 6}), 0.05, 1e-12);
  EXPECT_NEAR(probabilityOfNoIncrease({4, 5, 6}, {1, 2, 3}), 1, 1e-12);
}

/// Ties: ranks 1, 2.5, 2.5, 4; U of the later ones is 3.5, its variance
/// 2*2/12 * (5 - 6 / 12) = 1.5; z = (3.5 - 2 - 0.5) / sqrt(1.5).
TEST(MannWhitney, CorrectsForTies) {
  double expected = std::erfc(1 / std::sqrt(1.5) / M_SQRT2) / 2;
  EXPECT_NEAR(probabilityOfNoIncrease({1, 2}, {2, 3}), expected, 1e-12);
  EXPECT_DOUBLE_EQ(probabilityOfNoIncrease({1, 1}, {1, 1}), 1);
}

/// The normal approximation agrees with the exact tail where both apply.
TEST(MannWhitney, ApproximatesWell) {
  std::vector<double> earlier, later;
  for (int k = 0; k < 25; ++k)
    earlier.push_back(k), later.push_back(k + 6.5);
  double many = probabilityOfNoIncrease(earlier, later); // 625 pairs
  earlier.resize(16), later.resize(25);
  double exact = probabilityOfNoIncrease(earlier, later); // 400 pairs
  EXPECT_GT(many, 0.001);
  EXPECT_LT(many, 0.02);
  EXPECT_LT(exact, many);
  EXPECT_GT(exact, 0);
}
} // namespace

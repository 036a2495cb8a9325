//===- ParamsTest.cpp - Params as the run time reads them -----------------===//
#include "chi/Params/Params.h"
#include <gtest/gtest.h>
#include <limits>

using namespace chi;

namespace {

TEST(Params, ReadsValuesOfEachForm) {
  std::string problem;
  auto number = params::readValue("0xff", "i32", 1, problem);
  ASSERT_TRUE(number);
  EXPECT_EQ(number->front().integer, 255);
  EXPECT_EQ(number->front().real, 255.0);
  auto vec = params::readValue("[0.5, -1]", "f32", 2, problem);
  ASSERT_TRUE(vec);
  EXPECT_EQ((*vec)[0].real, 0.5);
  EXPECT_EQ((*vec)[1].real, -1.0);
  auto largest = params::readValue("18446744073709551615", "u64", 1, problem);
  ASSERT_TRUE(largest);
  EXPECT_EQ(largest->front().integer, -1);
  auto truth = params::readValue("True", "bool", 1, problem);
  ASSERT_TRUE(truth);
  EXPECT_EQ(truth->front().integer, 1);
}

TEST(Params, SaysWhatIsNoValue) {
  std::string problem;
  EXPECT_FALSE(params::readValue("much", "i32", 1, problem));
  EXPECT_EQ(problem, "is no i32");
  EXPECT_FALSE(params::readValue("300", "u8", 1, problem));
  EXPECT_EQ(problem, "does not fit in u8");
  EXPECT_FALSE(params::readValue("1, 2, 3", "f64", 2, problem));
  EXPECT_EQ(problem, "has 3 components, not 2");
}

TEST(Params, ComparesInThePrecisionOfTheType) {
  EXPECT_TRUE(params::isWithin("f32", 0.1, float(0.1), 1));
  EXPECT_FALSE(params::isWithin("f64", 0.1, double(float(0.1)), 1));
  EXPECT_FALSE(
      params::isWithin("f64", std::numeric_limits<double>::quiet_NaN(), 0, 1));
  EXPECT_TRUE(params::isSame("f32", {0, 0.1}, {0, double(float(0.1))}));
  EXPECT_FALSE(params::isSame("f64", {0, 0.1}, {0, double(float(0.1))}));
  EXPECT_TRUE(params::isSame("i64", {7, 7}, {7, 7}));
  EXPECT_FALSE(params::isSame("bool", {1, 1}, {0, 0}));
}

TEST(Params, DescribeTheirDomain) {
  EXPECT_EQ(params::domainText("1", "10", {}), "[1, 10]");
  EXPECT_EQ(params::domainText("", "", {"dam", "drop"}), "{dam, drop}");
  EXPECT_EQ(params::domainText("", "", {}), "");
  EXPECT_EQ(params::factsText("i32", "[1, 10]", "number of bodies"),
            " (i32 in [1, 10], number of bodies)");
  EXPECT_EQ(params::factsText("i32", "", ""), " (i32)");
}

} // namespace

// Slopes by differences: what agrees, what is wrong, what no difference tells.
#include "chirt/gradcheck/Differences.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace chirt;

namespace {
using Function = double (*)(double);

bool evaluate(void *context, double at, double &value) {
  value = reinterpret_cast<Function>(context)(at);
  return !std::isnan(value);
}

Comparison compare(Function function, double slope) {
  Line line{evaluate, reinterpret_cast<void *>(function), function(0)};
  return compareSlope(line, 1e-3, {slope, 1e-6, 1e-10});
}
} // namespace

TEST(Differences, SmoothFunctions) {
  auto wave = [](double x) { return std::sin(3 * x + 1); };
  double slope = 3 * std::cos(1.0);
  Comparison good = compare(wave, slope);
  EXPECT_EQ(good.verdict, Verdict::Agrees);
  EXPECT_NEAR(good.slope, slope, 1e-9);
  EXPECT_LT(good.error, 1e-7);
  EXPECT_EQ(compare(wave, 1.001 * slope).verdict, Verdict::Wrong);
  EXPECT_EQ(compare(wave, std::nan("")).verdict, Verdict::Wrong);
  EXPECT_EQ(compare([](double) { return 4.0; }, 0).verdict, Verdict::Agrees);
  EXPECT_EQ(compare([](double) { return 4.0; }, 1).verdict, Verdict::Wrong);
}

TEST(Differences, OneStepIsEnoughWhereItAgrees) {
  struct Counted {
    int number = 0;
    static bool evaluate(void *context, double at, double &value) {
      ++static_cast<Counted *>(context)->number;
      value = 4 + 2 * at + at * at;
      return true;
    }
  };
  Counted right, wrong;
  Comparison good =
      compareSlope({Counted::evaluate, &right, 4}, 1e-3, {2, 1e-6, 0});
  EXPECT_EQ(good.verdict, Verdict::Agrees);
  EXPECT_EQ(right.number, 2);
  Comparison bad =
      compareSlope({Counted::evaluate, &wrong, 4}, 1e-3, {2.001, 1e-6, 0});
  EXPECT_EQ(bad.verdict, Verdict::Wrong);
  EXPECT_NEAR(bad.slope, 2, 1e-9);
}

TEST(Differences, StepsShrinkAwayFromWhatIsNear) {
  // A contact, and the end of what the function is defined for.
  auto contact = [](double x) { return x > 2e-5 ? 5 + x : 2 * x; };
  EXPECT_EQ(compare(contact, 2).verdict, Verdict::Agrees);
  auto root = [](double x) { return std::sqrt(x + 1e-4); };
  EXPECT_EQ(compare(root, 50).verdict, Verdict::Agrees);
}

TEST(Differences, Kinks) {
  auto ramp = [](double x) { return x > 0 ? x : 0.0; };
  EXPECT_EQ(compare(ramp, 1).verdict, Verdict::Kink);
  EXPECT_EQ(compare(ramp, 0).verdict, Verdict::Kink);
  // No slope of either side.
  EXPECT_EQ(compare(ramp, 2).verdict, Verdict::Wrong);
  EXPECT_EQ(compare(ramp, -1).verdict, Verdict::Wrong);
}

TEST(Differences, KinksNearerThanRounding) {
  // The loss is so large that steps below the kinks at 1e-6 show nothing.
  auto near = [](double x) {
    auto ramp = [](double t) { return t > 0 ? t : 0.0; };
    return 1e6 + x + 0.2 * ramp(x - 1e-6) - 0.3 * ramp(-x - 1e-6);
  };
  EXPECT_EQ(compare(near, 1).verdict, Verdict::Unclear);
  EXPECT_EQ(compare(near, 3).verdict, Verdict::Wrong);
  auto smooth = [](double x) { return 1e6 + x; };
  EXPECT_EQ(compare(smooth, 1.1).verdict, Verdict::Wrong);
}

TEST(Differences, WhereNothingCanBeSaid) {
  auto nowhere = [](double x) { return x == 0 ? 1 : std::nan(""); };
  EXPECT_EQ(compare(nowhere, 1).verdict, Verdict::Unclear);
}

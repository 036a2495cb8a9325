#include "chi/Sweep/Points/Points.h"
#include "chi/Sweep/Points/Numbers.h"
#include "chi/Sweep/Points/Sobol.h"
#include <cmath>
#include <gtest/gtest.h>
#include <set>

using namespace chi::sweep;

static Axis axis(const char *name, std::vector<std::string> values) {
  Axis axis{{name}, {}};
  for (const std::string &value : values)
    axis.rows.push_back({value});
  return axis;
}

static std::string textOf(llvm::Expected<std::vector<Point>> points) {
  if (!points)
    return llvm::toString(points.takeError());
  std::string text;
  for (const Point &point : *points)
    text += point.text() + "; ";
  return text;
}

TEST(Points, GridAndZip) {
  Space space{{axis("a", {"1", "2"}), axis("b", {"x", "y"})}, {}};
  EXPECT_EQ(textOf(makePoints(space, {}, {})),
            "a=1, b=x; a=1, b=y; a=2, b=x; a=2, b=y; ");
  EXPECT_EQ(textOf(makePoints(space, {/*zips=*/true, 0}, {})),
            "a=1, b=x; a=2, b=y; ");
  space.axes.push_back(axis("c", {"0"}));
  EXPECT_EQ(textOf(makePoints(space, {true, 0}, {})),
            "--zip: `c` has 1 values and `a` has 2");
}

TEST(Points, Refusals) {
  EXPECT_EQ(textOf(makePoints({}, {}, {})), "--over NAME=LIST is missing");
  Space twice{{axis("n_x", {"1"}), axis("n-x", {"2"})}, {}};
  EXPECT_EQ(textOf(makePoints(twice, {}, {})), "--over: `n_x` is there twice");
  Space drawn;
  drawn.sampled.push_back({Distribution::Uniform, "x", 0, 1, {}});
  EXPECT_NE(textOf(makePoints(drawn, {}, {})).find("needs --sample"),
            std::string::npos);
  Space plain{{axis("a", {"1"})}, {}};
  EXPECT_NE(textOf(makePoints(plain, {false, 4}, {})).find("no --over is a"),
            std::string::npos);
  Space large;
  for (const char *name : {"a", "b", "c", "d"})
    large.axes.push_back(axis(name, std::vector<std::string>(100, "1")));
  EXPECT_EQ(textOf(makePoints(large, {}, {})),
            "the sweep has more than 1000000 points");
}

TEST(Points, Checked) {
  std::vector<ParamFacts> params(1);
  params[0] = {"n", "i32", "i32", 1, "1", "9", {}, "cells", "5"};
  Space space{{axis("n", {"1", "10"}), axis("seed", {"7"})}, {}};
  auto points = makePoints(space, {}, params);
  ASSERT_TRUE(bool(points));
  EXPECT_EQ(llvm::toString(checkPoints(*points, params, {"seed"})),
            "point 2 (n=10, seed=7): parameter `n`: `10` is outside its range "
            "(i32 in [1, 9], cells)");
  EXPECT_NE(llvm::toString(checkPoints(*points, params, {})).find("`seed`"),
            std::string::npos);
}

TEST(Points, Samples) {
  Space space;
  space.sampled.push_back({Distribution::Uniform, "x", 2, 4, {}});
  space.sampled.push_back({Distribution::LogUniform, "y", 1e-4, 1, {}});
  space.sampled.push_back({Distribution::Choice, "c", 0, 0, {"p", "q"}});
  space.sampled.push_back({Distribution::Uniform, "n", 1, 4, {}});
  std::vector<ParamFacts> params(1);
  params[0] = {"n", "i32", "i32", 1, "", "", {}, "", ""};
  auto points = makePoints(space, {false, 64}, params);
  ASSERT_TRUE(bool(points));
  int small = 0;
  std::multiset<std::string> choices, numbers;
  for (const Point &point : *points) {
    double x = *readNumber(*point.find("x")), y = *readNumber(*point.find("y"));
    EXPECT_TRUE(x > 2 && x < 4);
    EXPECT_TRUE(y > 1e-4 && y < 1);
    small += y < 1e-2;
    choices.insert(*point.find("c"));
    numbers.insert(*point.find("n"));
  }
  EXPECT_EQ(small, 32);
  EXPECT_EQ(choices.count("p"), 32u);
  for (const char *number : {"1", "2", "3", "4"})
    EXPECT_EQ(numbers.count(number), 16u);
}

/// Of each axis, the first 2^k points have one in each of 2^k intervals; of the
/// first two axes also in elementary boxes.
TEST(Sobol, IsANet) {
  Sobol sobol(Sobol::kMostAxes);
  std::vector<std::vector<double>> points;
  for (int k = 0; k < 256; ++k)
    points.push_back(sobol.next());
  for (unsigned axis = 0; axis < Sobol::kMostAxes; ++axis) {
    std::set<int> cells;
    for (auto &point : points)
      cells.insert(int(point[axis] * 256));
    EXPECT_EQ(cells.size(), 256u) << axis;
  }
  std::set<std::pair<int, int>> boxes;
  for (auto &point : points)
    boxes.insert({int(point[0] * 16), int(point[1] * 16)});
  EXPECT_EQ(boxes.size(), 256u);
  EXPECT_NEAR(std::abs(points[1][0] - points[0][0]), 0.5, 1e-9);
  EXPECT_GT(points[0][0], 0.1);
}

TEST(Points, SeedsAndKeys) {
  Point one{{{"a", "1"}, {"b", "2"}}}, turned{{{"b", "2"}, {"a", "1"}}},
      other{{{"a", "12"}, {"b", ""}}};
  EXPECT_EQ(seedOf(one, 0), seedOf(turned, 0));
  EXPECT_NE(seedOf(one, 0), seedOf(one, 1));
  EXPECT_NE(seedOf(one, 0), seedOf(other, 0));
  EXPECT_LT(seedOf(one, 0), uint64_t(1) << 53);
  EXPECT_EQ(keyOf(one, 5), keyOf(turned, 5));
  EXPECT_NE(keyOf(one, 5), keyOf(one, 6));
}

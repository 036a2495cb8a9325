#include "chi/Sweep/Points/Axes.h"
#include "chi/Sweep/Points/Failure.h"
#include <gtest/gtest.h>

using namespace chi::sweep;
using Texts = std::vector<std::string>;

static llvm::Expected<std::string> readFile(llvm::StringRef path) {
  if (path == "values.csv")
    return std::string("a,b,name\n1, 2,\"x, \"\"y\"\"\"\r\n3,4,z\n\n");
  if (path == "short.csv")
    return std::string("a,b\n1\n");
  if (path == "empty.csv")
    return std::string("a,b\n");
  return failure("'" + path + "': No such file or directory");
}

/// The values of one --over of one name.
static Texts valuesOf(const std::string &text) {
  Space space;
  if (llvm::Error wrong = addOver(text, readFile, space))
    return {llvm::toString(std::move(wrong))};
  Texts values;
  for (const auto &row : space.axes.front().rows)
    values.push_back(row.front());
  return values;
}

TEST(Axes, Lists) {
  EXPECT_EQ(valuesOf("dt=1e-3, 1e-4"), (Texts{"1e-3", "1e-4"}));
  EXPECT_EQ(valuesOf("v=[0, 1],[1, 0]"), (Texts{"[0, 1]", "[1, 0]"}));
  EXPECT_EQ(valuesOf("name=a"), Texts{"a"});
  EXPECT_EQ(valuesOf("file=../a"), Texts{"../a"});
}

TEST(Axes, Ranges) {
  EXPECT_EQ(valuesOf("n=1..4"), (Texts{"1", "2", "3", "4"}));
  EXPECT_EQ(valuesOf("n=8..2..-3"), (Texts{"8", "5", "2"}));
  EXPECT_EQ(valuesOf("x=0..1..0.25"), (Texts{"0", "0.25", "0.5", "0.75", "1"}));
  // The last value is there although 0.1 is not exact.
  EXPECT_EQ(valuesOf("x=0..0.3..0.1"), (Texts{"0", "0.1", "0.2", "0.3"}));
  EXPECT_EQ(valuesOf("n=5..5"), Texts{"5"});
}

TEST(Axes, Spaced) {
  EXPECT_EQ(valuesOf("x=lin(0,1,5)"), (Texts{"0", "0.25", "0.5", "0.75", "1"}));
  EXPECT_EQ(valuesOf("x=lin(0,1,11)")[3], "0.3");
  EXPECT_EQ(valuesOf("x=log(1e-5,1e-2,4)"),
            (Texts{"1e-5", "1e-04", "0.001", "1e-2"}));
  EXPECT_EQ(valuesOf("x=lin(2,9,1)"), Texts{"2"});
}

TEST(Axes, Files) {
  Space space;
  ASSERT_FALSE(bool(addOver("@values.csv", readFile, space)));
  ASSERT_FALSE(bool(addOver("b,name=@values.csv", readFile, space)));
  EXPECT_EQ(space.axes[0].names, (Texts{"a", "b", "name"}));
  EXPECT_EQ(space.axes[0].rows[0], (Texts{"1", "2", "x, \"y\""}));
  EXPECT_EQ(space.axes[0].rows.size(), 2u);
  EXPECT_EQ(space.axes[1].rows[1], (Texts{"4", "z"}));
  EXPECT_EQ(valuesOf("a=@values.csv"), (Texts{"1", "3"}));
}

TEST(Axes, Distributions) {
  Space space;
  ASSERT_FALSE(bool(addOver("x=uniform(0,2)", readFile, space)));
  ASSERT_FALSE(bool(addOver("y=loguniform(1e-3,1)", readFile, space)));
  ASSERT_FALSE(bool(addOver("m=choice(fast, slow)", readFile, space)));
  EXPECT_TRUE(space.axes.empty());
  EXPECT_EQ(space.sampled[0].high, 2);
  EXPECT_EQ(space.sampled[1].kind, Distribution::LogUniform);
  EXPECT_EQ(space.sampled[2].choices, (Texts{"fast", "slow"}));
}

TEST(Axes, Refusals) {
  auto refused = [](const char *text, const char *why) {
    Texts values = valuesOf(text);
    EXPECT_EQ(values.size(), 1u) << text;
    EXPECT_NE(values[0].find(why), std::string::npos) << values[0];
  };
  refused("dt", "write NAME=LIST");
  refused("=1,2", "write NAME=LIST");
  refused("x=", "the list is empty");
  refused("x=lin(0,1)", "--over x=lin(0,1): write low, high, and the number");
  refused("x=lin(0,1,2.5)", "whole number");
  refused("x=lin(0,one,2)", "write low, high");
  refused("x=log(0,1,3)", "positive ends");
  refused("x=cube(0,1,3)", "there is no list `cube`");
  refused("x=uniform(1,1)", "low must be less than high");
  refused("x=loguniform(-1,1)", "positive ends");
  refused("x=uniform(1)", "write low and high");
  refused("n=1..4..0", "does not lead");
  refused("n=4..1", "does not lead");
  refused("n=1..1e12", "does not lead");
  refused("n=1..2..3..4", "low..high..step");
  refused("a,b=1,2", "several names need a file");
  refused("q=@values.csv", "has no column `q`");
  refused("@short.csv", "'short.csv', line 2: there are 1 values for 2 names");
  refused("@empty.csv", "no line of values");
  refused("@absent.csv", "No such file");
}

//===- ParamTextTest.cpp - Values, ranges and flags of params as text -----===//
#include "chirt/params/Domain.h"
#include "chirt/params/Flags.h"
#include "chirt/params/Value.h"
#include "gtest/gtest.h"
#include <string>
#include <vector>

using namespace chirt;

// Numbers are written as in Chi, and have to fit.
TEST(ParamText, Integers) {
  ParamScalar scalar;
  for (auto [text, value] : {std::pair("7", int64_t(7)),
                             {"-128", -128},
                             {"127", 127},
                             {"1_0", 10},
                             {"0x7f", 127}}) {
    EXPECT_TRUE(parseScalar(text, CHIRT_I8, scalar)) << text;
    EXPECT_EQ(scalar.integer, value) << text;
    EXPECT_EQ(scalar.real, double(value)) << text;
  }
  for (const char *text :
       {"", "128", "-129", "1.5", "x", "_1", "1_", "1__0", "0x", "--1", "1 2"})
    EXPECT_FALSE(parseScalar(text, CHIRT_I8, scalar)) << text;
  EXPECT_TRUE(parseScalar("9223372036854775807", CHIRT_I64, scalar));
  EXPECT_EQ(scalar.integer, INT64_MAX);
  EXPECT_FALSE(parseScalar("9223372036854775808", CHIRT_I64, scalar));
}

// Brackets are optional; all parts are counted, few are kept.
TEST(ParamText, Components) {
  std::string_view parts[2];
  EXPECT_EQ(splitComponents("0.1, 0", parts, 2), 2);
  EXPECT_EQ(parts[0], "0.1");
  EXPECT_EQ(parts[1], "0");
  EXPECT_EQ(splitComponents("[3,4]", parts, 2), 2);
  EXPECT_EQ(parts[1], "4");
  EXPECT_EQ(splitComponents("1,2,3,4", parts, 2), 4);
  ParamScalar scalars[2];
  EXPECT_FALSE(bool(parseValue("1.5, 2", CHIRT_F32, 2, scalars)));
  EXPECT_EQ(scalars[0].real, 1.5);
  EXPECT_EQ(scalars[1].real, 2.0);
  ValueProblem problem = parseValue("1, 2, 3", CHIRT_F32, 2, scalars);
  EXPECT_EQ(problem.kind, ValueProblem::WrongCount);
  EXPECT_EQ(problem.given, 3);
  EXPECT_TRUE(bool(parseValue("1, x", CHIRT_F32, 2, scalars)));
}

// A bound of an f32 is rounded as its value is: 0.1 lies in [0.1, 1]; the ends
// belong to a range, NaN to none.
TEST(ParamText, Ranges) {
  EXPECT_TRUE(isWithin(CHIRT_F32, double(0.1f), 0.1, 1));
  EXPECT_TRUE(isWithin(CHIRT_F32, double(0.7f), 0, 0.7));
  EXPECT_FALSE(isWithin(CHIRT_F64, 0.0999, 0.1, 1));
  EXPECT_TRUE(isWithin(CHIRT_I32, 10, 1, 10));
  EXPECT_FALSE(isWithin(CHIRT_I32, 11, 1, 10));
  EXPECT_FALSE(isWithin(CHIRT_F32, 0.0 / 0.0, 0, 1));
  const char *const choices[] = {"dam", "drop", nullptr};
  Text range, list, none;
  appendDomain(range, "1", "10", choices);
  appendDomain(list, "", "", choices);
  appendDomain(none, "", "", nullptr);
  EXPECT_EQ(range.view(), "[1, 10]");
  EXPECT_EQ(list.view(), "{dam, drop}");
  EXPECT_EQ(none.view(), "");
}

// Values of an f32 are one value if they round to one; texts by their letters.
TEST(ParamText, SameValues) {
  ParamScalar a, b;
  a.real = 0.1, b.real = double(0.1f);
  EXPECT_TRUE(isSameScalar(CHIRT_F32, a, b));
  EXPECT_FALSE(isSameScalar(CHIRT_F64, a, b));
  a.text = "dam", b.text = "drop";
  EXPECT_FALSE(isSameScalar(CHIRT_STR, a, b));
  EXPECT_TRUE(isSameScalar(CHIRT_I32, a, b)) << "both integers are 0";
}

TEST(ParamText, Flags) {
  EXPECT_TRUE(flagEquals("n_grid", "n_grid"));
  EXPECT_TRUE(flagEquals("n-grid", "n_grid"));
  EXPECT_FALSE(flagEquals("n", "n_grid"));
  EXPECT_FALSE(flagEquals("n-grids", "n_grid"));
  EXPECT_EQ(editDistance("", "abc"), 3);
  EXPECT_EQ(editDistance("threads", "theads"), 1);
  EXPECT_EQ(editDistance("seed", "seed"), 0);
  EXPECT_NE(laterFlag("deterministic"), nullptr);
  EXPECT_EQ(laterFlag("threads"), nullptr);
}

TEST(ParamText, ReadsCommandLines) {
  ParamFacts facts[2];
  facts[0].name = "n_grid", facts[0].type = "i32";
  facts[1].name = "fast", facts[1].type = "bool";
  auto read = [&](std::vector<const char *> words) {
    ParamFlags flags(facts, 2, nullptr);
    if (!flags.read(int(words.size()), words.data(), /*takesHelp=*/true))
      return "problem: " + std::string(flags.message());
    std::string text(flags.wantsHelp() ? "help " : "");
    for (size_t k = 0; k < 2; ++k)
      text += std::string(flags.value(k)) + ";";
    return text;
  };
  EXPECT_EQ(read({}), ";;");
  EXPECT_EQ(read({"--n-grid", "-3"}), "-3;;");
  EXPECT_EQ(read({"--n_grid=1", "--n-grid=2"}), "2;;");
  EXPECT_EQ(read({"-h"}), "help ;;");
  for (std::vector<const char *> bad :
       {std::vector<const char *>{"--n-grid"}, {"word"}, {"--grid=1"}}) {
    std::string text = read(bad);
    EXPECT_EQ(text.find("problem: "), 0u) << bad[0];
    EXPECT_GT(text.size(), 9u) << bad[0];
  }
}

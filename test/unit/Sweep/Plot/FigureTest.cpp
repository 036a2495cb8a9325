#include "chi/Sweep/Plot/Figure.h"
#include "chi/Sweep/Plot/Ticks.h"
#include <gtest/gtest.h>

using namespace chi::sweep;

static std::string labels(const Scale &scale) {
  std::string text;
  for (const Tick &tick : scale.ticks)
    if (!tick.label.empty())
      text += tick.label + " ";
  return text;
}

TEST(Ticks, Linear) {
  EXPECT_EQ(labels(makeScale({0.02, 0.1}, false, 5)),
            "0.02 0.04 0.06 0.08 0.1 ");
  Scale scale = makeScale({-3, 7}, false, 5);
  EXPECT_EQ(labels(scale), "-4 -2 0 2 4 6 8 ");
  EXPECT_EQ(scale.place(-4), 0);
  EXPECT_EQ(scale.place(2), 0.5);
  EXPECT_EQ(scale.place(8), 1);
  Scale one = makeScale({5}, false, 5);
  EXPECT_NEAR(one.place(5), 0.5, 1e-9);
}

TEST(Ticks, Logarithmic) {
  Scale scale = makeScale({2e-5, 0.5}, true, 6);
  EXPECT_EQ(labels(scale), "1e-05 0.0001 0.001 0.01 0.1 1 ");
  EXPECT_DOUBLE_EQ(scale.place(1e-5), 0);
  EXPECT_DOUBLE_EQ(scale.place(1e-3), 0.4);
  EXPECT_EQ(labels(makeScale({1, 8}, true, 6)), "1 2 5 10 ");
}

static Table table() {
  Table table;
  table.columns = {"x", "y", "n"};
  auto row = [&](double x, const char *y, std::optional<double> value,
                 const char *n) {
    table.rows.push_back({{"", x}, {y, value}, {n, std::nullopt}});
  };
  row(2, "4", 4, "a");
  row(1, "1", 1, "a");
  row(1, "nan", std::numeric_limits<double>::quiet_NaN(), "a");
  row(1, "0", 0, "b");
  row(1, "", std::nullopt, "b");
  return table;
}

TEST(Figure, ChoosesColumns) {
  Table shown = table();
  shown.params = {"n", "x"};
  shown.reported = {"y"};
  FigureWords words = chooseColumns(shown, {});
  EXPECT_EQ(words.x, "x"); // `n` has texts
  EXPECT_EQ(words.y, "y");
  EXPECT_EQ(words.by, "n");
  words = chooseColumns(shown, {"y", "", "", false, false});
  EXPECT_EQ(words.by, ""); // only the user knows
  shown.columns.insert(shown.columns.end(), {"point", "seconds"});
  for (auto &row : shown.rows)
    row.insert(row.end(), {{"1", 1}, {"2", 2}});
  shown.params.clear();
  shown.reported.clear();
  words = chooseColumns(shown, {});
  EXPECT_EQ(words.x + words.y + words.by, "pointseconds");
}

TEST(Figure, Curves) {
  auto figure = makeFigure(table(), {"x", "y", "n", false, false});
  ASSERT_TRUE(bool(figure));
  ASSERT_EQ(figure->curves.size(), 2u);
  EXPECT_EQ(figure->curves[0].name, "n = a");
  EXPECT_EQ(figure->curves[0].points.front().first, 1); // by x
  EXPECT_EQ(figure->numLeftOut, 2u);
  auto logarithmic = makeFigure(table(), {"x", "y", "", false, true});
  ASSERT_TRUE(bool(logarithmic));
  EXPECT_EQ(logarithmic->curves.size(), 1u);
  EXPECT_EQ(logarithmic->numLeftOut, 3u);
}

TEST(Figure, Refusals) {
  auto missing = makeFigure(table(), {"x", "z", "", false, false});
  EXPECT_EQ(llvm::toString(missing.takeError()),
            "there is no column `z`; there are x, y, n");
  auto texts = makeFigure(table(), {"x", "n", "", false, false});
  EXPECT_EQ(llvm::toString(texts.takeError()),
            "no point has numbers for `x` and `n`");
}

//===- Figure.cpp - What a plot shows -------------------------------------===//
#include "chi/Sweep/Plot/Figure.h"
#include "chi/Sweep/Points/Failure.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <set>

using namespace chi;
using namespace chi::sweep;

static llvm::Expected<size_t> columnOf(const Table &table,
                                       const std::string &name) {
  if (auto found = table.find(name))
    return *found;
  std::string all;
  for (const std::string &column : table.columns)
    all += (all.empty() ? "" : ", ") + column;
  return failure("there is no column `" + name + "`; there are " + all);
}

/// The curve of a value, which is made if it is the first of it.
static Curve &curveOf(Figure &figure, const std::string &name) {
  auto found = llvm::find_if(
      figure.curves, [&](const Curve &curve) { return curve.name == name; });
  if (found != figure.curves.end())
    return *found;
  figure.curves.push_back({name, {}});
  return figure.curves.back();
}

/// How many different numbers a column has.
static size_t countNumbers(const Table &table, const std::string &name) {
  size_t column = *table.find(name);
  std::set<double> numbers;
  for (const auto &row : table.rows)
    if (row[column].number && !std::isnan(*row[column].number))
      numbers.insert(*row[column].number);
  return numbers.size();
}

/// How many different values a column has.
static size_t countValues(const Table &table, const std::string &name) {
  size_t column = *table.find(name);
  std::set<std::string> values;
  for (const auto &row : table.rows)
    values.insert(row[column].text);
  return values.size();
}

FigureWords sweep::chooseColumns(const Table &table, FigureWords words) {
  auto first = [&](const std::vector<std::string> &names, auto isWanted,
                   const std::string &otherwise) {
    auto found = llvm::find_if(names, isWanted);
    return found == names.end() ? otherwise : *found;
  };
  constexpr size_t kMaxCurves = 8; // that colours tell apart
  bool isFree = words.x.empty();
  if (isFree)
    words.x = first(
        table.params,
        [&](const std::string &name) { return countNumbers(table, name) > 1; },
        "point");
  if (words.y.empty())
    words.y = first(
        table.reported,
        [&](const std::string &name) { return countNumbers(table, name) > 0; },
        "seconds");
  if (isFree && words.by.empty())
    words.by = first(
        table.params,
        [&](const std::string &name) {
          size_t count = countValues(table, name);
          return name != words.x && count > 1 && count <= kMaxCurves;
        },
        "");
  return words;
}

llvm::Expected<Figure> sweep::makeFigure(const Table &table,
                                         const FigureWords &words) {
  auto x = columnOf(table, words.x), y = columnOf(table, words.y);
  auto by = words.by.empty() ? llvm::Expected<size_t>(size_t(0))
                             : columnOf(table, words.by);
  llvm::Error missing = llvm::joinErrors(
      llvm::joinErrors(x.takeError(), y.takeError()), by.takeError());
  if (missing)
    return std::move(missing);
  Figure figure;
  figure.xLabel = words.x;
  figure.yLabel = words.y;
  figure.isLogX = words.isLogX;
  figure.isLogY = words.isLogY;
  auto isShown = [](const std::optional<double> &value, bool isLog) {
    return value && std::isfinite(*value) && (!isLog || *value > 0);
  };
  for (const auto &row : table.rows) {
    if (!isShown(row[*x].number, words.isLogX) ||
        !isShown(row[*y].number, words.isLogY)) {
      ++figure.numLeftOut;
      continue;
    }
    std::string name = words.by.empty() ? "" : words.by + " = " + row[*by].text;
    curveOf(figure, name).points.push_back({*row[*x].number, *row[*y].number});
  }
  if (figure.curves.empty())
    return failure("no point has numbers for `" + words.x + "` and `" +
                   words.y + "`" +
                   (words.isLogX || words.isLogY ? " that a logarithmic axis "
                                                   "can show"
                                                 : ""));
  for (Curve &curve : figure.curves)
    llvm::sort(curve.points);
  return figure;
}

//===- Table.cpp - The results of a sweep as columns ----------------------===//
#include "chi/Sweep/Store/Table.h"
#include "chi/Sweep/Points/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace chi;
using namespace chi::sweep;

std::optional<size_t> Table::find(llvm::StringRef name) const {
  auto found = llvm::find(columns, name);
  if (found == columns.end())
    return std::nullopt;
  return size_t(found - columns.begin());
}

namespace {
/// Collects columns in the order in which their names come.
class Builder {
public:
  explicit Builder(Table &table) : table(table) {}

  /// Cells are of this row from now on.
  void goTo(size_t number) {
    row = number;
    if (table.rows.size() <= number)
      table.rows.resize(number + 1);
  }
  void set(llvm::StringRef name, Cell cell);
  void setText(llvm::StringRef name, std::string text) {
    set(name, {std::move(text), std::nullopt});
  }
  void setNumber(llvm::StringRef name, double value) {
    set(name, {exactText(value), value});
  }
  /// A number, or any other text.
  void setValue(llvm::StringRef name, llvm::StringRef text) {
    set(name, {text.str(), readNumber(text)});
  }

private:
  Table &table;
  size_t row = 0;
  llvm::StringMap<size_t> numbers;
};
} // namespace

void Builder::set(llvm::StringRef name, Cell cell) {
  auto [found, isNew] = numbers.try_emplace(name, table.columns.size());
  if (isNew)
    table.columns.push_back(name.str());
  auto &cells = table.rows[row];
  if (cells.size() <= found->second)
    cells.resize(found->second + 1);
  cells[found->second] = std::move(cell);
}

/// The members of a JSON object: params are kept in an array of pairs, since
/// objects have no order.
template <typename Visit> static void eachParam(const Row &row, Visit visit) {
  auto value = llvm::json::parse(row.params);
  if (!value)
    return llvm::consumeError(value.takeError());
  if (auto *pairs = value->getAsArray())
    for (const llvm::json::Value &each : *pairs)
      if (auto *pair = each.getAsArray(); pair && pair->size() == 2)
        visit((*pair)[0].getAsString().value_or(""),
              (*pair)[1].getAsString().value_or(""));
}

/// Reported values in the order of their names.
static std::vector<std::pair<std::string, Cell>> reportOf(const Row &row) {
  std::vector<std::pair<std::string, Cell>> cells;
  if (row.report.empty())
    return cells;
  auto value = llvm::json::parse(row.report);
  if (!value) {
    llvm::consumeError(value.takeError());
    return cells;
  }
  auto *object = value->getAsObject();
  if (!object)
    return cells;
  for (auto &[name, reported] : *object) {
    Cell cell;
    if (auto text = reported.getAsString()) {
      cell.text = text->str();
      if (*text == "nan" || *text == "inf" || *text == "-inf")
        cell.number = readNumber(*text);
    } else if (auto integer = reported.getAsInteger()) {
      cell = {std::to_string(*integer), double(*integer)};
    } else if (auto number = reported.getAsNumber()) {
      cell = {exactText(*number), *number};
    } else if (auto truth = reported.getAsBoolean()) {
      cell = {*truth ? "true" : "false", *truth ? 1. : 0.};
    }
    cells.emplace_back(name.str(), std::move(cell));
  }
  llvm::sort(cells, [](auto &a, auto &b) { return a.first < b.first; });
  return cells;
}

static void addState(Builder &build, const Row &row, bool isFull) {
  if (isFull)
    build.setNumber("seed", double(row.seed));
  build.setText("state", stateName(row.state).str());
  if (isFull) {
    build.setNumber("attempts", row.attempts);
    build.setText("host", row.host);
    build.setNumber("started", row.started);
  }
  // Milliseconds are what the clock of a point is good for.
  build.setNumber("seconds", std::round(row.seconds * 1e3) / 1e3);
  if (isFull) {
    build.setNumber("exit", row.exit);
    build.setNumber("signal", row.signal);
  }
}

Table sweep::makeTable(const std::vector<Row> &rows, bool isFull) {
  Table table;
  Builder build(table);
  std::vector<std::string> fixed = {"point",  "seed", "state",   "attempts",
                                    "host",   "exit", "started", "seconds",
                                    "signal", "error"};
  for (const Row &row : rows) {
    build.goTo(size_t(row.number - 1));
    build.setNumber("point", double(row.number));
    eachParam(row, [&](llvm::StringRef name, llvm::StringRef text) {
      build.setValue(name, text);
      if (!llvm::is_contained(fixed, name))
        fixed.push_back(name.str());
      if (!llvm::is_contained(table.params, name))
        table.params.push_back(name.str());
    });
  }
  bool hasErrors = false;
  for (const Row &row : rows) {
    build.goTo(size_t(row.number - 1));
    addState(build, row, isFull);
    hasErrors |= row.state == Row::Failed;
  }
  for (const Row &row : rows) {
    build.goTo(size_t(row.number - 1));
    for (auto &[name, cell] : reportOf(row)) {
      bool isTaken = llvm::is_contained(fixed, name);
      table.numNaNs += cell.number && std::isnan(*cell.number);
      table.numInfinities += cell.number && std::isinf(*cell.number);
      std::string column = (isTaken ? "report." : "") + name;
      build.set(column, std::move(cell));
      if (!llvm::is_contained(table.reported, column))
        table.reported.push_back(column);
    }
  }
  if (hasErrors || isFull) {
    table.columns.push_back("error");
    for (const Row &row : rows) {
      auto &cells = table.rows[size_t(row.number - 1)];
      cells.resize(table.columns.size());
      cells.back().text = row.error;
    }
  }
  for (auto &row : table.rows)
    row.resize(table.columns.size());
  return table;
}

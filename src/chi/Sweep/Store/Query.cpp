//===- Query.cpp - Conditions over the table ------------------------------===//
#include "chi/Sweep/Points/Failure.h"
#include "chi/Sweep/Store/Statement.h"
#include "chi/Sweep/Store/Table.h"
#include "llvm/ADT/ScopeExit.h"
#include <cmath>
#include <sqlite3.h>

using namespace chi;
using namespace chi::sweep;

static std::string quoted(llvm::StringRef name) {
  std::string text = "\"";
  for (char c : name)
    text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

/// A table `t` in memory, with the number of each row.
static bool copyTable(sqlite3 *database, const Table &table) {
  std::string create = "CREATE TABLE t (\" row\"",
              insert = "INSERT INTO t VALUES (?";
  for (const std::string &column : table.columns) {
    create += ", " + quoted(column);
    insert += ", ?";
  }
  Statement make(database, (create + ")").c_str());
  bool isGood = make.run();
  Statement add(database, (insert + ")").c_str());
  for (size_t number = 0; number < table.rows.size(); ++number) {
    add.bind(int64_t(number));
    for (const Cell &cell : table.rows[number]) {
      bool isNone =
          cell.text.empty() || (cell.number && std::isnan(*cell.number));
      if (isNone)
        add.bindNull();
      else if (cell.number)
        add.bind(*cell.number);
      else
        add.bind(cell.text);
    }
    isGood = isGood && add.run();
  }
  return isGood;
}

llvm::Error sweep::filter(Table &table, const std::string &condition) {
  sqlite3 *database = nullptr;
  bool isOpen = sqlite3_open(":memory:", &database) == SQLITE_OK;
  llvm::scope_exit close([&] { sqlite3_close(database); });
  if (!isOpen || sqlite3_exec(database, "BEGIN", nullptr, nullptr, nullptr) ||
      !copyTable(database, table))
    return databaseError(database, "--where");
  auto refused = [&] {
    return failure("--where: " + llvm::Twine(sqlite3_errmsg(database)));
  };
  std::string text =
      "SELECT \" row\" FROM t WHERE (" + condition + ") ORDER BY \" row\"";
  Statement query(database, text.c_str());
  if (!query.isGood())
    return refused();
  std::vector<std::vector<Cell>> kept;
  while (query.step())
    kept.push_back(std::move(table.rows[size_t(query.integer(0))]));
  if (!query.isGood())
    return refused();
  table.rows = std::move(kept);
  return llvm::Error::success();
}

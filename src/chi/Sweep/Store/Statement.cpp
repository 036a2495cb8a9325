//===- Statement.cpp - Prepared statements of SQLite ----------------------===//
#include "chi/Sweep/Store/Statement.h"
#include "chi/Sweep/Points/Failure.h"
#include <sqlite3.h>

using namespace chi;
using namespace chi::sweep;

llvm::Error sweep::databaseError(sqlite3 *database, const std::string &path) {
  return failure("'" + path + "': " +
                 (database ? sqlite3_errmsg(database) : "out of memory"));
}

Statement::Statement(sqlite3 *database, const char *sql) {
  hasFailed =
      sqlite3_prepare_v2(database, sql, -1, &statement, nullptr) != SQLITE_OK;
}

Statement::~Statement() { sqlite3_finalize(statement); }

Statement &Statement::bind(int64_t value) {
  hasFailed |= sqlite3_bind_int64(statement, next++, value) != SQLITE_OK;
  return *this;
}

Statement &Statement::bind(double value) {
  hasFailed |= sqlite3_bind_double(statement, next++, value) != SQLITE_OK;
  return *this;
}

Statement &Statement::bind(llvm::StringRef text) {
  // A null pointer would be NULL and not "".
  const char *data = text.data() ? text.data() : "";
  hasFailed |= sqlite3_bind_text(statement, next++, data, int(text.size()),
                                 SQLITE_STATIC) != SQLITE_OK;
  return *this;
}

Statement &Statement::bindNull() {
  hasFailed |= sqlite3_bind_null(statement, next++) != SQLITE_OK;
  return *this;
}

bool Statement::step() {
  if (hasFailed)
    return false;
  int result = sqlite3_step(statement);
  hasFailed = result != SQLITE_ROW && result != SQLITE_DONE;
  return result == SQLITE_ROW;
}

int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement, column);
}

double Statement::real(int column) const {
  return sqlite3_column_double(statement, column);
}

std::string Statement::text(int column) const {
  auto *data =
      reinterpret_cast<const char *>(sqlite3_column_text(statement, column));
  return data ? std::string(data,
                            size_t(sqlite3_column_bytes(statement, column)))
              : std::string();
}

bool Statement::run() {
  while (step())
    ;
  if (statement)
    sqlite3_reset(statement);
  next = 1;
  return !hasFailed;
}

//===- Statement.h - Prepared statements of SQLite --------------*- C++ -*-===//
#ifndef CHI_SWEEP_STORE_STATEMENT_H
#define CHI_SWEEP_STORE_STATEMENT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace chi::sweep {

/// What SQLite says of its last failure, as an error: "sweep.db: disk full".
llvm::Error databaseError(sqlite3 *database, const std::string &path);

/// A prepared statement. Failures are kept until `finish` or `run` returns
/// them.
class Statement {
public:
  Statement(sqlite3 *database, const char *sql);
  ~Statement();
  Statement(const Statement &) = delete;
  Statement &operator=(const Statement &) = delete;

  /// Binds the next parameter. A text must live until the statement has run.
  Statement &bind(int64_t value);
  Statement &bind(double value);
  Statement &bind(llvm::StringRef text);
  Statement &bindNull();

  /// Goes to the next row; false at the end, or after a failure.
  bool step();
  /// Of the current row, the column from 0.
  int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;

  /// Steps to the end and resets; false after a failure.
  bool run();
  /// Whether all of it worked so far.
  bool isGood() const { return !hasFailed; }

private:
  sqlite3_stmt *statement = nullptr;
  int next = 1; ///< number of the parameter that is bound next
  bool hasFailed = false;
};

} // namespace chi::sweep
#endif // CHI_SWEEP_STORE_STATEMENT_H

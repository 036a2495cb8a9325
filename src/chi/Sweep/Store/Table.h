//===- Table.h - The results of a sweep as columns --------------*- C++ -*-===//
#ifndef CHI_SWEEP_STORE_TABLE_H
#define CHI_SWEEP_STORE_TABLE_H

#include "chi/Sweep/Store/Ledger.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace chi::sweep {

/// One value: its text, and its number if it is one ("nan" is NaN).
struct Cell {
  std::string text; ///< "" if there is none
  std::optional<double> number;
};

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
  /// Of `columns`, in their order: those of params and of reported values.
  std::vector<std::string> params, reported;

  /// The number of a column; none if there is no such column.
  std::optional<size_t> find(llvm::StringRef name) const;
  /// How many cells of reported values are NaN, and infinite.
  size_t numNaNs = 0, numInfinities = 0;
};

/// The columns: point, the params in the order of --over, state, seconds, the
/// reported values by name; with `isFull` also seed, attempts, host, started,
/// exit, signal and error. A reported name that is that of another column gets
/// "report." before it.
Table makeTable(const std::vector<Row> &rows, bool isFull);

/// Keeps the rows for which a condition holds: an expression of SQLite over the
/// columns, "dt < 1e-4 and state = 'done'". A NaN is NULL there, for which no
/// comparison holds. Fails with SQLite's message if it is no such expression.
llvm::Error filter(Table &table, const std::string &condition);

} // namespace chi::sweep
#endif // CHI_SWEEP_STORE_TABLE_H

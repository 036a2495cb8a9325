//===- Journal.h - The table, and the lines that change it ------*- C++ -*-===//
#ifndef CHI_SWEEP_WORKERS_JOURNAL_H
#define CHI_SWEEP_WORKERS_JOURNAL_H

#include "chi/Sweep/Store/Database.h"
#include "chi/Sweep/Workers/LineFiles.h"

namespace chi::sweep {

/// The state of a sweep under one controlling process: the rows in memory, the
/// database, the files of lines.
class Journal {
public:
  /// Reads the table and all lines that are not in it yet, and writes the
  /// result. Local workers of an earlier controlling process are waited for.
  static llvm::Expected<std::unique_ptr<Journal>>
  open(const std::string &folder, std::unique_ptr<Database> database,
       int retries);

  Ledger ledger;
  LineFiles files;
  Database &database() { return *base; }

  /// Writes what changed since the last call.
  llvm::Error flush();
  /// Takes over attempts that no worker runs any more: what was started counts
  /// as lost, what was not goes back.
  void adopt();

private:
  Journal(Ledger ledger, LineFiles files, std::unique_ptr<Database> base)
      : ledger(std::move(ledger)), files(std::move(files)),
        base(std::move(base)) {}
  llvm::Error waitForWorkers(const std::string &folder);

  std::unique_ptr<Database> base;
};

} // namespace chi::sweep
#endif // CHI_SWEEP_WORKERS_JOURNAL_H

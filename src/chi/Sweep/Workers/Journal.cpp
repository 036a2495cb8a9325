//===- Journal.cpp - The table, and the lines that change it --------------===//
#include "chi/Sweep/Workers/Journal.h"
#include "chi/Sweep/Points/Failure.h"
#include "llvm/ADT/STLExtras.h"
#include <unistd.h>

using namespace chi;
using namespace chi::sweep;

llvm::Error Journal::flush() {
  return base->write(ledger.takeChanged(), files.takeChanged());
}

void Journal::adopt() {
  for (const Row &row : ledger.all()) {
    if (row.state != Row::Running)
      continue;
    if (row.started > 0)
      ledger.lose(row.number, row.attempts, "its worker was lost");
    else
      ledger.giveBack(row.number, row.attempts);
  }
}

/// Workers end when their controlling process does, but they end what they do.
llvm::Error Journal::waitForWorkers(const std::string &folder) {
  constexpr unsigned kStep = 20000;        // microseconds
  constexpr unsigned kMost = 60 * 1000000; // longer than any grace
  for (unsigned waited = 0; waited < kMost; waited += kStep) {
    bool isAny = llvm::any_of(files.names(), [&](const std::string &name) {
      return files.isLocked(name);
    });
    if (!isAny)
      return llvm::Error::success();
    ::usleep(kStep);
  }
  return failure("'" + folder + "': workers of an earlier run do not end");
}

llvm::Expected<std::unique_ptr<Journal>>
Journal::open(const std::string &folder, std::unique_ptr<Database> database,
              int retries) {
  auto rows = database->rows();
  if (!rows)
    return rows.takeError();
  auto offsets = database->offsets();
  if (!offsets)
    return offsets.takeError();
  LineFiles files(folder + "/workers");
  for (const auto &[name, bytes] : *offsets)
    files.setOffset(name, bytes);
  std::unique_ptr<Journal> journal(
      new Journal(Ledger(std::move(*rows), retries), std::move(files),
                  std::move(database)));
  if (llvm::Error late = journal->waitForWorkers(folder))
    return late;
  journal->files.readAll(
      [&](const Line &line) { journal->ledger.apply(line); });
  if (llvm::Error failed = journal->flush())
    return failed;
  return journal;
}

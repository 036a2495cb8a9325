//===- Progress.h - How far a sweep is --------------------------*- C++ -*-===//
#ifndef CHI_SWEEP_WORKERS_PROGRESS_H
#define CHI_SWEEP_WORKERS_PROGRESS_H

#include "chi/Sweep/Store/Ledger.h"
#include "llvm/Support/raw_ostream.h"

namespace chi::sweep {

/// "3 min 20 s", "12 s", "2 h 5 min".
std::string durationText(double seconds);
/// "12 done, 2 running, 0 failed of 200".
std::string countsText(const Ledger::Counts &counts);

/// One line with the number of points in each state and the time left: written
/// again on a terminal, once a minute elsewhere.
class Progress {
public:
  Progress(llvm::raw_ostream &err, bool isTerminal,
           const Ledger::Counts &begin);
  /// Writes the line if it is due.
  void show(const Ledger::Counts &counts);
  /// Writes a sentence, once while it stays the same.
  void warn(const std::string &text);
  /// Ends the line; the last counts, and the time of all.
  void finish(const Ledger::Counts &counts);

private:
  std::string left(const Ledger::Counts &counts) const;

  llvm::raw_ostream &err;
  bool isTerminal;
  double begin, shown;
  int64_t finishedBefore;
  size_t width = 0;
  std::string warned;
};

} // namespace chi::sweep
#endif // CHI_SWEEP_WORKERS_PROGRESS_H

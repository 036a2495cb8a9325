//===- Ledger.h - The state of each point -----------------------*- C++ -*-===//
// The rules by which lines of workers change the state of points. They do not
// depend on when the lines are read: a controlling process that was killed and
// started again arrives at the same states.
//
#ifndef CHI_SWEEP_STORE_LEDGER_H
#define CHI_SWEEP_STORE_LEDGER_H

#include "chi/Sweep/Store/Line.h"
#include <vector>

namespace chi::sweep {

/// What the table holds of a point.
struct Row {
  enum State { Pending, Running, Done, Failed };

  int64_t number = 0;  ///< from 1
  std::string key;     ///< keyOf(point)
  std::string params;  ///< JSON: pairs of names and texts, in order
  std::string program; ///< content hash of what it ran, or will run
  uint64_t seed = 0;
  State state = Pending;
  int attempts = 0; ///< how often it was started
  int losses = 0;   ///< by signals, exit 2 and lost workers
  bool hasCheckpoint = false;
  std::string host;
  double started = 0; ///< of the last attempt; 0: not yet
  double seconds = 0;
  int exit = 0, signal = 0;
  std::string report, error;

  /// Whether it needs no further run.
  bool isFinished() const { return state == Done || state == Failed; }
};

/// "pending", "running", "done", "failed".
llvm::StringRef stateName(Row::State state);

class Ledger {
public:
  /// `retries`: how often a point that was lost is run again.
  Ledger(std::vector<Row> rows, int retries)
      : rows(std::move(rows)), retries(retries),
        dirty(this->rows.size(), false) {}

  /// Applies a line; false if it changes nothing: of an attempt that is over,
  /// or of a point that is not in the table.
  bool apply(const Line &line);
  /// Begins an attempt: the number that lines of it have.
  int begin(int64_t point);
  /// Takes back an attempt that was given to a worker, and not started.
  void giveBack(int64_t point, int attempt);
  /// The worker of a running attempt is gone, and its end is not known.
  void lose(int64_t point, int attempt, llvm::StringRef reason);
  /// A failed point gets another try.
  void reopen(int64_t point);

  /// The row of a point's number, from 1.
  Row &row(int64_t point) { return rows[size_t(point - 1)]; }
  /// All rows, in the order of their numbers.
  const std::vector<Row> &all() const { return rows; }
  /// The rows that changed since the last call.
  std::vector<const Row *> takeChanged();

  struct Counts {
    int64_t states[4] = {};
    /// The number of all points.
    int64_t total() const {
      return states[0] + states[1] + states[2] + states[3];
    }
  };
  /// How many points are in each state.
  Counts count() const;

private:
  bool isKnown(int64_t point) const {
    return point >= 1 && point <= int64_t(rows.size());
  }
  void end(Row &row, const Line &line);
  void countLoss(Row &row);
  void touch(const Row &row);

  std::vector<Row> rows;
  int retries;
  std::vector<bool> dirty;
  std::vector<int64_t> changed;
};

} // namespace chi::sweep
#endif // CHI_SWEEP_STORE_LEDGER_H

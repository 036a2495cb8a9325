//===- LocalSweep.h - A sweep on this machine -------------------*- C++ -*-===//
#ifndef CHI_SWEEP_WORKERS_LOCALSWEEP_H
#define CHI_SWEEP_WORKERS_LOCALSWEEP_H

#include "chi/Sweep/Workers/Journal.h"
#include "chi/Sweep/Workers/Pool.h"
#include "chi/Sweep/Workers/Progress.h"
#include "chi/Sweep/Workers/Request.h"
#include "chi/Sweep/Workers/SweepLock.h"
#include <deque>

namespace chi::sweep {

/// Runs what is not finished in a pool of processes.
class LocalSweep : public PoolClient {
public:
  /// `out`: the absolute path of the folder; `chic`: of this program.
  LocalSweep(Journal &journal, const Request &request, std::string out,
             std::string chic, SweepLock &lock, Progress &progress);

  /// Ends when all points are finished, or after a signal, which it returns;
  /// else 0.
  llvm::Expected<int> run();

private:
  std::optional<Task> next(int slot) override;
  void apply(const Line &line) override;
  void giveBack(const Task &task) override;
  void lose(const Task &task) override;
  size_t depth() const override;
  bool tick() override;
  void enterWorker() override { lock.drop(); }

  /// Points that share compiled code.
  struct Set {
    enum { Unknown, Compiling, Ready } state = Unknown;
    int64_t size = 0;
  };
  size_t setOf(const Row &row);
  std::optional<Task> compilationOf(const Row &row, size_t set);

  Journal &journal;
  const Request &request;
  std::string out, chic;
  SweepLock &lock;
  Progress &progress;
  int jobs, threads;
  std::deque<int64_t> queue; ///< points to run
  std::map<std::string, size_t> setNumbers;
  std::vector<Set> sets;
  double secondsSum = 0;
  int64_t numEnds = 0;
  std::string problem; ///< with the table; "" if there was none
};

/// The number of processors that this process may use.
int availableCores();

} // namespace chi::sweep
#endif // CHI_SWEEP_WORKERS_LOCALSWEEP_H

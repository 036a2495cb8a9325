//===- SlurmSweep.h - A sweep on a cluster ----------------------*- C++ -*-===//
#ifndef CHI_SWEEP_SLURM_SLURMSWEEP_H
#define CHI_SWEEP_SLURM_SLURMSWEEP_H

#include "chi/Sweep/Slurm/Scheduler.h"
#include "chi/Sweep/Workers/Journal.h"
#include "chi/Sweep/Workers/Progress.h"
#include "chi/Sweep/Workers/Request.h"
#include <set>

namespace chi::sweep {

/// Submits what is not finished, and follows it. Jobs go on when this process
/// ends; another one takes them over.
class SlurmSweep {
public:
  SlurmSweep(Journal &journal, const Request &request, std::string out,
             std::string chic, Progress &progress);

  /// Takes over jobs of earlier processes; what none of them has goes back.
  /// To be called before `run`, instead of Journal::adopt.
  void adopt();
  /// Ends when all points are finished, or after a signal, which it returns.
  llvm::Expected<int> run();

private:
  /// One task of an array.
  struct Part {
    std::string name; ///< of its job
    std::string job;  ///< its number; "" if it is not known
    int batch = 0;
    int64_t task = 0;
    int missed = 0; ///< how often Slurm did not know it
    int waited = 0; ///< at how many looks it waited for its time to begin
    std::vector<Task> tasks;
  };
  llvm::Error step();
  llvm::Error submitPending();
  llvm::Error submitBatch(llvm::ArrayRef<int64_t> points, int64_t chunk);
  llvm::Error follow();
  bool isOpen(const Part &part);
  void lose(const Part &part);
  std::vector<int64_t> pending() const;
  std::optional<int64_t> chunk(int64_t numPending) const;
  std::string nameOf(int batch) const {
    return name + "-" + std::to_string(batch);
  }
  void readBatch(int number);

  Journal &journal;
  const Request &request;
  std::string out, chic, name;
  Progress &progress;
  int numBatches = 0;
  std::vector<Part> parts; ///< that may still write lines
  double pilotsSince = 0;  ///< when points of unknown length were submitted
};

} // namespace chi::sweep
#endif // CHI_SWEEP_SLURM_SLURMSWEEP_H

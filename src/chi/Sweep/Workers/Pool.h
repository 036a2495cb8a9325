//===- Pool.h - Workers on this machine -------------------------*- C++ -*-===//
#ifndef CHI_SWEEP_WORKERS_POOL_H
#define CHI_SWEEP_WORKERS_POOL_H

#include "chi/Sweep/Workers/LineFiles.h"
#include "chi/Sweep/Workers/Task.h"
#include "llvm/Support/Error.h"

namespace chi::sweep {

/// What a pool works for.
class PoolClient {
public:
  virtual ~PoolClient() = default;
  /// The next task for a slot, from 0; none if there is none now.
  virtual std::optional<Task> next(int slot) = 0;
  /// A worker wrote a line.
  virtual void apply(const Line &line) = 0;
  /// A task was given to a worker, and will not be run by it.
  virtual void giveBack(const Task &task) = 0;
  /// A worker is gone while it ran a task.
  virtual void lose(const Task &task) = 0;
  /// How many tasks a worker should have at a time.
  virtual size_t depth() const = 0;
  /// Called some times a second. False: stop.
  virtual bool tick() = 0;
  /// In each new worker, before its first task.
  virtual void enterWorker() = 0;
};

/// Processes that are forked from this one, each with one point at a time.
class Pool {
public:
  /// `files`: those of the folder of lines; `run`: a number for this run.
  Pool(PoolClient &client, LineFiles &files, std::string folder,
       std::string run, int jobs, unsigned grace);
  ~Pool();

  /// Works until the client has no task and none runs. Fails if no worker can
  /// be started. SIGINT and SIGTERM stop it: running points end as stopped.
  llvm::Error run();
  /// The signal that stopped it, or 0.
  int stopSignal() const;

private:
  struct Given {
    Task task;
    bool isStarted = false;
  };
  struct Slot {
    pid_t pid = 0;
    launch::Descriptor tasks, wakes;
    std::string file;
    std::vector<Given> given;
  };
  llvm::Error start(Slot &slot);
  [[noreturn]] void becomeWorker(Slot &slot, launch::Descriptor tasks,
                                 launch::Descriptor wakes,
                                 launch::Descriptor lines, pid_t parent);
  llvm::Error fill();
  void give(Slot &slot, Task task);
  void wait();
  void readLines(Slot &slot);
  void noteLine(Slot &slot, const Line &line);
  void bury(Slot &slot);
  void stop(int signal);
  bool isIdle() const;
  bool isAnyAlive() const;

  PoolClient &client;
  LineFiles &files;
  std::string folder, runName;
  unsigned grace;
  int numStarted = 0;
  bool isStopping = false;
  std::vector<Slot> slots;
};

} // namespace chi::sweep
#endif // CHI_SWEEP_WORKERS_POOL_H

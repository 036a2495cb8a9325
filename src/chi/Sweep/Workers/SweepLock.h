//===- SweepLock.h - One controlling process for each folder ----*- C++ -*-===//
#ifndef CHI_SWEEP_WORKERS_SWEEPLOCK_H
#define CHI_SWEEP_WORKERS_SWEEPLOCK_H

#include "chi/Launch/Descriptor.h"
#include "llvm/Support/Error.h"
#include <string>

namespace chi::sweep {

/// Holds `OUT/sweep.lock` until it is destroyed or the process ends.
class SweepLock {
public:
  /// Fails at once, naming the process and its host, if another process holds
  /// the lock.
  static llvm::Expected<SweepLock> take(const std::string &folder);
  /// "process 12 on host", if a process holds the lock; else "".
  static std::string holder(const std::string &folder);
  /// In a child that does not hold it: closes its copy.
  void drop() { (void)file.close(); }

private:
  explicit SweepLock(launch::Descriptor file) : file(std::move(file)) {}
  launch::Descriptor file;
};

} // namespace chi::sweep
#endif // CHI_SWEEP_WORKERS_SWEEPLOCK_H

//===- Commit.h - A checkpoint on its way to the disk -----------*- C++ -*-===//
#ifndef CHIRT_CHECKPOINT_COMMIT_H
#define CHIRT_CHECKPOINT_COMMIT_H

#include "chirt/io/Npz.h"

namespace chirt {

/// A checkpoint that is to be written.
struct CommitPlan {
  const char *path;
  int64_t bytes; ///< of its fields
  double begin;  ///< time of chirt_time_now
  /// Writes the members. False after an error, which the writer keeps.
  bool (*write)(NpzWriter &file);
  void (*giveBack)(); ///< called by awaitCommit
};

/// Writes a file, brings it to the disk and gives it its name, on a thread of
/// its own, or here if there can be none or `isHere`. The file that has the
/// name gets the name FILE.previous. No other checkpoint may be on its way.
void startCommit(const CommitPlan &plan, bool isHere);
/// Whether a checkpoint is on its way, and has arrived or failed.
bool isCommitEnded();
/// Waits for the one that is on its way, and reports it. Returns true if there
/// is none or if it is written; false after a failure, which is recorded.
bool awaitCommit();

} // namespace chirt
#endif // CHIRT_CHECKPOINT_COMMIT_H

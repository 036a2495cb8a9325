//===- Plan.h - When checkpoints are taken ----------------------*- C++ -*-===//
#ifndef CHIRT_CHECKPOINT_PLAN_H
#define CHIRT_CHECKPOINT_PLAN_H

#include "chirt/chirt.h"
#include "chirt/text/Text.h"

namespace chirt {

/// What the flags of this run say, and what its signals have asked for.
struct CheckpointPlan {
  const chirt_program *program = nullptr;
  Text path;           ///< of the file; empty: none is written
  Text resume;         ///< the file to go on from; empty: none
  Text mayChange;      ///< names of params, separated by commas
  double interval = 0; ///< seconds; 0: only when a signal asks
  double nextTime = 0; ///< of the clock, when the interval has passed
  bool anyProgram = false;
  Text identity;     ///< of the program, as the compiler names it
  int32_t loops = 0; ///< that have heads

  /// Whether checkpoints are written or read.
  bool isActive() const { return !path.empty() || !resume.empty(); }
};
/// The plan of the running program.
CheckpointPlan &checkpointPlan();

/// Why the run has to end after the checkpoint that is written now: "SIGTERM",
/// "SIGINT", "time limit". Null: it goes on.
const char *endsAtCheckpoint();
/// Waits for the checkpoint that is on its way to the disk, if there is one,
/// and reports it, or that it could not be written.
void finishCheckpoint();
/// A checkpoint was written: the interval begins again.
void restartInterval();

} // namespace chirt
#endif // CHIRT_CHECKPOINT_PLAN_H

//===- Checkpoint.h - The state of a run in a file --------------*- C++ -*-===//
// The compiler makes the code that gives the values (chi-checkpoints); this
// room decides when a checkpoint is due, writes the file, and reads it. The
// file is an .npz: a member for each field and array, and `state.json` for the
// rest (docs/checkpoints.md).
#ifndef CHIRT_CHECKPOINT_CHECKPOINT_H
#define CHIRT_CHECKPOINT_CHECKPOINT_H

#include "chirt/chirt.h"

namespace chirt {

/// The script of a program runs next, with what chirt_plan_checkpoints said.
/// The handlers of signals that end a process are set (installSignalHandlers).
void beginCheckpoints(const chirt_program *program);
/// It has ended: signals do what they do without checkpoints.
void endCheckpoints();

} // namespace chirt
#endif // CHIRT_CHECKPOINT_CHECKPOINT_H

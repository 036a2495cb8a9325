//===- Snapshot.h - The process as it was at a tape's entry -----*- C++ -*-===//
// A snapshot is a copy of the process (fork) that waits for questions. For each
// it makes a copy of itself, a *probe*, which goes on with the program from
// there and ends when it has the answer. So a stretch of a program runs again
// from what it found, its host variables and random numbers too, as often as
// one likes.
//
// A copy has the calling thread only: the pool must have no others.
#ifndef CHIRT_GRADCHECK_SNAPSHOT_H
#define CHIRT_GRADCHECK_SNAPSHOT_H

#include "chirt/chirt.h"
#include "chirt/text/Text.h"

namespace chirt {

/// What a probe is asked for.
enum class Probing {
  Loss,     ///< the loss after a step
  Tangent,  ///< its derivative in the direction, by forward mode
  Gradient, ///< the weighted sum of the gradients after a step
  Curvature ///< its derivative in the direction, by forward mode over the tape
};

/// What is to be different in a probe: one scalar of a field, or all of them in
/// a direction, by a step, or in the direction by forward mode.
struct Question {
  chirt_field *field; ///< null: nothing
  int64_t number;     ///< of the field, which no other one gets
  int64_t scalar;     ///< where the scalar is stored; -1: all of them
  double step;
  uint32_t seconds; ///< after which there is no answer
  Probing probing = Probing::Loss;
};

struct Answer;

struct Snapshot {
  int32_t keeper = -1; ///< the process; -1: none
  int32_t socket = -1;
  Answer *shared = nullptr;
};

/// Returns true in the program; then `snapshot` takes questions, if its keeper
/// is not -1. Returns false in a probe, with its question.
bool takeSnapshot(Snapshot &snapshot, Question &question);
/// False if the probe ended without an answer; `why`, if not null, gets the
/// first line of its failure then.
bool ask(Snapshot &snapshot, const Question &question, double &value,
         Text *why = nullptr);
/// Ends the keeper of a snapshot, if there is one, and waits for it.
void dropSnapshot(Snapshot &snapshot);

/// Whether this process is a probe: what it does must not be seen.
bool isProbe();
/// Ends a probe.
[[noreturn]] void answer(double value);
/// Ends a probe without an answer; `why` may be empty.
[[noreturn]] void giveUp(std::string_view why = {});

} // namespace chirt
#endif // CHIRT_GRADCHECK_SNAPSHOT_H

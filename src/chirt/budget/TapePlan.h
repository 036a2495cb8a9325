//===- TapePlan.h - What a tape would take ----------------------*- C++ -*-===//
#ifndef CHIRT_BUDGET_TAPEPLAN_H
#define CHIRT_BUDGET_TAPEPLAN_H

#include "chirt/host.h"
#include "chirt/text/Text.h"

namespace chirt {

/// `chic plan`: what is found out of a tape that runs forward and saves
/// nothing. Its budget decides as it would otherwise; behind the tape's end it
/// goes back through the log and runs nothing.
struct TapePlan {
  bool isOn = false;
  bool isTooSmall = false; ///< the budget
  Array<chirt_tape_loop_plan> loops;
  size_t latest = 0;     ///< the loop of the turn before
  int64_t replays = 0;   ///< turns that run again
  int64_t snapshots = 0; ///< the most at a time behind the tape's end
  int64_t spilled = 0;   ///< bytes of the file
  int64_t bytes = 0;     ///< the most that it takes

  /// A loop begins, or one of its turns does.
  void noteLoop(const chirt_site *site) { ++loops[find(site)].times; }
  void noteTurn(const chirt_site *site) { ++loops[find(site)].turns; }

private:
  size_t find(const chirt_site *site);
};

} // namespace chirt
#endif // CHIRT_BUDGET_TAPEPLAN_H

//===- Observer.h - Who observes tapes --------------------------*- C++ -*-===//
// Tapes say what they do; they do not know who listens (gradcheck does).
//===----------------------------------------------------------------------===//
#ifndef CHIRT_TAPE_OBSERVER_H
#define CHIRT_TAPE_OBSERVER_H

#include "chirt/chirt.h"

namespace chirt {

class Tape;

/// Observes the tapes of the process. No function is null.
struct TapeObserver {
  /// Behind the last thing that a tape does at its beginning.
  void (*begin)(Tape &tape, const chirt_site *site);
  /// Before a tape is run backward.
  void (*end)(const Tape &tape);
  /// Behind a tape, of which only the address is left.
  void (*gradients)(const Tape *tape);

  // The steps of a call of a kernel with `k.grad()`.
  /// Behind the beginning of its record.
  void (*beginCall)(Tape &record);
  /// At its end.
  void (*endCall)(const Tape &record);
  /// Before the record is run backward, and behind that.
  void (*beginGrad)(const Tape &record, const chirt_site *site);
  void (*endGrad)(const char *kernel);
};

/// The process's; null if it has none.
extern const TapeObserver *tapeObserver;
/// From now on `observer` observes the tapes of the process; null: no more.
/// Only while there are none.
inline void observeTapes(const TapeObserver *observer) {
  tapeObserver = observer;
}

/// Calls one of the observer's functions, if there is an observer.
template <typename... Takes, typename... Given>
void noteTape(void (*TapeObserver::*step)(Takes...), Given &&...given) {
  if (tapeObserver) [[unlikely]]
    (tapeObserver->*step)(given...);
}

} // namespace chirt
#endif // CHIRT_TAPE_OBSERVER_H

//===- GradCheck.h - Gradients against differences --------------*- C++ -*-===//
// `chic gradcheck`: while a program runs, the gradient that a tape gave for
// each marked field is compared with central differences, for which the tape's
// body runs again from a snapshot of its beginning. All of it does nothing
// unless settings().gradCheck is set.
#ifndef CHIRT_GRADCHECK_GRADCHECK_H
#define CHIRT_GRADCHECK_GRADCHECK_H

#include "chirt/chirt.h"
#include "chirt/support/Settings.h"

namespace chirt {

class Tape;

// The fields of the process.
void noteMadeIn(chirt_field *field);
void noteGoneIn(chirt_field *field);
inline void noteMade(chirt_field *field) {
  if (settings().gradCheck) [[unlikely]]
    noteMadeIn(field);
}
inline void noteGone(chirt_field *field) {
  if (settings().gradCheck) [[unlikely]]
    noteGoneIn(field);
}

// The steps of a tape.
void checkBeginIn(Tape &tape, const chirt_site *site);
void checkEndIn(const Tape &tape);
void checkGradientsIn(const Tape *tape);
/// Behind the last thing that a tape does at its beginning. A probe goes on
/// from here.
inline void checkBegin(Tape &tape, const chirt_site *site) {
  if (settings().gradCheck) [[unlikely]]
    checkBeginIn(tape, site);
}
/// Before a tape is run backward. A probe of it ends here.
inline void checkEnd(const Tape &tape) {
  if (settings().gradCheck) [[unlikely]]
    checkEndIn(tape);
}
/// Behind a tape, of which only the address is left.
inline void checkGradients(const Tape *tape) {
  if (settings().gradCheck) [[unlikely]]
    checkGradientsIn(tape);
}

// The steps of a call of a kernel with `k.grad()`.
void checkCallIn(Tape &record);
void checkCallEndIn(const Tape &record);
void checkCallGradIn(const Tape &record, const chirt_site *site);
void checkCallGradientsIn(const char *kernel);
/// Behind the beginning of its record. A probe goes on from here.
inline void checkCall(Tape &record) {
  if (settings().gradCheck) [[unlikely]]
    checkCallIn(record);
}
/// At its end. A probe of it ends here.
inline void checkCallEnd(const Tape &record) {
  if (settings().gradCheck) [[unlikely]]
    checkCallEndIn(record);
}
/// Before the record is run backward.
inline void checkCallGrad(const Tape &record, const chirt_site *site) {
  if (settings().gradCheck) [[unlikely]]
    checkCallGradIn(record, site);
}
/// Behind that.
inline void checkCallGradients(const char *kernel) {
  if (settings().gradCheck) [[unlikely]]
    checkCallGradientsIn(kernel);
}

/// Begins a run whose gradients are checked.
void beginGradCheck(const chirt_gradcheck *options);
/// Its end: prints what came of it. Returns the exit status, `status` being
/// that of the program; does not return in a probe.
int32_t endGradCheck(int32_t status);

} // namespace chirt
#endif // CHIRT_GRADCHECK_GRADCHECK_H

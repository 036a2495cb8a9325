//===- GradCheck.h - Gradients against differences --------------*- C++ -*-===//
// `chic gradcheck`: while a program runs, the gradient that a tape gave for
// each marked field is compared with central differences, for which the tape's
// body runs again from a snapshot of its beginning. What the run time does
// comes here by observers of fields and tapes, which are subscribed for the run
// only.
#ifndef CHIRT_GRADCHECK_GRADCHECK_H
#define CHIRT_GRADCHECK_GRADCHECK_H

#include "chirt/host.h"

namespace chirt {

/// Begins a run whose gradients are checked; null: they are not.
void beginGradCheck(const chirt_gradcheck *options);
/// Its end: prints what came of it. Returns the exit status, `status` being
/// that of the program; does not return in a probe.
int32_t endGradCheck(int32_t status);

} // namespace chirt
#endif // CHIRT_GRADCHECK_GRADCHECK_H

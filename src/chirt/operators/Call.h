//===- Call.h - What calls of operators share -------------------*- C++ -*-===//
#ifndef CHIRT_OPERATORS_CALL_H
#define CHIRT_OPERATORS_CALL_H

#include "chirt/operators/Arguments.h"
#include "chirt/operators/Results.h"

namespace chirt {

/// chirt_guard, but a failure is not printed, and what the program printed is
/// written. Fields that a failed call made are released.
int32_t guardSilently(void (*body)(void *), void *context, const bool &isDone);
/// Refuses the call with the message of its failure, without the end of the
/// last line.
void takeFailure(Refusal &refusal, int32_t status);

} // namespace chirt
#endif // CHIRT_OPERATORS_CALL_H

//===- Record.h - What tapes hear of ----------------------------*- C++ -*-===//
// Whoever changes a field tells it here before it does: launches, the run
// time's functions on fields, host code.
#ifndef CHIRT_TAPE_RECORD_H
#define CHIRT_TAPE_RECORD_H

#include "chirt/chirt.h"
#include <cstddef>

namespace chirt {

class Text;
struct TapeStack;
/// The calling thread's tapes; null if it never had one.
[[gnu::tls_model(
    "initial-exec")]] extern thread_local constinit TapeStack *threadTapes;
/// A task and what it takes.
struct Launching {
  const chirt_task *task;
  const int64_t *words;
};
Launching recordLaunchIn(TapeStack &tapes, const Launching &launching,
                         const chirt_domain *domain);
void recordFillIn(TapeStack &tapes, chirt_field *field);
void recordCopyIn(TapeStack &tapes, chirt_field *to, const chirt_field *from);
/// See chirt_tape_host_store.
void recordHostStore(chirt_field *field, bool isAdded, int64_t component,
                     const int64_t *indices);

/// A task is about to run. Results in what is to run instead: the task, or its
/// recorder. Raises if it cannot be recorded.
inline Launching recordLaunch(const Launching &launching,
                              const chirt_domain *domain) {
  if (threadTapes) [[unlikely]]
    return recordLaunchIn(*threadTapes, launching, domain);
  return launching;
}
/// All of a field is about to get a value.
inline void recordFill(chirt_field *field) {
  if (threadTapes) [[unlikely]]
    recordFillIn(*threadTapes, field);
}
/// All of a field is about to become what another one is.
inline void recordCopy(chirt_field *to, const chirt_field *from) {
  if (threadTapes) [[unlikely]]
    recordCopyIn(*threadTapes, to, from);
}

/// The adjoint that `.grad` of a field stands for in an adjoint that the
/// program gives; `isElse` is set where none runs.
chirt_field *adjointInCall(const chirt_site *site, chirt_field *field,
                           bool &isElse);

/// Memory is short for `field`, or (null) for one that could not be made.
/// Appends what the tapes of the thread have it for, "the adjoint of `x`, ";
/// results in the place of the loop that is recorded or goes back, or null.
const chirt_site *describeShort(Text &out, const chirt_field *field);
/// "; the tape holds 12 MiB: …", where one is open.
void appendTapeBytes(Text &out);

/// Prints what chirt_tape_statistics counted to standard error.
void printTapeStatistics();
/// How many tapes and records of kernels there are in the process: each of them
/// counts in chirt_recording.
int32_t numLivingTapes();
/// How many tapes of the calling thread are open.
size_t numTapes();
/// Is one of them watched for races (chirt_gradcheck)?
bool areRacesLookedFor();
/// Drops the last ones down to `count`, without a gradient.
void dropTapes(size_t count);

} // namespace chirt
#endif // CHIRT_TAPE_RECORD_H

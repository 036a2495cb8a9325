//===- Record.h - The tapes of a thread, as others see them -----*- C++ -*-===//
// What a tape records comes by the thread's observer of changes
// (field/Changes.h), which a thread has from its first tape on.
#ifndef CHIRT_TAPE_RECORD_H
#define CHIRT_TAPE_RECORD_H

#include "chirt/chirt.h"
#include <cstddef>

namespace chirt {

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
/// Drops the thread's records of kernels.
void dropRecords();
/// Drops the thread's records of kernels that have one of the fields from
/// `begin` to `end`: these handles are gone.
void dropRecordsOf(const chirt_field *begin, const chirt_field *end);

} // namespace chirt
#endif // CHIRT_TAPE_RECORD_H

//===- Memory.h - Zeroed memory of fields -----------------------*- C++ -*-===//
#ifndef CHIRT_SUPPORT_MEMORY_H
#define CHIRT_SUPPORT_MEMORY_H

#include <cstddef>
#include <cstdint>

namespace chirt {

/// Zeroed memory, 64-byte aligned; null if there is not enough.
void *allocateZeroed(size_t bytes);
/// The same, not cleared: what it holds is unspecified.
void *allocateUncleared(size_t bytes);
/// Gives back memory of the two functions above; null is fine.
void releaseMemory(void *memory);
/// Bytes that the machine, or the group of processes it is confined to, has
/// left for us.
uint64_t freeMemory();
/// Whether there is memory for `bytes` more bytes. A mapping succeeds however
/// little is left, and the process would be killed later, silently. Small
/// requests are added up and checked together.
bool fitsInMemory(int64_t bytes);

} // namespace chirt
#endif // CHIRT_SUPPORT_MEMORY_H

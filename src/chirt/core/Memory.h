//===- Memory.h - Zeroed memory of fields -----------------------*- C++ -*-===//
#ifndef CHIRT_CORE_MEMORY_H
#define CHIRT_CORE_MEMORY_H

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

} // namespace chirt
#endif // CHIRT_CORE_MEMORY_H

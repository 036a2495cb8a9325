//===- Transfers.h - Between host and device --------------------*- C++ -*-===//
// All of them happen in the order of the queue. Addresses lie in chunks that
// are in use. Of a device that was lost nothing is transferred.
#ifndef CHIRT_VULKAN_TRANSFERS_H
#define CHIRT_VULKAN_TRANSFERS_H

#include <cstdint>

namespace chirt {

/// The host's memory may change once it returned.
void transferIn(uint64_t to, const void *from, int64_t bytes);
/// The memory holds the bytes once it returned.
void transferOut(void *to, uint64_t from, int64_t bytes);
/// Of two chunks.
void transferWithin(uint64_t to, uint64_t from, int64_t bytes);
/// Bytes are a multiple of 4.
void fillWords(uint64_t to, uint32_t word, int64_t bytes);

} // namespace chirt
#endif // CHIRT_VULKAN_TRANSFERS_H

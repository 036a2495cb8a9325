//===- Transfers.cpp - Between host and device ----------------------------===//
// Where the host sees the device's memory it copies by itself what nobody uses.
// Else bytes go through the arena of a batch.
#include "chirt/vulkan/Transfers.h"

#include "chirt/vulkan/Queue.h"
#include <algorithm>
#include <cstring>

namespace chirt {

namespace {
/// Where an address is in its chunk's buffer.
int64_t offsetOf(const Chunk *chunk, uint64_t address) {
  return int64_t(address - chunk->block.address);
}

void order(const ChunkUse &use) {
  if (meetsPending(use))
    orderAll();
  noteUse(use);
}

void recordCopy(VkBuffer from, int64_t fromAt, VkBuffer to, int64_t toAt,
                int64_t bytes) {
  VkBufferCopy region = {uint64_t(fromAt), uint64_t(toAt), uint64_t(bytes)};
  vulkan.vkCmdCopyBuffer(openCommands(), from, to, 1, &region);
  ++vulkan.counts.copies;
}
} // namespace

void transferIn(uint64_t to, const void *from, int64_t bytes) {
  Chunk *chunk = findChunk(to);
  auto *source = static_cast<const char *>(from);
  vulkan.counts.bytesIn += bytes;
  bool isSeen = chunk->mapped() != nullptr;
  // A wait costs more than a second copy of a few bytes.
  if (isSeen && (isBatchOver(chunk->lastUse) || bytes > kArenaBytes / 4)) {
    waitForBatch(chunk->lastUse);
    memcpy(chunk->block.mapped + offsetOf(chunk, to), source, size_t(bytes));
    return;
  }
  for (int64_t done = 0; done < bytes;) {
    int64_t part = std::min(bytes - done, kArenaBytes / 4);
    if (!openBatch(part))
      return;
    ArenaChunk arena = takeArena(part);
    memcpy(arena.mapped, source + done, size_t(part));
    order({chunk, true});
    recordCopy(openArena(), arena.at, chunk->block.buffer,
               offsetOf(chunk, to) + done, part);
    done += part;
  }
}

void transferOut(void *to, uint64_t from, int64_t bytes) {
  Chunk *chunk = findChunk(from);
  auto *target = static_cast<char *>(to);
  vulkan.counts.bytesOut += bytes;
  if (chunk->mapped()) {
    waitForBatch(chunk->lastWrite);
    memcpy(target, chunk->block.mapped + offsetOf(chunk, from), size_t(bytes));
    return;
  }
  for (int64_t done = 0; done < bytes;) {
    int64_t part = std::min(bytes - done, kArenaBytes / 4);
    if (!openBatch(part))
      return;
    ArenaChunk arena = takeArena(part);
    order({chunk, false});
    recordCopy(chunk->block.buffer, offsetOf(chunk, from) + done, openArena(),
               arena.at, part);
    waitForBatch(openNumber());
    if (vulkan.lost)
      return;
    memcpy(target + done, arena.mapped, size_t(part));
    done += part;
  }
}

void transferWithin(uint64_t to, uint64_t from, int64_t bytes) {
  if (!openBatch(0))
    return;
  Chunk *source = findChunk(from), *target = findChunk(to);
  if (meetsPending({source, false}) || meetsPending({target, true}))
    orderAll();
  noteUse({source, false});
  noteUse({target, true});
  recordCopy(source->block.buffer, offsetOf(source, from), target->block.buffer,
             offsetOf(target, to), bytes);
}

void fillWords(uint64_t to, uint32_t word, int64_t bytes) {
  if (!openBatch(0))
    return;
  Chunk *chunk = findChunk(to);
  order({chunk, true});
  vulkan.vkCmdFillBuffer(openCommands(), chunk->block.buffer,
                         uint64_t(offsetOf(chunk, to)), uint64_t(bytes), word);
}

} // namespace chirt

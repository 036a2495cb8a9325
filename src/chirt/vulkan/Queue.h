//===- Queue.h - Launches and transfers in the order of the calls -*- C++
//-*-===//
// Commands gather in the open batch, one command buffer, and are submitted when
// it is full or somebody waits. A few batches take iterations. What a batch
// needs of the host's memory while it waits, parameters and bytes on their way,
// lies in its arena. Callers hold the lock of the device (Device.cpp).
#ifndef CHIRT_VULKAN_QUEUE_H
#define CHIRT_VULKAN_QUEUE_H

#include "chirt/device_code.h"
#include "chirt/text/Text.h"
#include "chirt/vulkan/Memory.h"

namespace chirt {

constexpr int64_t kArenaBytes = int64_t(4) << 20;
constexpr int64_t kRecordBytes = CHIRT_MAX_RECORDS * sizeof(chirt_record);

/// A part of a batch's arena.
struct ArenaChunk {
  char *mapped;
  uint64_t address;
  int64_t at; ///< in the arena's buffer
};

/// Failures of one launch: an i32 counts them, one behind it is set if the
/// driver has ended a loop of it; the records lie elsewhere.
struct FailureSlot {
  uint64_t count = 0, records = 0; ///< their addresses
};

/// The open batch has room for so many bytes of an arena, and for one more
/// launch. False if the device was lost; another batch may have been waited
/// for, whose failures are recorded then.
bool openBatch(int64_t arenaBytes);
/// The command buffer of the open batch.
VkCommandBuffer openCommands();
/// The number of the open batch; numbers grow.
uint64_t openNumber();
/// The buffer of the open batch's arena.
VkBuffer openArena();
/// Takes `bytes` of that arena; openBatch has made room for them.
ArenaChunk takeArena(int64_t bytes);
/// For a launch of `task`, for which the batch keeps what failure messages
/// need.
FailureSlot takeSlot(const chirt_task *task, const chirt_domain *domain);

/// What the next command does with a chunk: reads it, or writes it too. Before
/// one that meets another of which nothing says yet that it came first, all are
/// put in order; then all its uses are noted.
struct ChunkUse {
  Chunk *chunk;
  bool isWritten;
};
/// Whether a use conflicts with one since the last barrier.
bool meetsPending(const ChunkUse &use);
/// Records a barrier.
void orderAll();
/// Notes a use, which the next barrier orders.
void noteUse(const ChunkUse &use);

/// Whether the batch of that number has finished on the device.
bool isBatchOver(uint64_t number);
/// A launch of a batch that was waited for has failed, and others run still.
bool hasQueueFailed();
/// A loop was ended of a launch that was waited for: of that one no failures
/// are recorded.
bool hasQueueEnded();
/// That; it is settled then.
bool takeQueueEnded();
/// Waits for a batch and all before it. Records what failed there.
void waitForBatch(uint64_t number);
/// Waits for all.
void finishQueue();

} // namespace chirt
#endif // CHIRT_VULKAN_QUEUE_H

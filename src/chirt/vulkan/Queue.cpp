//===- Queue.cpp - Batches of commands ------------------------------------===//
#include "chirt/vulkan/Queue.h"

#include "chirt/device/Kernels.h"
#include "chirt/failure/Failure.h"
#include <cstring>

namespace chirt {

namespace {
constexpr int kBatches = 4;
/// Launches of a batch: enough that submitting it costs each little, few enough
/// that the device has work while the next batch is gathered.
constexpr int kMaxLaunches = 64;

/// What is reported for a launch if it failed.
struct Launched {
  const chirt_task *task;
  int64_t begin, step; ///< of the source's range
};

struct Batch {
  VkCommandBuffer commands = VK_NULL_HANDLE;
  VkFence fence = VK_NULL_HANDLE;
  Block arena, failures;
  int64_t arenaUsed = 0;
  Launched launches[kMaxLaunches] = {};
  int numLaunches = 0, numCommands = 0; ///< launches and others
  uint64_t number = 0;
};

/// Batch n is `batches[n % kBatches]`. All up to `done` are over, all up to
/// `submitted` the driver has; the one behind is open, or will be.
struct Queue {
  Batch batches[kBatches];
  uint64_t done = 0, submitted = 0;
  bool isOpen = false;
  uint64_t barriers = 1;  ///< made so far; chunks know the latest before a use
  bool hasFailed = false; ///< a launch of a batch that was waited for
  bool hasEnded = false;  ///< and of one loops were
};
constinit Queue queue;

Batch &batchOf(uint64_t number) { return queue.batches[number % kBatches]; }
Batch &openOne() { return batchOf(queue.submitted + 1); }

/// The counts of failures come first.
constexpr int64_t kCountBytes = 64 * kMaxLaunches;

bool makeBatch(Batch &batch) {
  VkCommandBufferAllocateInfo buffer = structOf<VkCommandBufferAllocateInfo>(
      VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
  buffer.commandPool = vulkan.commandPool;
  buffer.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  buffer.commandBufferCount = 1;
  VkFenceCreateInfo fence =
      structOf<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
  if (vulkan.vkAllocateCommandBuffers(vulkan.device, &buffer,
                                      &batch.commands) != VK_SUCCESS ||
      vulkan.vkCreateFence(vulkan.device, &fence, nullptr, &batch.fence) !=
          VK_SUCCESS)
    return false;
  batch.arena = makeBlock(kArenaBytes, BlockUse::Transfers);
  batch.failures =
      makeBlock(kCountBytes + kMaxLaunches * kRecordBytes, BlockUse::Transfers);
  if (!batch.arena.address || !batch.failures.address)
    return false;
  memset(batch.failures.mapped, 0, size_t(kCountBytes));
  return true;
}

/// Remembers why the device is of no use any more, and where that was seen.
void lose(VkResult result, const Batch *batch) {
  if (vulkan.lost)
    return;
  vulkan.lost = result;
  vulkan.lostTask =
      batch && batch->numLaunches ? batch->launches[0].task : nullptr;
  queue.done = queue.submitted;
}

/// All memory that commands before it wrote is there for those behind it, and
/// for the host once the batch is over.
void barrier(VkPipelineStageFlags to, VkAccessFlags access) {
  VkMemoryBarrier all =
      structOf<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
  all.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  all.dstAccessMask = access;
  vulkan.vkCmdPipelineBarrier(openOne().commands,
                              VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                  VK_PIPELINE_STAGE_TRANSFER_BIT,
                              to, 0, 1, &all, 0, nullptr, 0, nullptr);
  ++queue.barriers;
}

} // namespace

void orderAll() {
  barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
          VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
              VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
}

namespace {
void submit() {
  if (!queue.isOpen)
    return;
  Batch &batch = openOne();
  barrier(VK_PIPELINE_STAGE_HOST_BIT,
          VK_ACCESS_HOST_READ_BIT | VK_ACCESS_HOST_WRITE_BIT);
  vulkan.vkEndCommandBuffer(batch.commands);
  VkSubmitInfo info = structOf<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
  info.commandBufferCount = 1;
  info.pCommandBuffers = &batch.commands;
  VkResult result = vulkan.vkQueueSubmit(vulkan.queue, 1, &info, batch.fence);
  queue.isOpen = false;
  ++queue.submitted;
  ++vulkan.counts.submissions;
  if (result != VK_SUCCESS)
    lose(result, &batch);
}

/// Passes on the failures of the first launch of a batch that failed.
void takeFailures(Batch &batch) {
  for (int k = 0; k < batch.numLaunches; ++k) {
    char *counted = batch.failures.mapped + 64 * k;
    int32_t left[2];
    memcpy(left, counted, sizeof(left));
    const auto [count, isEnded] = left;
    if (!count && !isEnded)
      continue;
    memset(counted, 0, CHIRT_FAILURE_BYTES);
    queue.hasEnded |= isEnded != 0;
    if (queue.hasFailed || queue.hasEnded)
      continue; // it went on from what a failed launch left
    queue.hasFailed = true;
    const Launched &launched = batch.launches[k];
    auto *code = codesOf(launched.task).vulkan;
    if (launched.step != 0)
      chirt_loop_values(launched.begin, launched.step);
    const char *records =
        batch.failures.mapped + kCountBytes + kRecordBytes * k;
    for (int32_t r = 0; r < count && r < CHIRT_MAX_RECORDS; ++r) {
      chirt_record record;
      memcpy(&record, records + size_t(r) * sizeof(record), sizeof(record));
      keepRecord(code->unit, record, "");
    }
    if (count > CHIRT_MAX_RECORDS)
      noteMoreFailures();
  }
}

/// Waits for the oldest batch that is not over yet.
void waitForOldest() {
  Batch &batch = batchOf(queue.done + 1);
  // A driver that gave up the device may never say so to who waits for ever.
  constexpr uint64_t second = 1'000'000'000;
  VkResult result = VK_TIMEOUT;
  while (result == VK_TIMEOUT)
    result =
        vulkan.vkWaitForFences(vulkan.device, 1, &batch.fence, VK_TRUE, second);
  if (result == VK_SUCCESS && vulkan.testing.losesDevice)
    result = VK_ERROR_DEVICE_LOST;
  if (result == VK_SUCCESS)
    result = vulkan.vkResetFences(vulkan.device, 1, &batch.fence);
  if (result != VK_SUCCESS)
    return lose(result, &batch);
  takeFailures(batch);
  ++queue.done;
}

bool beginBatch(Batch &batch) {
  if (!batch.commands && !makeBatch(batch)) {
    lose(VK_ERROR_OUT_OF_HOST_MEMORY, nullptr);
    return false;
  }
  VkCommandBufferBeginInfo begin = structOf<VkCommandBufferBeginInfo>(
      VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  vulkan.vkBeginCommandBuffer(batch.commands, &begin);
  batch.arenaUsed = 0;
  batch.numLaunches = 0;
  batch.numCommands = 1;
  queue.isOpen = true;
  // Of what the batches before it wrote: their last barrier was the host's.
  orderAll();
  return true;
}
} // namespace

bool openBatch(int64_t arenaBytes) {
  if (queue.isOpen) {
    Batch &batch = openOne();
    if (batch.numLaunches < kMaxLaunches &&
        batch.numCommands++ < 8 * kMaxLaunches &&
        batch.arenaUsed + arenaBytes <= kArenaBytes)
      return true;
    submit();
  }
  while (!vulkan.lost && queue.submitted - queue.done >= kBatches)
    waitForOldest();
  return !vulkan.lost && beginBatch(openOne());
}

VkCommandBuffer openCommands() { return openOne().commands; }
uint64_t openNumber() { return queue.submitted + 1; }
VkBuffer openArena() { return openOne().arena.buffer; }

ArenaChunk takeArena(int64_t bytes) {
  Batch &batch = openOne();
  int64_t at = batch.arenaUsed;
  batch.arenaUsed += (bytes + 15) & ~int64_t(15);
  return {batch.arena.mapped + at, batch.arena.address + uint64_t(at), at};
}

FailureSlot takeSlot(const chirt_task *task, const chirt_domain *domain) {
  Batch &batch = openOne();
  int number = batch.numLaunches++;
  batch.launches[number] = {task, domain->begin, domain->step};
  uint64_t base = batch.failures.address;
  return {base + uint64_t(64 * number),
          base + uint64_t(kCountBytes + kRecordBytes * number)};
}

bool meetsPending(const ChunkUse &use) {
  return use.chunk->writtenAfter == queue.barriers ||
         (use.isWritten && use.chunk->readAfter == queue.barriers);
}

void noteUse(const ChunkUse &use) {
  Chunk &chunk = *use.chunk;
  chunk.lastUse = openNumber();
  chunk.readAfter = queue.barriers;
  if (!use.isWritten)
    return;
  chunk.lastWrite = openNumber();
  chunk.writtenAfter = queue.barriers;
}

bool isBatchOver(uint64_t number) { return number <= queue.done; }

bool hasQueueFailed() { return queue.hasFailed; }

bool hasQueueEnded() { return queue.hasEnded; }

bool takeQueueEnded() {
  bool hasEnded = queue.hasEnded;
  queue.hasEnded = false;
  return hasEnded;
}

void waitForBatch(uint64_t number) {
  if (number > queue.submitted)
    submit();
  while (!vulkan.lost && queue.done < number && queue.done < queue.submitted)
    waitForOldest();
  // What ran behind a failure tells nothing.
  while (!vulkan.lost && queue.hasFailed && queue.done < queue.submitted)
    waitForOldest();
  if (queue.hasFailed && queue.isOpen) {
    submit();
    while (!vulkan.lost && queue.done < queue.submitted)
      waitForOldest();
  }
  queue.hasFailed &= queue.isOpen || queue.done < queue.submitted;
}

void finishQueue() { waitForBatch(openNumber()); }

} // namespace chirt

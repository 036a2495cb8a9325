//===- Memory.h - Memory of a Vulkan device ---------------------*- C++ -*-===//
// Blocks come from the driver, which gives few and slowly; chunks of them are
// handed out. A freed chunk serves the next of its size at once: what happens
// on the queue happens in order, and what the host does itself waits for the
// latest use.
#ifndef CHIRT_VULKAN_MEMORY_H
#define CHIRT_VULKAN_MEMORY_H

#include "chirt/vulkan/Vulkan.h"

namespace chirt {

/// What the driver gave.
struct Block {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  uint64_t address = 0;   ///< 0: there is not enough
  char *mapped = nullptr; ///< null: the host does not see it
  int64_t bytes = 0;
};
enum class BlockUse {
  Fields,   ///< the device's own memory; the host may see it
  Transfers ///< the host sees it, and reads it fast
};
/// Allocates a buffer of its own; its address is 0 if there is not enough
/// memory.
Block makeBlock(int64_t bytes, BlockUse use);
/// Frees a buffer, which no batch uses any more.
void freeBlock(const Block &block);

/// What a field's copy lies in. Batches are those of Queue.h.
struct Chunk {
  Block block;       ///< which holds it
  int64_t at = 0;    ///< in the block
  int64_t bytes = 0; ///< of its class of sizes
  bool ownsBlock = false;
  uint64_t lastUse = 0;   ///< the latest batch that uses it
  uint64_t lastWrite = 0; ///< the latest that writes it
  // Between two barriers of the queue, which have numbers.
  uint64_t readAfter = 0, writtenAfter = 0;
  Chunk *next = nullptr; ///< of the free ones

  /// The address of its first byte on the device.
  uint64_t address() const { return block.address + uint64_t(at); }
  /// The same for the host; null if the host does not see it.
  char *mapped() const { return block.mapped ? block.mapped + at : nullptr; }
};

/// Null if there is not enough, also after what nobody uses was given back.
Chunk *takeChunk(int64_t bytes);
/// Gives back the chunk that begins there.
void giveChunk(uint64_t address);
/// The chunk that holds an address, or null.
Chunk *findChunk(uint64_t address);

/// Bytes that the device's memory has left, as far as the driver tells.
int64_t memoryLeft();

} // namespace chirt
#endif // CHIRT_VULKAN_MEMORY_H

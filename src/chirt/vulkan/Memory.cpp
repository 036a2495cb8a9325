//===- Memory.cpp - Pieces of blocks --------------------------------------===//
#include "chirt/vulkan/Memory.h"

#include "chirt/text/Text.h"
#include "chirt/vulkan/Queue.h"
#include <bit>
#include <cstdlib>
#include <new>

namespace chirt {

namespace {
constexpr int64_t kAlignment = 256;
/// Smaller chunks lie together in blocks of that size.
constexpr int64_t kSharedBytes = int64_t(4) << 20, kOwnFrom = kSharedBytes / 4;
/// Freed blocks of large chunks are kept up to so many bytes.
constexpr int64_t kKeptBytes = int64_t(256) << 20;
constexpr int kClasses = 256;

struct Chunks {
  Array<Chunk *> used; ///< by their addresses
  Chunk *free[kClasses] = {};
  int64_t keptBytes = 0; ///< of free chunks with blocks of their own
  Block shared;          ///< the block that small chunks are cut from
  int64_t sharedUsed = 0;
};
[[clang::no_destroy]] constinit Chunks chunks;

/// The class of sizes that holds so many bytes, four to each power of two.
int classOf(int64_t bytes) {
  auto units = uint64_t((bytes + kAlignment - 1) / kAlignment);
  if (units <= 4)
    return int(units);
  int log = std::bit_width(units - 1) - 1; // 2^log < units <= 2^(log+1)
  uint64_t step = (uint64_t(1) << log) / 4;
  uint64_t quarter = (units - (uint64_t(1) << log) + step - 1) / step;
  return 4 * (log - 1) + int(quarter);
}

int64_t bytesOfClass(int number) {
  if (number <= 4)
    return number * kAlignment;
  int log = (number - 1) / 4 + 1, quarter = number - 4 * (log - 1);
  return ((int64_t(1) << log) + (int64_t(1) << log) / 4 * quarter) * kAlignment;
}

/// Where an address is, or would be, among the used chunks.
size_t indexOf(uint64_t address) {
  size_t low = 0, high = chunks.used.size();
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (chunks.used[middle]->address() <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void noteUsed(Chunk *chunk) {
  size_t index = indexOf(chunk->address());
  chunks.used.push(chunk);
  for (size_t k = chunks.used.size() - 1; k > index; --k)
    chunks.used[k] = chunks.used[k - 1];
  chunks.used[index] = chunk;
}

Chunk *newChunk(const Block &block, int64_t at, int64_t bytes, bool ownsBlock) {
  void *memory = malloc(sizeof(Chunk));
  if (!memory)
    outOfMemory();
  return new (memory) Chunk{block, at, bytes, ownsBlock};
}

/// Of a block of its own, or cut from the one that small ones share.
Chunk *makeChunk(int64_t bytes) {
  if (bytes >= kOwnFrom) {
    Block block = makeBlock(bytes, BlockUse::Fields);
    if (!block.address)
      return nullptr;
    vulkan.fieldBytes += bytes;
    return newChunk(block, 0, bytes, true);
  }
  if (!chunks.shared.address ||
      chunks.sharedUsed + bytes > chunks.shared.bytes) {
    Block block = makeBlock(kSharedBytes, BlockUse::Fields);
    if (!block.address)
      return nullptr;
    vulkan.fieldBytes += kSharedBytes;
    chunks.shared = block; // what was left of the former is lost
    chunks.sharedUsed = 0;
  }
  Chunk *made = newChunk(chunks.shared, chunks.sharedUsed, bytes, false);
  chunks.sharedUsed += bytes;
  return made;
}

/// One of the free chunks of a class that holds so many bytes, or null.
Chunk *takeFree(int number, int64_t bytes) {
  for (Chunk **link = &chunks.free[number]; *link; link = &(*link)->next)
    if (Chunk *chunk = *link; chunk->bytes >= bytes) {
      *link = chunk->next;
      chunks.keptBytes -= chunk->ownsBlock ? chunk->bytes : 0;
      return chunk;
    }
  return nullptr;
}

/// Frees the blocks of chunks that nobody has.
void giveBackKept() {
  finishQueue();
  for (Chunk *&first : chunks.free)
    while (first && first->ownsBlock) {
      Chunk *chunk = first;
      first = chunk->next;
      freeBlock(chunk->block);
      vulkan.fieldBytes -= chunk->bytes;
      free(chunk);
    }
  chunks.keptBytes = 0;
}
} // namespace

Chunk *takeChunk(int64_t bytes) {
  int number = classOf(bytes);
  // A block of its own is as large as was asked for.
  int64_t size = bytes >= kOwnFrom ? (bytes + kAlignment - 1) & -kAlignment
                                   : bytesOfClass(number);
  Chunk *chunk = takeFree(number, size);
  if (!chunk)
    chunk = makeChunk(size);
  if (!chunk && chunks.keptBytes > 0) {
    giveBackKept();
    chunk = makeChunk(size);
  }
  if (chunk)
    noteUsed(chunk);
  else
    vulkan.lacking = bytes;
  return chunk;
}

void giveChunk(uint64_t address) {
  size_t index = indexOf(address);
  Chunk *chunk = chunks.used[index - 1];
  for (size_t k = index; k < chunks.used.size(); ++k)
    chunks.used[k - 1] = chunks.used[k];
  chunks.used.pop();
  Chunk *&first = chunks.free[classOf(chunk->bytes)];
  chunk->next = first;
  first = chunk;
  if (!chunk->ownsBlock)
    return;
  chunks.keptBytes += chunk->bytes;
  if (chunks.keptBytes > kKeptBytes)
    giveBackKept();
}

Chunk *findChunk(uint64_t address) {
  size_t index = indexOf(address);
  if (!index)
    return nullptr;
  Chunk *chunk = chunks.used[index - 1];
  return address < chunk->address() + uint64_t(chunk->bytes) ? chunk : nullptr;
}

} // namespace chirt

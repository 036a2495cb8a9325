//===- Arena.h - Memory that goes all at once -------------------*- C++ -*-===//
#ifndef CHIRT_SUPPORT_ARENA_H
#define CHIRT_SUPPORT_ARENA_H

#include "chirt/support/Memory.h"
#include "chirt/text/Text.h"
#include <cstdint>

namespace chirt {

/// Many small chunks, one behind the other; large ones by themselves.
class Arena {
public:
  Arena() = default;
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;
  ~Arena() {
    for (char *block : blocks)
      free(block);
    dropLarge();
  }
  /// Exchanges all memory.
  void swap(Arena &other) {
    blocks.swap(other.blocks);
    large.swap(other.large);
    std::swap(next, other.next);
    std::swap(at, other.at);
    std::swap(left, other.left);
    std::swap(largeBytes, other.largeBytes);
  }
  /// All chunks go; some memory stays for those to come.
  void clear() {
    dropLarge();
    while (blocks.size() > kKept) {
      free(blocks.back());
      blocks.pop();
    }
    next = 0, at = nullptr, left = 0;
  }
  /// 16-byte aligned, not cleared; null if there is not enough memory.
  char *tryTake(int64_t bytes) {
    int64_t size = (bytes + 15) & ~int64_t(15);
    if (size > kBlock / 4)
      return add(large, size);
    if (size > left) {
      char *block = next < blocks.size() ? blocks[next] : add(blocks, kBlock);
      if (!block)
        return nullptr;
      at = block, ++next, left = kBlock;
    }
    left -= size;
    return std::exchange(at, at + size);
  }
  /// The same. Lack of memory ends the process.
  char *take(int64_t bytes) {
    char *chunk = tryTake(bytes);
    if (!chunk)
      outOfMemory();
    return chunk;
  }
  /// Bytes that were allocated from the system.
  int64_t numBytes() const {
    return int64_t(blocks.size()) * kBlock + largeBytes;
  }

private:
  void dropLarge() {
    for (char *chunk : large)
      free(chunk);
    large.clear();
    largeBytes = 0;
  }
  char *add(Array<char *> &to, int64_t bytes) {
    auto *made = fitsInMemory(bytes)
                     ? static_cast<char *>(malloc(size_t(bytes)))
                     : nullptr;
    if (!made)
      return nullptr;
    to.push(made);
    largeBytes += &to == &large ? bytes : 0;
    return made;
  }

  static constexpr int64_t kBlock = int64_t(1) << 16;
  static constexpr size_t kKept = 256; ///< blocks
  Array<char *> blocks, large;
  size_t next = 0; ///< number of the block behind the one that is in use
  char *at = nullptr;
  int64_t left = 0;
  int64_t largeBytes = 0;
};

} // namespace chirt
#endif // CHIRT_SUPPORT_ARENA_H

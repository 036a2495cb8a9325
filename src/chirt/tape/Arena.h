//===- Arena.h - Memory that goes all at once -------------------*- C++ -*-===//
#ifndef CHIRT_TAPE_ARENA_H
#define CHIRT_TAPE_ARENA_H

#include "chirt/core/Text.h"
#include <cstdint>

namespace chirt {

/// Many small pieces, one behind the other; large ones by themselves.
class Arena {
public:
  Arena() = default;
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;
  ~Arena() {
    for (char *block : blocks)
      free(block);
  }
  /// 16-byte aligned, not cleared. Lack of memory ends the process.
  char *take(int64_t bytes) {
    int64_t size = (bytes + 15) & ~int64_t(15);
    if (size > left) {
      bool isLarge = size > kBlock / 4;
      auto *made = static_cast<char *>(malloc(size_t(isLarge ? size : kBlock)));
      if (!made)
        outOfMemory();
      blocks.push(made);
      if (isLarge)
        return made;
      at = made, left = kBlock;
    }
    left -= size;
    return std::exchange(at, at + size);
  }

private:
  static constexpr int64_t kBlock = int64_t(1) << 16;
  Array<char *> blocks;
  char *at = nullptr;
  int64_t left = 0;
};

} // namespace chirt
#endif // CHIRT_TAPE_ARENA_H

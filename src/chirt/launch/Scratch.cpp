//===- Scratch.cpp --------------------------------------------------------===//
#include "chirt/launch/Scratch.h"

#include "chirt/chirt.h"
#include "chirt/failure/Failure.h"
#include "chirt/support/ThreadEnd.h"
#include <cstdlib>

namespace chirt {

namespace {
/// A block of the stack; the memory follows the header.
struct alignas(64) Block {
  Block *below;
  size_t capacity;
  char *memory() { return reinterpret_cast<char *>(this + 1); }
};

constexpr size_t leastBlock = size_t(1) << 16;

/// The stack of one thread: `used` bytes of the top block, and one spare block
/// so that a push and pop at the edge does not allocate each time.
struct Stack {
  Block *top = nullptr;
  size_t used = 0;
  Block *spare = nullptr;
  bool endsWithThread = false; ///< its memory goes when the thread ends
};
thread_local constinit Stack stack;

void dropStack(void *) {
  while (Block *block = stack.top) {
    stack.top = block->below;
    free(block);
  }
  free(stack.spare);
  stack = {};
}

Block *newBlock(size_t bytes) {
  if (stack.spare && stack.spare->capacity >= bytes) {
    Block *block = stack.spare;
    stack.spare = nullptr;
    return block;
  }
  size_t capacity = bytes > leastBlock ? bytes : leastBlock;
  void *memory = nullptr;
  if (posix_memalign(&memory, 64, sizeof(Block) + capacity) != 0) {
    failAt(nullptr, WorldFault, "out of memory: a launch needs %zu bytes",
           bytes);
    leave();
  }
  if (!stack.endsWithThread) {
    stack.endsWithThread = true;
    atThreadEnd(dropStack, nullptr);
  }
  Block *block = static_cast<Block *>(memory);
  block->capacity = capacity;
  return block;
}

void dropTop() {
  Block *block = stack.top;
  stack.top = block->below;
  if (stack.spare && stack.spare->capacity >= block->capacity) {
    free(block);
    return;
  }
  free(stack.spare);
  stack.spare = block;
}
} // namespace

ScratchMark scratchMark() { return {stack.top, stack.used}; }

void scratchRelease(ScratchMark mark) {
  while (stack.top && stack.top != mark.block)
    dropTop();
  stack.used = mark.used;
}

} // namespace chirt

using namespace chirt;

void *chirt_scratch_push(int64_t bytes) {
  size_t size = (size_t(bytes < 1 ? 1 : bytes) + 63) & ~size_t(63);
  if (!stack.top || stack.used + size > stack.top->capacity) {
    Block *block = newBlock(size);
    block->below = stack.top;
    stack.top = block;
    stack.used = 0;
  }
  void *memory = stack.top->memory() + stack.used;
  stack.used += size;
  return memory;
}

void *chirt_local_grow(void *memory, int64_t bytes) {
  void *grown = realloc(memory, size_t(bytes));
  // A worker has no guard to leave to.
  if (!grown)
    outOfMemory();
  return grown;
}

void chirt_local_free(void *memory) { free(memory); }

void chirt_scratch_pop(void *memory) {
  char *at = static_cast<char *>(memory);
  while (stack.top && !(at >= stack.top->memory() &&
                        at < stack.top->memory() + stack.top->capacity)) {
    dropTop();
  }
  stack.used = stack.top ? size_t(at - stack.top->memory()) : 0;
}

//===- Memory.cpp - Memory of a CUDA device -------------------------------===//
// The driver's pool where it has one, which frees in the order of the stream.
// Else freed blocks are kept for the next of their size: what was queued before
// still uses them, and only what is queued after may use them again.
#include "chirt/cuda/Cuda.h"

namespace chirt::cu {

namespace {
struct Block {
  Address address;
  int64_t bytes;
};
[[clang::no_destroy]] constinit Array<Block> freed;

Address takeFreed(int64_t bytes) {
  for (size_t k = freed.size(); k-- > 0;)
    if (freed[k].bytes == bytes) {
      Address address = freed[k].address;
      freed.removeAt(k);
      return address;
    }
  return 0;
}

Result allocate(Address &address, int64_t bytes) {
  if (cuda.pool)
    return cuda.allocAsync(&address, size_t(bytes), cuda.stream);
  address = takeFreed(bytes);
  return address ? Result(kSuccess) : cuda.memAlloc(&address, size_t(bytes));
}

/// Gives the driver what no field has any more, once nothing uses it.
void giveBack() {
  if (!waitForQueue())
    return;
  if (cuda.pool)
    cuda.poolTrim(cuda.pool, 0);
  for (const Block &block : freed)
    succeeds(cuda.memFree(block.address));
  freed.clear();
}

/// Atomics of narrow numbers change the word of 4 bytes around them.
int64_t wholeWords(int64_t bytes) { return (bytes + 3) & ~int64_t(3); }
} // namespace

Address allocateOnDevice(int64_t bytes) {
  Address address = 0;
  Result result = allocate(address, wholeWords(bytes));
  if (result == kOutOfMemory) {
    giveBack();
    result = allocate(address, wholeWords(bytes));
  }
  if (result == kOutOfMemory)
    cuda.lacking = bytes;
  else
    succeeds(result);
  return result == kSuccess ? address : 0;
}

void freeOnDevice(Address address, int64_t bytes) {
  if (cuda.pool)
    succeeds(cuda.freeAsync(address, cuda.stream));
  else
    freed.push({address, wholeWords(bytes)});
}

} // namespace chirt::cu

//===- Pool.h - Launches on the worker threads ------------------*- C++ -*-===//
#ifndef CHIRT_CPU_POOL_H
#define CHIRT_CPU_POOL_H

#include "chirt/cpu/Threads.h"

namespace chirt {

/// The launches of this library on the threads of the process.
class Pool {
public:
  constexpr Pool() = default;

  /// Workers, the caller among them.
  int size() {
    int n = sharedThreads().size();
    return n ? n : decideSize();
  }
  /// Runs `chunks` chunks of the iterations, each in `slices` slices.
  void run(chirt_chunk body, void *args, int64_t n, int64_t align, int chunks,
           int slices);
  /// While anyone holds the chunks, no worker takes over a slice of another's:
  /// so that what it adds to its private copy does not depend on chance.
  void holdChunks(int change) {
    chunkHolders.fetch_add(change, std::memory_order_relaxed);
  }

private:
  int decideSize();

  std::atomic<int> chunkHolders{0};
};

/// The pool of this library.
Pool &pool();

/// How many chunks a launch is cut into: 1 if it stays on the caller.
int numChunks(int64_t n, int64_t align, int64_t cost);
/// In how many slices each chunk is run: 1 if the launch is short.
int numSlices(int64_t n, int64_t align, int64_t cost, int chunks);

} // namespace chirt
#endif // CHIRT_CPU_POOL_H

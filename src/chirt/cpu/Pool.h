//===- Pool.h - The worker threads ------------------------------*- C++ -*-===//
#ifndef CHIRT_CPU_POOL_H
#define CHIRT_CPU_POOL_H

#include "chirt/chirt.h"
#include "chirt/failure/Failure.h"
#include <atomic>

namespace chirt {

class LaunchChoices;

/// A worker's chunk of n iterations: chunks are cut at multiples of `align` and
/// worker k always takes the k-th, so that data stays in its caches.
struct Chunk {
  int64_t begin, end;
};
/// Part `chunk` of `chunks` of n iterations.
inline Chunk chunkOf(int64_t n, int64_t align, int chunk, int chunks) {
  int64_t units = (n + align - 1) / align;
  int64_t each = units / chunks, rest = units % chunks;
  auto cut = [&](int64_t k) {
    int64_t at = (each * k + (k < rest ? k : rest)) * align;
    return at < n ? at : n;
  };
  return {cut(chunk), cut(chunk + 1)};
}

constexpr int maxWorkers = CHIRT_MAX_THREADS;

/// Threads that wait for launches: they spin for some microseconds, then sleep
/// on a futex. The caller is worker 0. One launch runs at a time; one that
/// comes meanwhile, from another thread or from within, runs on its caller.
///
/// In a long launch each chunk is run slice by slice, and a worker that is done
/// takes over slices of a chunk that is well behind: iterations may differ in
/// work, and a core may be taken by another process.
///
/// A worker that has not begun when the caller is done, since it sleeps or its
/// core is taken, loses its chunk to the caller, who runs it under the worker's
/// number: chunks, copies and results are the same.
///
/// The threads are started at the first launch that needs them and never end.
class Pool {
public:
  constexpr Pool() = default;

  /// Workers, the caller among them.
  int size() {
    int n = numWorkers.load(std::memory_order_relaxed);
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
  void start();
  void serve(int worker);
  void work(int worker, int chunks);
  void workInSlices(int worker, int chunks);
  void runSlice(int chunk, int chunks, int slice, int worker);
  void awaitOthers();
  bool claim(int chunk, uint64_t launch);
  void workForLate(uint64_t launch, int chunks);
  static void *threadMain(void *worker);

  struct Job {
    chirt_chunk body;
    void *args;
    int64_t n, align;
    int slices;
    Failures *failures; ///< the caller's
    LaunchChoices *choices;
  };
  /// Of a worker's chunk: the next slice that nobody took, and the launch (its
  /// `generation`) in which nobody has begun it.
  struct alignas(64) Progress {
    std::atomic<int32_t> next;
    std::atomic<uint64_t> unclaimed;
  };
  /// Number of the launch in the low 48 bits, its chunks above: a worker knows
  /// from one word whether a new launch concerns it.
  alignas(64) std::atomic<uint64_t> generation{0};
  std::atomic<int32_t> sleepers{0};
  Job job = {};
  alignas(64) std::atomic<int32_t> pending{0};
  std::atomic<int32_t> callerSleeps{0};
  alignas(64) std::atomic<bool> isBusy{false};
  std::atomic<int> numWorkers{0};
  std::atomic<int> chunkHolders{0};
  bool isStarted = false;
  std::atomic<int> spins{0};
  Progress progress[maxWorkers] = {};
};

/// The pool of the process.
Pool &pool();

/// How many chunks a launch is cut into: 1 if it stays on the caller.
int numChunks(int64_t n, int64_t align, int64_t cost);
/// In how many slices each chunk is run: 1 if the launch is short.
int numSlices(int64_t n, int64_t align, int64_t cost, int chunks);

} // namespace chirt
#endif // CHIRT_CPU_POOL_H

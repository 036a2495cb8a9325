//===- Threads.h - The worker threads of a process --------------*- C++ -*-===//
// The libraries of a process share the threads of the one that was loaded
// first. What they agree on is a PoolTable; a change of it or of PoolJob needs
// another name of the symbol (chirt_pool_1), so that libraries of two versions
// have two pools.
#ifndef CHIRT_CPU_THREADS_H
#define CHIRT_CPU_THREADS_H

#include "chirt/chirt.h"
#include <atomic>

namespace chirt {

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

/// A launch, which may be that of another library than the threads.
struct PoolJob {
  chirt_chunk body;
  void *args;
  int64_t n, align;
  /// In how many slices each chunk is run.
  int32_t slices;
  /// A thread begins and ends its part: sets what the launching library has for
  /// each thread. Not called for the thread that launches.
  void (*enter)(void *context);
  void (*leave)(void);
  void *context;
};

/// The threads, as other libraries use them.
struct PoolTable {
  /// Workers, the launching thread among them; 0: nobody has decided.
  int32_t (*size)(void);
  /// Decides that, by what the asking library wants (0: all cores) if it is the
  /// first to ask.
  int32_t (*decide)(int32_t wanted);
  /// Whether the caller has the threads now. If so it calls `run` once.
  int32_t (*take)(void);
  /// Runs `chunks` > 1 chunks, and gives the threads back.
  void (*run)(const PoolJob *job, int32_t chunks);
};

/// The threads of the process.
const PoolTable &sharedThreads();

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
class Threads {
public:
  constexpr Threads() = default;

  int size() const { return numWorkers.load(std::memory_order_relaxed); }
  /// Decides the number of workers unless that was done, and returns it;
  /// `wanted`: 0 for all cores.
  int decideSize(int wanted);
  /// Whether the caller has the threads now.
  bool take() { return !isBusy.exchange(true, std::memory_order_acquire); }
  /// Runs a launch of `chunks` > 1 chunks, and gives the threads back. Only
  /// after `take`.
  void run(const PoolJob &launched, int chunks);

private:
  void start();
  void serve(int worker);
  void work(int worker, int chunks);
  void workInSlices(int worker, int chunks);
  void runSlice(int chunk, int chunks, int slice, int worker);
  void awaitOthers();
  bool claim(int chunk, uint64_t launch);
  void workForLate(uint64_t launch, int chunks);
  static void *threadMain(void *worker);

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
  PoolJob job = {};
  alignas(64) std::atomic<int32_t> pending{0};
  std::atomic<int32_t> callerSleeps{0};
  alignas(64) std::atomic<bool> isBusy{false};
  std::atomic<int> numWorkers{0};
  bool isStarted = false;
  std::atomic<int> spins{0};
  Progress progress[maxWorkers] = {};
};

} // namespace chirt
#endif // CHIRT_CPU_THREADS_H

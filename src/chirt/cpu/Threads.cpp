//===- Threads.cpp - The worker threads of a process ----------------------===//
#include "chirt/cpu/Threads.h"

#include <climits>
#include <csignal>
#include <cstdio>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace chirt {

namespace {
constexpr int chunksShift = 48;
/// About 50 µs, the time between launches of a program in full flight.
constexpr int usualSpins = 2000;
constexpr size_t stackBytes = size_t(16) << 20;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

void futexWait(void *word, uint32_t value) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}
void futexWake(void *word, int count) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

/// Cores that the process may use, by its affinity and its quota.
int usableCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  int cores = sched_getaffinity(0, sizeof(set), &set) == 0
                  ? CPU_COUNT(&set)
                  : int(sysconf(_SC_NPROCESSORS_ONLN));
  if (FILE *file = fopen("/sys/fs/cgroup/cpu.max", "re")) {
    long long quota = 0, period = 0;
    if (fscanf(file, "%lld %lld", &quota, &period) == 2 && period > 0) {
      long long most = (quota + period - 1) / period;
      if (most >= 1 && most < cores)
        cores = int(most);
    }
    fclose(file);
  }
  return cores < 1 ? 1 : cores;
}

constinit Threads theThreads;
} // namespace

int Threads::decideSize(int wanted) {
  int cores = usableCores();
  int n = wanted > 0 ? wanted : cores;
  n = n > maxWorkers ? maxWorkers : n;
  // With more threads than cores a spinning one takes a working one's place.
  spins.store(n > cores ? 20 : usualSpins, std::memory_order_relaxed);
  int before = 0; // another thread may have decided
  return numWorkers.compare_exchange_strong(before, n) ? n : before;
}

void *Threads::threadMain(void *worker) {
  theThreads.serve(int(reinterpret_cast<intptr_t>(worker)));
  return nullptr;
}

/// Needs isBusy. Where threads cannot be had, fewer do.
void Threads::start() {
  isStarted = true;
  // Signals are for the thread of the program.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, stackBytes);
  int wanted = size(), made = 1;
  for (; made < wanted; ++made) {
    pthread_t thread;
    if (pthread_create(&thread, &attributes, threadMain,
                       reinterpret_cast<void *>(intptr_t(made))) != 0)
      break;
  }
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  numWorkers.store(made, std::memory_order_relaxed);
}

void Threads::runSlice(int chunk, int chunks, int slice, int worker) {
  Chunk all = chunkOf(job.n, job.align, chunk, chunks);
  Chunk some = chunkOf(all.end - all.begin, job.align, slice, job.slices);
  if (some.begin < some.end)
    job.body(job.args, all.begin + some.begin, all.begin + some.end, worker);
}

void Threads::workInSlices(int worker, int chunks) {
  auto take = [&](int chunk) {
    return progress[chunk].next.fetch_add(1, std::memory_order_relaxed);
  };
  for (int slice; (slice = take(worker)) < job.slices;)
    runSlice(worker, chunks, slice, worker);
  // Not the last slice of a chunk: its owner is about to take it, and its data
  // are in its cache.
  for (int k = 1; k < chunks; ++k) {
    int other = worker + k < chunks ? worker + k : worker + k - chunks;
    while (progress[other].next.load(std::memory_order_relaxed) + 2 <=
           job.slices) {
      int slice = take(other);
      if (slice < job.slices)
        runSlice(other, chunks, slice, worker);
    }
  }
}

void Threads::work(int worker, int chunks) {
  if (job.slices > 1)
    return workInSlices(worker, chunks);
  Chunk chunk = chunkOf(job.n, job.align, worker, chunks);
  if (chunk.begin < chunk.end)
    job.body(job.args, chunk.begin, chunk.end, worker);
}

void Threads::serve(int worker) {
  uint64_t seen = 0;
  for (;;) {
    uint64_t now = generation.load(std::memory_order_acquire);
    const int most = spins.load(std::memory_order_relaxed);
    for (int i = 0; now == seen && i < most; ++i) {
      pause();
      now = generation.load(std::memory_order_acquire);
    }
    while (now == seen) {
      sleepers.fetch_add(1, std::memory_order_seq_cst);
      if (generation.load(std::memory_order_seq_cst) == seen)
        futexWait(&generation, uint32_t(seen));
      sleepers.fetch_sub(1, std::memory_order_seq_cst);
      now = generation.load(std::memory_order_acquire);
    }
    seen = now;
    int chunks = int(now >> chunksShift);
    if (worker >= chunks || !claim(worker, now))
      continue;
    job.enter(job.context);
    work(worker, chunks);
    job.leave();
    if (pending.fetch_sub(1, std::memory_order_seq_cst) == 1 &&
        callerSleeps.load(std::memory_order_seq_cst))
      futexWake(&pending, 1);
  }
}

/// Who claims a chunk runs it; only then may the job be read, for the caller
/// waits for all that is claimed before it makes the next.
bool Threads::claim(int chunk, uint64_t launch) {
  uint64_t expected = launch;
  return progress[chunk].unclaimed.compare_exchange_strong(
      expected, 0, std::memory_order_acq_rel, std::memory_order_relaxed);
}

void Threads::workForLate(uint64_t launch, int chunks) {
  for (int chunk = 1; chunk < chunks; ++chunk) {
    if (pending.load(std::memory_order_relaxed) == 0)
      return;
    if (progress[chunk].unclaimed.load(std::memory_order_relaxed) != launch ||
        !claim(chunk, launch))
      continue;
    if (job.slices > 1) {
      for (int slice; (slice = progress[chunk].next.fetch_add(
                           1, std::memory_order_relaxed)) < job.slices;)
        runSlice(chunk, chunks, slice, 0);
    } else {
      work(chunk, chunks);
    }
    pending.fetch_sub(1, std::memory_order_acq_rel);
  }
}

void Threads::awaitOthers() {
  const int most = spins.load(std::memory_order_relaxed);
  for (int i = 0; i < most; ++i) {
    if (pending.load(std::memory_order_acquire) == 0)
      return;
    pause();
  }
  callerSleeps.store(1, std::memory_order_seq_cst);
  while (int32_t left = pending.load(std::memory_order_seq_cst))
    futexWait(&pending, uint32_t(left));
  callerSleeps.store(0, std::memory_order_relaxed);
}

void Threads::run(const PoolJob &launched, int chunks) {
  if (!isStarted)
    start();
  int have = numWorkers.load(std::memory_order_relaxed);
  chunks = chunks < have ? chunks : have;
  job = launched;
  for (int k = 0; job.slices > 1 && k < chunks; ++k)
    progress[k].next.store(0, std::memory_order_relaxed);
  pending.store(chunks - 1, std::memory_order_relaxed);
  uint64_t number = generation.load(std::memory_order_relaxed) + 1;
  uint64_t mask = (uint64_t(1) << chunksShift) - 1;
  uint64_t launch = (number & mask) | uint64_t(chunks) << chunksShift;
  for (int k = 1; k < chunks; ++k)
    progress[k].unclaimed.store(launch, std::memory_order_relaxed);
  generation.store(launch, std::memory_order_seq_cst);
  if (sleepers.load(std::memory_order_seq_cst) > 0)
    futexWake(&generation, INT_MAX);
  work(0, chunks);
  workForLate(launch, chunks);
  awaitOthers();
  isBusy.store(false, std::memory_order_release);
}

} // namespace chirt

using namespace chirt;

// The table of this library, and a unique symbol of ELF whose value is its
// address: all libraries of a process see the one that was loaded first, also
// if each was loaded for itself, and the loader never unloads that.
extern "C" [[gnu::used,
             gnu::visibility("hidden")]] constexpr PoolTable chirt_own_pool = {
    [] { return int32_t(theThreads.size()); },
    [](int32_t wanted) { return int32_t(theThreads.decideSize(wanted)); },
    [] { return int32_t(theThreads.take()); },
    [](const PoolJob *job, int32_t chunks) { theThreads.run(*job, chunks); }};
asm(R"(
  .pushsection .data.rel.ro.chirt_pool_1,"aw",%progbits
  .balign 8
  .type chirt_pool_1,%gnu_unique_object
  .size chirt_pool_1, 8
chirt_pool_1:
  .quad chirt_own_pool
  .popsection
)");
extern "C" [[gnu::visibility("default")]] const PoolTable *const chirt_pool_1;

const PoolTable &chirt::sharedThreads() { return *chirt_pool_1; }

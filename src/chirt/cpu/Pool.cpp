//===- Pool.cpp - Launches on the worker threads --------------------------===//
#include "chirt/cpu/Pool.h"

#include "chirt/failure/Failure.h"
#include "chirt/launch/Observers.h"
#include "chirt/support/Settings.h"
#include "chirt/tune/LaunchChoices.h"
#include <climits>
#include <cstdlib>

namespace chirt {

namespace {
/// A slice is worth some 5 µs; fewer than four are not worth the claiming.
constexpr int64_t sliceCost = 5000 * 16;
constexpr int fewestSlices = 4, mostSlices = 16;

constinit Pool thePool;

/// CHI_THREADS; 0 if it is not a number of threads.
int threadsOfEnvironment() {
  const char *text = getenv("CHI_THREADS");
  char *end = nullptr;
  long number = text && *text ? strtol(text, &end, 10) : 0;
  return number > 0 && number <= maxWorkers && *end == 0 ? int(number) : 0;
}

/// What the threads that run parts of a launch have of the one that launches.
struct Launched {
  Failures *failures;
  LaunchChoices *choices;
};

void enterLaunch(void *context) {
  auto &launched = *static_cast<Launched *>(context);
  serveFailures(launched.failures);
  choicesOfLaunch = launched.choices;
}

void leaveLaunch() {
  choicesOfLaunch = nullptr;
  serveFailures(nullptr);
}
} // namespace

Pool &pool() { return thePool; }

int Pool::decideSize() {
  int wanted =
      settings().threads > 0 ? settings().threads : threadsOfEnvironment();
  return sharedThreads().decide(wanted > 0 ? wanted : settings().cores);
}

void Pool::run(chirt_chunk body, void *args, int64_t n, int64_t align,
               int chunks, int slices) {
  bool isAlone = chunks <= 1;
  bool isLate = !isAlone && !sharedThreads().take();
  // Instrumented code takes its time for other things, and a launch that does
  // not get the pool has one thread for what others share.
  LaunchChoices choices(
      !isLate && !__atomic_load_n(&instrumentedLaunches, __ATOMIC_RELAXED));
  ServedChoices served(&choices);
  if (isAlone || isLate)
    return body(args, 0, n, 0);
  if (chunkHolders.load(std::memory_order_relaxed) > 0)
    slices = 1;
  Launched launched = {failuresOfLaunch(), &choices};
  const PoolJob job = {body,   args,        n,           align,
                       slices, enterLaunch, leaveLaunch, &launched};
  sharedThreads().run(&job, chunks);
}

int numChunks(int64_t n, int64_t align, int64_t cost) {
  int64_t work;
  if (__builtin_mul_overflow(n, cost < 1 ? 1 : cost, &work))
    work = INT64_MAX;
  if (work < CHIRT_SMALL_LAUNCH ||
      __atomic_load_n(&instrumentedLaunches, __ATOMIC_RELAXED))
    return 1;
  int64_t chunks = pool().size(), most = work / (CHIRT_SMALL_LAUNCH / 2);
  chunks = chunks < most ? chunks : most;
  int64_t units = n / align + (n % align != 0);
  return int(chunks < units ? chunks : units);
}

int numSlices(int64_t n, int64_t align, int64_t cost, int chunks) {
  int64_t work;
  if (__builtin_mul_overflow(n, cost < 1 ? 1 : cost, &work))
    work = INT64_MAX;
  int64_t slices = work / chunks / sliceCost, units = n / chunks / align;
  slices = slices < units ? slices : units;
  slices = slices < mostSlices ? slices : mostSlices;
  return slices < fewestSlices ? 1 : int(slices);
}

} // namespace chirt

using namespace chirt;

/// For --time. Threads of a host may come at once: one of their times stays.
static void noteLaunch() {
  double first;
  __atomic_load(&settings().firstLaunch, &first, __ATOMIC_RELAXED);
  if (first != 0) [[likely]]
    return;
  first = chirt_time_now();
  __atomic_store(&settings().firstLaunch, &first, __ATOMIC_RELAXED);
}

void chirt_parallel(chirt_chunk body, void *args, int64_t n, int64_t align,
                    int64_t cost) {
  noteLaunch();
  if (n <= 0)
    return;
  int64_t work;
  if (!__builtin_mul_overflow(n, cost < 1 ? 1 : cost, &work) &&
      work < CHIRT_SMALL_LAUNCH) {
    if (!choicesOfLaunch) [[likely]]
      return body(args, 0, n, 0);
    ServedChoices none(nullptr); // not those of the launch round this one
    return body(args, 0, n, 0);
  }
  align = align < 1 ? 1 : align;
  int chunks = numChunks(n, align, cost);
  pool().run(body, args, n, align, chunks, numSlices(n, align, cost, chunks));
}

int32_t chirt_num_workers(void) { return pool().size(); }

int32_t chirt_num_chunks(int64_t n, int64_t align, int64_t cost) {
  return n <= 0 ? 1 : numChunks(n, align < 1 ? 1 : align, cost);
}

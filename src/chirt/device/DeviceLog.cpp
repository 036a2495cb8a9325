//===- DeviceLog.cpp - The log of kernels on a device ---------------------===//
// The threads of a kernel append entries to its log: printed values, and
// accesses for --check=races. The host processes them in the order of their
// iterations, as one thread would have executed them.
#include "chirt/device/Kernels.h"
#include "chirt/failure/Failure.h"
#include "chirt/field/Views.h"
#include "chirt/launch/Observers.h"
#include "chirt/text/Output.h"

#include <algorithm>

namespace chirt {

namespace {
/// Words of an entry before its values: its format and, above it, how many they
/// are; its iteration.
constexpr int64_t kHeader = 2;

/// Iterations of a launch are a multiple of it.
int64_t unitOf(const chirt_device_code *code) {
  return code->partial_bytes ? CHIRT_REDUCTION_BLOCK : 1;
}

/// Iterations of the first launch. How much an iteration with a loop logs is
/// unknown.
int64_t firstChunk(const chirt_device_code *code) {
  constexpr int64_t kCautious = 64;
  int64_t words = code->log_words, unit = unitOf(code);
  int64_t most = words < 0 ? kCautious : CHIRT_DEVICE_LOG_WORDS / words;
  return std::max(most - most % unit, unit);
}

/// Iterations of the next launch, after one that logged `used` words. There is
/// room for another one like it.
int64_t nextChunk(const chirt_device_code *code, int64_t chunk, uint32_t used) {
  if (code->log_words > 0)
    return chunk;
  if (used <= CHIRT_DEVICE_LOG_WORDS / 4)
    return 2 * chunk;
  bool isTight =
      used > CHIRT_DEVICE_LOG_WORDS / 2 && chunk % (2 * unitOf(code)) == 0;
  return isTight ? chunk / 2 : chunk;
}

/// All that is there, up to the first entry that found no room.
Array<const int64_t *> entriesOf(const int64_t *log, int64_t used) {
  Array<const int64_t *> entries;
  for (int64_t at = 0;
       at + kHeader <= used && log[at] != CHIRT_DEVICE_LOG_END;) {
    entries.push(log + at);
    at += kHeader + (log[at] >> 32);
  }
  return entries;
}

bool isAccess(const int64_t *entry) { return int32_t(entry[0]) < 0; }

const chirt_site *siteOf(const chirt_device_code *code, const int64_t *entry) {
  return &code->unit->sites[~int32_t(entry[0])];
}

/// Is it the launch's first race?
bool isRace(const chirt_device_code *code, const KernelLaunch &launch,
            const int64_t *entry) {
  const int64_t *values = entry + kHeader;
  auto *field =
      reinterpret_cast<const chirt_field *>(launch.words[int32_t(values[0])]);
  return noteAccess(siteOf(code, entry), dataOfBase(field) + values[1],
                    entry[1], int32_t(values[0] >> 32));
}

/// Processes the log of the iterations up to the first one that failed.
void takeEntries(const chirt_device_code *code, const KernelLaunch &launch,
                 const Array<const int64_t *> &entries) {
  int64_t end = failedIteration(launch);
  Text out;
  for (const int64_t *entry : entries) {
    if (entry[1] > end || (isAccess(entry) && isRace(code, launch, entry)))
      break;
    if (!isAccess(entry))
      appendFormat(out, code->unit->formats[int32_t(entry[0])],
                   entry + kHeader);
  }
  writeOut(out);
}

/// There was no room for all.
void reportLost(const chirt_device_code *code,
                const Array<const int64_t *> &entries) {
  bool isWatched = __atomic_load_n(&instrumentedLaunches, __ATOMIC_RELAXED);
  const int64_t *const *access =
      std::find_if(entries.begin(), entries.end(), isAccess);
  if (access != entries.end() && isWatched && !hasTaskFailed())
    return failTask(siteOf(code, *access),
                    "the device cannot record all accesses of this loop: check "
                    "it for races with --arch=cpu",
                    nullptr, "");
  if (!std::all_of(entries.begin(), entries.end(), isAccess))
    writeError("warning: some output of a loop is lost: its iterations print "
               "more than the device can buffer\n");
}
} // namespace

void beginLogging(const chirt_device_code *code, KernelLaunch &launch) {
  launch.last = 0;
  launch.chunk = firstChunk(code);
  continueLogging(launch);
}

bool continueLogging(KernelLaunch &launch) {
  launch.first = launch.last;
  launch.last = std::min(launch.first + launch.chunk, launch.iterations);
  return launch.first < launch.last;
}

void takeDeviceLog(const chirt_device_code *code, KernelLaunch &launch,
                   const int64_t *log, uint32_t used) {
  Array<const int64_t *> entries =
      entriesOf(log, std::min<int64_t>(used, CHIRT_DEVICE_LOG_WORDS));
  // Those of one iteration lie in their order.
  std::sort(entries.begin(), entries.end(),
            [](const int64_t *a, const int64_t *b) {
              return a[1] != b[1] ? a[1] < b[1] : a < b;
            });
  takeEntries(code, launch, entries);
  if (used > CHIRT_DEVICE_LOG_WORDS)
    reportLost(code, entries);
  launch.chunk = nextChunk(code, launch.chunk, used);
}

} // namespace chirt

//===- Kernels.h - What kernels of a device take, and leave -----*- C++ -*-===//
// What all devices do alike on the host: the words of a kernel's parameters,
// and the records of what failed in it.
//===----------------------------------------------------------------------===//
#ifndef CHIRT_DEVICE_KERNELS_H
#define CHIRT_DEVICE_KERNELS_H

#include "chirt/chirt.h"
#include "chirt/device_code.h"

namespace chirt {

/// Where a launch leaves its failures, by addresses of the device:
/// CHIRT_FAILURE_BYTES that begin with their count, and room for
/// CHIRT_MAX_RECORDS records.
struct FailureBuffer {
  int64_t count, records;
};

/// What the parameters of a kernel are made of.
struct KernelLaunch {
  const int64_t *words; ///< of a field: a handle with the device's address
  const chirt_domain *domain;
  int64_t iterations;
  FailureBuffer failures = {};
  int64_t partials = 0;             ///< address of memory for partial sums
  int64_t numPartials = 0, stride = 1; ///< of a kernel that joins them
  int64_t first = 0, last = 0;      ///< iterations of a kernel that tells
  int64_t chunk = 0;                ///< how many the next launch of it has
  int64_t logSize = 0, log = 0;     ///< addresses of what it tells
  int64_t arena = 0, resume = 0;    ///< addresses of memory that threads take
  bool goesOn = false;              ///< where threads found too little of it
  int64_t probeIterations = 1;      ///< of the loop that finds ended ones
  const chirt_task *task = nullptr; ///< what it is a launch of
};

/// Iterations over all axes of a task; one if it has none.
int64_t iterationsOf(const chirt_task *task, const chirt_domain *domain);

/// The codes of a task: none if its program has no code for devices.
chirt_device_codes codesOf(const chirt_task *task);

/// Whether a kernel has a parameter of a kind.
bool takesParam(const chirt_device_code *code, chirt_kernel_param kind);
/// Of the forms of a task's code the one for a launch; null if there is none.
/// The task is `launch.task`.
const chirt_device_code *codeFor(const chirt_device_code *code,
                                 const KernelLaunch &launch);

/// Whether a kernel takes the place of its failures.
bool mayFail(const chirt_device_code *code);

/// Blocks of iterations of a kernel with reductions.
int64_t reductionBlocks(int64_t iterations);
/// Begins to join the partial sums of `code`: what the first launch of its
/// `finish` takes. Its grid is joinBlocks blocks, neither more nor fewer.
void beginJoin(KernelLaunch &launch, const chirt_device_code *code);
/// Blocks of threads of the launch of `finish`.
int64_t joinBlocks(const KernelLaunch &launch);
/// What the next one takes; false if there is none.
bool goOnJoining(KernelLaunch &launch);

/// Of `blocks` blocks of `threads` threads, as many as are launched of a kernel
/// with an arena; and how many bytes that has at first.
int64_t arenaBlocks(const chirt_device_code *code, int64_t blocks,
                    int64_t threads);
/// Bytes of the arena of a launch with so many threads, at first.
int64_t arenaBytes(const chirt_device_code *code, int64_t threads);
/// What an arena of so many bytes begins with.
struct ArenaHeader {
  explicit ArenaHeader(int64_t bytes);
  int32_t words[CHIRT_ARENA_UNIT / sizeof(int32_t)] = {};
  /// How many threads found too few units, as the device counted them; 0 if the
  /// launch is complete.
  int32_t unfinished() const { return words[CHIRT_ARENA_UNFINISHED]; }
};

/// The number of the least iteration that failed in a launch whose failures
/// were kept; the largest number if none did.
int64_t failedIteration(const KernelLaunch &launch);

/// Begins a launch of a kernel that tells: its first iterations.
void beginLogging(const chirt_device_code *code, KernelLaunch &launch);
/// The next ones; false if there are none.
bool continueLogging(KernelLaunch &launch);
/// Takes what such a launch left, in the order of its iterations: prints, and
/// looks for races. It counted `used` words; `log` are those of them for which
/// there is room. Its failures were kept, and no launch before it has failed.
void takeDeviceLog(const chirt_device_code *code, KernelLaunch &launch,
                   const int64_t *log, uint32_t used);

/// Fills `to`, which has room for `code->num_words`.
void fillKernelParams(const chirt_device_code *code, const KernelLaunch &launch,
                      int64_t *to);

/// Keeps the failures that a launch left: it counted `count` of them, the first
/// CHIRT_MAX_RECORDS have a record. `begin`, `step`: of its domain. It may have
/// happened a while ago; chirt_check_launch raises.
void keepFailures(const chirt_device_code *code, int64_t begin, int64_t step,
                  const chirt_record *records, int32_t count);

} // namespace chirt
#endif // CHIRT_DEVICE_KERNELS_H

//===- Launches.cpp - Queued launches of a CUDA device --------------------===//
// Nothing waits for a launch. One whose checks may fail has a place of its own
// for failures; when the host reads, it looks at all places at once, and
// reports the first launch that failed.
#include "chirt/cuda/Cuda.h"
#include "chirt/device/Kernels.h"
#include "chirt/device/WrittenFields.h"
#include "chirt/failure/Failure.h"

namespace chirt::cu {

namespace {
/// Launches under way that may fail; for one more the queue is waited for.
constexpr int kNumSlots = 256;
constexpr int64_t kRecordBytes =
    CHIRT_MAX_RECORDS * int64_t(sizeof(chirt_record));
constexpr int64_t kCountBytes = kNumSlots * CHIRT_FAILURE_BYTES;

/// A launch whose failures nobody has looked at.
struct Pending {
  const chirt_device_code *code;
  int64_t begin, step; ///< of its domain
};

struct Failures {
  Address buffer = 0;   ///< the counts of all places, then their records
  char *seen = nullptr; ///< the counts, in pinned memory
  int asked = 0;        ///< counts that were copied there
  int count = 0;
  Pending pending[kNumSlots] = {};
};
constinit Failures failures;

/// Memory for the partial sums of one launch.
struct Partials {
  Address address = 0;
  int64_t bytes = 0;
};
constinit Partials partials;

Address recordsOf(int buffer) {
  return failures.buffer + Address(kCountBytes + buffer * kRecordBytes);
}

/// No launch has failed yet.
bool clearCounts(int count) {
  return succeeds(cuda.fill(
      failures.buffer, 0, size_t(count) * CHIRT_FAILURE_BYTES / sizeof(int32_t),
      cuda.stream));
}

int32_t failuresAt(int buffer) {
  int32_t count;
  memcpy(&count, failures.seen + buffer * CHIRT_FAILURE_BYTES, sizeof(count));
  return count;
}

bool makeSlots() {
  if (failures.buffer)
    return true;
  void *seen = nullptr;
  if (!failures.seen && !succeeds(cuda.memHostAlloc(&seen, kCountBytes, 0)))
    return false;
  failures.seen = static_cast<char *>(seen);
  failures.buffer = allocateOnDevice(kCountBytes + kNumSlots * kRecordBytes);
  return failures.buffer && clearCounts(kNumSlots);
}

bool takeSlot(const CudaKernel *kernel, KernelLaunch &launch) {
  if (!kernel->canFail)
    return true;
  if (!makeSlots())
    return false;
  int number = failures.count++;
  failures.pending[number] = {kernel->code, launch.domain->begin,
                              launch.domain->step};
  launch.failures.count =
      int64_t(failures.buffer) + number * CHIRT_FAILURE_BYTES;
  launch.failures.records = int64_t(recordsOf(number));
  return true;
}

/// The first of the launches that failed.
void keepFirst() {
  for (int buffer = 0; buffer < failures.asked; ++buffer) {
    int32_t count = failuresAt(buffer);
    if (count == 0)
      continue;
    int32_t kept = count < CHIRT_MAX_RECORDS ? count : CHIRT_MAX_RECORDS;
    Array<chirt_record> records;
    records.resize(size_t(kept));
    if (succeeds(cuda.copyOut(records.data(), recordsOf(buffer),
                              size_t(kept) * sizeof(chirt_record),
                              cuda.stream)) &&
        waitForQueue())
      keepFailures(failures.pending[buffer].code,
                   failures.pending[buffer].begin,
                   failures.pending[buffer].step, records.data(), count);
    return;
  }
}

unsigned blocksFor(const CudaKernel *kernel, int64_t iterations) {
  int64_t perBlock = kernel->blockSize * kernel->code->per_thread;
  int64_t blocks = (iterations + perBlock - 1) / perBlock;
  return unsigned(blocks < kernel->residentBlocks ? blocks
                                                  : kernel->residentBlocks);
}

bool launchOn(const CudaKernel *kernel, unsigned blocks, void **parameters) {
  return succeeds(cuda.launchKernel(kernel->function, blocks, 1, 1,
                                    unsigned(kernel->blockSize), 1, 1, 0,
                                    cuda.stream, parameters, nullptr));
}

/// More parameters than a kernel takes lie in memory, which goes to what is
/// queued behind the launch.
bool launchWithMany(const CudaKernel *kernel, const KernelLaunch &launch,
                    unsigned blocks) {
  Array<int64_t> words;
  words.resize(size_t(kernel->code->num_words));
  fillKernelParams(kernel->code, launch, words.data());
  int64_t bytes = kernel->code->num_words * 8;
  Address buffer = allocateOnDevice(bytes);
  if (!buffer)
    return false;
  copyToDevice(buffer, words.data(), bytes);
  void *parameters[] = {&buffer};
  bool isGood = launchOn(kernel, blocks, parameters);
  freeOnDevice(buffer, bytes);
  return isGood;
}

/// Each parameter is a word, however many of its bytes the kernel takes.
bool launchWith(const CudaKernel *kernel, const KernelLaunch &launch,
                unsigned blocks) {
  int64_t count = kernel->code->num_words;
  if (count > CHIRT_CUDA_PARAMS)
    return launchWithMany(kernel, launch, blocks);
  int64_t words[CHIRT_CUDA_PARAMS];
  void *addresses[CHIRT_CUDA_PARAMS];
  fillKernelParams(kernel->code, launch, words);
  for (int64_t k = 0; k < count; ++k)
    addresses[k] = &words[k];
  return launchOn(kernel, blocks, addresses);
}

/// Memory for the partial sums of a launch. That of one before is used no more
/// when this one begins.
bool takePartials(const CudaKernel *kernel, KernelLaunch &launch) {
  int64_t bytes =
      kernel->code->partial_bytes * reductionBlocks(launch.iterations);
  if (bytes > partials.bytes) {
    if (partials.address)
      freeOnDevice(partials.address, partials.bytes);
    partials.address = allocateOnDevice(bytes);
    partials.bytes = partials.address ? bytes : 0;
  }
  launch.partials = int64_t(partials.address);
  return bytes <= partials.bytes;
}

/// What one launch has of a kernel's arena.
struct ArenaMemory {
  Address address = 0;
  int64_t bytes = 0;

  bool take(int64_t size) {
    bytes = size;
    address = allocateOnDevice(bytes);
    return address != 0;
  }
  void give() {
    if (address)
      freeOnDevice(address, bytes);
    address = 0;
  }
};

/// Launches with an arena of a size, and waits: how many threads found too
/// little? Negative if something went wrong.
int32_t launchTaking(const CudaKernel *kernel, KernelLaunch &launch,
                     unsigned blocks, int64_t bytes) {
  ArenaMemory arena;
  ArenaHeader header(bytes);
  bool isGood = arena.take(bytes);
  launch.arena = int64_t(arena.address);
  if (isGood)
    copyToDevice(arena.address, &header, sizeof(header));
  isGood = isGood && launchWith(kernel, launch, blocks);
  if (isGood && succeeds(cuda.copyOut(&header, arena.address, sizeof(header),
                                      cuda.stream)))
    isGood = waitForQueue();
  arena.give();
  return isGood && !cudaFault() ? header.unfinished() : -1;
}

DeviceCopies copies() {
  return {[](int64_t bytes) { return int64_t(allocateOnDevice(bytes)); },
          [](int64_t address, int64_t bytes) {
            freeOnDevice(Address(address), bytes);
          },
          [](int64_t to, int64_t from, int64_t bytes) {
            copyWithinDevice(Address(to), Address(from), bytes);
          }};
}

/// Starts again: restores the written fields and drops the output so far.
void beginAnew(const WrittenFields &written, KernelLaunch &launch) {
  written.restore();
  launch.goesOn = false;
  if (launch.logSize)
    fillOnDevice(Address(launch.logSize), 0, sizeof(uint32_t));
}

/// Until all threads had memory enough.
bool launchWithArena(const CudaKernel *kernel, KernelLaunch launch,
                     unsigned blocks) {
  blocks = unsigned(arenaBlocks(kernel->code, blocks, kernel->blockSize));
  int64_t threads = int64_t(blocks) * kernel->blockSize;
  ArenaMemory resume;
  int32_t unfinished = resume.take(threads * 8) ? 1 : -1;
  launch.resume = int64_t(resume.address);
  WrittenFields written(copies());
  bool restartsAll = kernel->code->restarts_all != 0;
  if (unfinished > 0 && restartsAll && !written.save(launch.task, launch.words))
    unfinished = -1;
  for (int64_t bytes = arenaBytes(kernel->code, threads); unfinished > 0;
       bytes *= 4) {
    unfinished = launchTaking(kernel, launch, blocks, bytes);
    launch.goesOn = true;
    if (unfinished > 0 && restartsAll)
      beginAnew(written, launch);
  }
  written.drop();
  resume.give();
  return unfinished == 0;
}

bool launchOnce(const CudaKernel *kernel, const KernelLaunch &launch,
                unsigned blocks) {
  return kernel->code->arena_bytes ? launchWithArena(kernel, launch, blocks)
                                   : launchWith(kernel, launch, blocks);
}

/// What kernels tell, as it came back.
struct DeviceLog {
  Address address = 0; ///< a count, then the words
  Array<int64_t> words;
};
constexpr int64_t kLogOffset = 64;
constexpr int64_t kLogBytes = kLogOffset + CHIRT_DEVICE_LOG_WORDS * int64_t(8);

bool makeRoom(DeviceLog &log, KernelLaunch &launch) {
  log.address = allocateOnDevice(kLogBytes);
  launch.logSize = int64_t(log.address);
  launch.log = launch.logSize + kLogOffset;
  return log.address != 0;
}

/// Waits for the log of a launch, and processes it.
bool takeDeviceLog(const chirt_device_code *code, DeviceLog &log,
                   KernelLaunch &launch) {
  uint32_t used = 0;
  if (!succeeds(cuda.copyOut(&used, log.address, sizeof(used), cuda.stream)) ||
      !waitForQueue())
    return false;
  int64_t kept = used < CHIRT_DEVICE_LOG_WORDS ? used : CHIRT_DEVICE_LOG_WORDS;
  log.words.resize(size_t(kept));
  if (kept &&
      (!succeeds(cuda.copyOut(log.words.data(), log.address + kLogOffset,
                              size_t(kept) * 8, cuda.stream)) ||
       !waitForQueue()))
    return false;
  chirt::takeDeviceLog(code, launch, log.words.data(), used);
  return true;
}

bool hasFailed() { return __atomic_load_n(&chirt_failed, __ATOMIC_RELAXED); }

/// Launches some iterations, waits for them and processes their log.
bool launchPart(const CudaKernel *kernel, KernelLaunch &launch, unsigned blocks,
                DeviceLog &log) {
  if (!takeSlot(kernel, launch) ||
      !succeeds(cuda.fill(log.address, 0, 1, cuda.stream)) ||
      !launchOnce(kernel, launch, blocks))
    return false;
  finishQueue();
  return !cudaFault() && takeDeviceLog(kernel->code, log, launch);
}

/// Some iterations at a time: a loop that tells is looked at, not measured.
bool launchTelling(const CudaKernel *kernel, KernelLaunch &launch,
                   unsigned blocks) {
  finishQueue(); // earlier failures are reported separately
  if (cudaFault() || hasFailed())
    return !cudaFault();
  DeviceLog log;
  bool isGood = makeRoom(log, launch);
  beginLogging(kernel->code, launch);
  do
    isGood = isGood && launchPart(kernel, launch, blocks, log);
  while (isGood && !hasFailed() && continueLogging(launch));
  if (log.address)
    freeOnDevice(log.address, kLogBytes);
  return isGood;
}

bool launchMain(const CudaKernel *kernel, KernelLaunch &launch) {
  unsigned blocks = blocksFor(kernel, launch.iterations);
  return kernel->code->log_words
             ? launchTelling(kernel, launch, blocks)
             : takeSlot(kernel, launch) && launchOnce(kernel, launch, blocks);
}

/// The kernels of a task.
struct TaskKernels {
  const CudaKernel *main, *finish = nullptr; ///< finish: of partial sums
};

bool launchJoins(const TaskKernels &kernels, KernelLaunch launch) {
  bool isGood = true;
  beginJoin(launch, kernels.main->code);
  do
    isGood = launchWith(kernels.finish, launch, unsigned(joinBlocks(launch)));
  while (isGood && goOnJoining(launch));
  return isGood;
}

bool findKernels(const KernelLaunch &launch, TaskKernels &kernels) {
  const chirt_task *task = launch.task;
  kernels.main = kernelOf(task, codeFor(codesOf(task).cuda, launch));
  if (!kernels.main)
    return false;
  const chirt_device_code *code = kernels.main->code;
  return !code->finish || (kernels.finish = kernelOf(task, code->finish));
}

bool queueKernels(const TaskKernels &kernels, KernelLaunch &launch) {
  ++cuda.launches;
  return launchMain(kernels.main, launch) &&
         (!kernels.finish || launchJoins(kernels, launch));
}
} // namespace

bool queueLaunch(const chirt_task *task, KernelLaunch launch) {
  launch.task = task;
  TaskKernels kernels;
  if (!findKernels(launch, kernels))
    return false;
  if (kernels.main->canFail && failures.count == kNumSlots) {
    finishQueue();
    // What goes on from what a failed launch left has nothing to tell.
    if (hasFailed())
      return true;
  }
  return (takePartials(kernels.main, launch) &&
          queueKernels(kernels, launch)) ||
         (cudaFault() && failAt(task->site, WorldFault, "%s", cudaFault()));
}

void askForFailures() {
  failures.asked = failures.count;
  if (failures.asked)
    succeeds(cuda.copyOut(failures.seen, failures.buffer,
                          size_t(failures.asked) * CHIRT_FAILURE_BYTES,
                          cuda.stream));
}

void takeFailures() {
  if (failures.asked && !cudaFault()) {
    keepFirst();
    clearCounts(failures.asked);
  }
  failures.asked = failures.count = 0;
}

void finishQueue() {
  askForFailures();
  waitForQueue();
  takeFailures();
}

} // namespace chirt::cu

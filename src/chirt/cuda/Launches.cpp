//===- Launches.cpp - Queued launches of a CUDA device --------------------===//
// Nothing waits for a launch. One whose checks may fail has a place of its own
// for failures; when the host reads, it looks at all places at once, and the
// first launch that failed is told.
#include "chirt/core/Failure.h"
#include "chirt/core/Kernels.h"
#include "chirt/cuda/Cuda.h"

namespace chirt {

namespace {
/// Launches under way that may fail; for one more the queue is waited for.
constexpr int kPlaces = 256;
constexpr int64_t kRecordBytes =
    CHIRT_MAX_RECORDS * int64_t(sizeof(chirt_record));
constexpr int64_t kCountBytes = kPlaces * int64_t(sizeof(int32_t));
/// Parameters of a kernel: 4 KB, on any device.
constexpr int64_t kMaxWords = 512;

/// A launch whose failures nobody has looked at.
struct Pending {
  const chirt_device_code *code;
  int64_t begin, step; ///< of its domain
};

struct Failures {
  cu::Address place = 0;   ///< the counts of all places, then their records
  int32_t *seen = nullptr; ///< the counts, in pinned memory
  int asked = 0;           ///< counts that were copied there
  int count = 0;
  Pending pending[kPlaces] = {};
};
constinit Failures failures;

/// Memory for the partial sums of one launch.
struct Partials {
  cu::Address address = 0;
  int64_t bytes = 0;
};
constinit Partials partials;

cu::Address recordsOf(int place) {
  return failures.place + cu::Address(kCountBytes + place * kRecordBytes);
}

/// No launch has failed yet.
bool clearCounts(int count) {
  return succeeds(cuda.fill(failures.place, 0, size_t(count) * sizeof(int32_t),
                            cuda.stream));
}

bool makePlaces() {
  if (failures.place)
    return true;
  void *seen = nullptr;
  if (!failures.seen && !succeeds(cuda.memHostAlloc(&seen, kCountBytes, 0)))
    return false;
  failures.seen = static_cast<int32_t *>(seen);
  failures.place = allocateOnDevice(kCountBytes + kPlaces * kRecordBytes);
  if (!failures.place)
    return succeeds(cu::kOutOfMemory);
  return clearCounts(kPlaces);
}

bool takePlace(const CudaKernel *kernel, KernelLaunch &launch) {
  if (!kernel->canFail)
    return true;
  if (!makePlaces())
    return false;
  if (failures.count == kPlaces)
    finishQueue();
  int number = failures.count++;
  failures.pending[number] = {kernel->code, launch.domain->begin,
                              launch.domain->step};
  launch.failures.count =
      int64_t(failures.place) + number * int64_t(sizeof(int32_t));
  launch.failures.records = int64_t(recordsOf(number));
  return true;
}

/// The first of the launches that failed.
void keepFirst() {
  for (int place = 0; place < failures.asked; ++place) {
    int32_t count = failures.seen[place];
    if (count == 0)
      continue;
    int32_t kept = count < CHIRT_MAX_RECORDS ? count : CHIRT_MAX_RECORDS;
    Array<chirt_record> records;
    records.resize(size_t(kept));
    if (succeeds(cuda.copyOut(records.data(), recordsOf(place),
                              size_t(kept) * sizeof(chirt_record),
                              cuda.stream)) &&
        succeeds(cuda.streamSynchronize(cuda.stream)))
      keepFailures(failures.pending[place].code, failures.pending[place].begin,
                   failures.pending[place].step, records.data(), count);
    return;
  }
}

unsigned blocksFor(const CudaKernel *kernel, int64_t iterations) {
  int64_t perBlock = kernel->blockSize * kernel->code->per_thread;
  int64_t blocks = (iterations + perBlock - 1) / perBlock;
  return unsigned(blocks < kernel->residentBlocks ? blocks
                                                  : kernel->residentBlocks);
}

/// Each parameter is a word, however many of its bytes the kernel takes.
bool launchWith(const CudaKernel *kernel, const KernelLaunch &launch,
                unsigned blocks) {
  int64_t words[kMaxWords];
  void *addresses[kMaxWords];
  fillWords(kernel->code, launch, words);
  for (int64_t k = 0; k < kernel->code->num_words; ++k)
    addresses[k] = &words[k];
  return succeeds(cuda.launchKernel(kernel->function, blocks, 1, 1,
                                    unsigned(kernel->blockSize), 1, 1, 0,
                                    cuda.stream, addresses, nullptr));
}

/// Memory for the partial sums of a launch. That of one before is used no more
/// when this one begins.
bool takePartials(const CudaKernel *kernel, KernelLaunch &launch) {
  int64_t bytes = kernel->code->partial_bytes * treeBlocks(launch.iterations);
  if (bytes > partials.bytes) {
    if (partials.address)
      freeOnDevice(partials.address, partials.bytes);
    partials.address = allocateOnDevice(bytes);
    partials.bytes = partials.address ? bytes : 0;
  }
  launch.partials = int64_t(partials.address);
  return bytes <= partials.bytes || succeeds(cu::kOutOfMemory);
}

bool launchJoins(const CudaKernel *finish, KernelLaunch launch) {
  bool isGood = true;
  beginJoin(launch);
  do
    isGood = launchWith(finish, launch, unsigned(joinBlocks(launch)));
  while (isGood && goOnJoining(launch));
  return isGood;
}

/// The kernels of a task.
struct TaskKernels {
  const CudaKernel *main, *finish = nullptr; ///< finish: of partial sums
};

bool findKernels(const chirt_task *task, TaskKernels &kernels) {
  kernels.main =
      kernelOf(task, static_cast<const chirt_device_code *>(task->device_code));
  if (!kernels.main)
    return false;
  const chirt_device_code *code = kernels.main->code;
  if (code->finish && !(kernels.finish = kernelOf(task, code->finish)))
    return false;
  return code->num_words <= kMaxWords ||
         failAt(task->site, WorldFault,
                "this loop takes more than %d parameters, which the device "
                "`%s` cannot",
                int(kMaxWords), cuda.name);
}

bool queueKernels(const TaskKernels &kernels, KernelLaunch &launch) {
  return takePlace(kernels.main, launch) &&
         takePartials(kernels.main, launch) &&
         launchWith(kernels.main, launch,
                    blocksFor(kernels.main, launch.iterations)) &&
         (!kernels.finish || launchJoins(kernels.finish, launch));
}
} // namespace

bool queueLaunch(const chirt_task *task, KernelLaunch launch) {
  TaskKernels kernels;
  return findKernels(task, kernels) &&
         (queueKernels(kernels, launch) ||
          failAt(task->site, WorldFault, "%s", cudaFault()));
}

void askForFailures() {
  failures.asked = failures.count;
  if (failures.asked)
    succeeds(cuda.copyOut(failures.seen, failures.place,
                          size_t(failures.asked) * sizeof(int32_t),
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
  succeeds(cuda.streamSynchronize(cuda.stream));
  takeFailures();
}

} // namespace chirt

//===- Device.cpp - --arch=cuda -------------------------------------------===//
#include "chirt/support/Device.h"

#include "chirt/cuda/Cuda.h"
#include "chirt/device/Kernels.h"
#include "chirt/failure/Failure.h"
#include "chirt/field/Copies.h"
#include "chirt/support/Memory.h"

namespace chirt::cu {

namespace {
void *allocateHost(int64_t bytes) { return allocateZeroed(size_t(bytes)); }
void freeHost(void *memory, int64_t) { releaseMemory(memory); }

int64_t allocateCopy(int64_t bytes) {
  CudaQueue queue;
  return int64_t(allocateOnDevice(bytes));
}

void releaseCopy(int64_t buffer, int64_t bytes) {
  CudaQueue queue;
  freeOnDevice(Address(buffer), bytes);
}

void copyIn(int64_t to, const void *from, int64_t bytes) {
  CudaQueue queue;
  copyToDevice(Address(to), from, bytes);
}

void copyOut(void *to, int64_t from, int64_t bytes) {
  CudaQueue queue;
  copyFromDevice(to, Address(from), bytes);
}

/// `lacking`: the bytes for want of which it cannot be, or 0.
bool queueLocked(const chirt_task *task, const KernelLaunch &launch,
                 int64_t &lacking) {
  CudaQueue queue;
  cuda.lacking = 0;
  bool isGood = queueLaunch(task, launch);
  lacking = cudaFault() ? 0 : cuda.lacking;
  return isGood;
}

void launch(const chirt_task *task, const int64_t *words,
            const chirt_domain *domain) {
  int64_t iterations = iterationsOf(task, domain), lacking = 0;
  if (iterations == 0 ||
      queueLocked(task, {words, domain, iterations}, lacking))
    return;
  if (lacking)
    failForMemory(cudaDevice(), task, lacking);
  leave();
}

void finish() {
  CudaQueue queue;
  finishQueue();
}

void copy(int64_t to, int64_t from, int64_t bytes) {
  CudaQueue queue;
  copyWithinDevice(Address(to), Address(from), bytes);
}

void fill(int64_t to, uint32_t word, int64_t bytes) {
  CudaQueue queue;
  fillOnDevice(Address(to), word, bytes);
}

void raiseProblem() {
  const char *fault = cudaFault();
  if (!fault)
    return;
  failAt(nullptr, WorldFault, "%s", fault);
  leave();
}

DeviceCounts counts() {
  return {cuda.launches, cuda.waits, cuda.copies, cuda.bytesIn, cuda.bytesOut};
}

const char *architecture() { return cuda.architecture; }

int64_t memoryLeft() {
  CudaQueue queue;
  size_t left = 0, all = 0;
  return cuda.memGetInfo(&left, &all) == kSuccess ? int64_t(left) : 0;
}
} // namespace

static constinit const chirt_device device = {
    .name = "cuda",
    .describe = describeCuda,
    .isGPU = hasCudaGPU,
    .sharesHostMemory = false,
    .start = startCuda,
    .canRun = nullptr,
    .allocateHost = allocateHost,
    .freeHost = freeHost,
    .guardHost = nullptr,
    .allocate = allocateCopy,
    .release = releaseCopy,
    .launch = launch,
    .copyIn = copyIn,
    .copyOut = copyOut,
    .finish = finish,
    .raiseProblem = raiseProblem,
    .copy = copy,
    .fill = fill,
    .memoryLeft = memoryLeft,
    .architecture = architecture,
    .counts = counts,
    .openBuffer = nullptr,
    .closeBuffer = nullptr,
};

} // namespace chirt::cu

const chirt_device *chirt::cudaDevice() { return &cu::device; }

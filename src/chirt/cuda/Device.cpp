//===- Device.cpp - --arch=cuda -------------------------------------------===//
#include "chirt/core/Device.h"

#include "chirt/core/Failure.h"
#include "chirt/core/Kernels.h"
#include "chirt/core/Memory.h"
#include "chirt/cuda/Cuda.h"

namespace chirt {

namespace {
void *allocateHost(int64_t bytes) { return allocateZeroed(size_t(bytes)); }
void freeHost(void *memory, int64_t) { releaseMemory(memory); }

int64_t allocateCopy(int64_t bytes) {
  CudaQueue queue;
  return int64_t(allocateOnDevice(bytes));
}

void releaseCopy(int64_t buffer, int64_t bytes) {
  CudaQueue queue;
  freeOnDevice(cu::Address(buffer), bytes);
}

void copyIn(int64_t to, const void *from, int64_t bytes) {
  CudaQueue queue;
  copyToDevice(cu::Address(to), from, bytes);
}

void copyOut(void *to, int64_t from, int64_t bytes) {
  CudaQueue queue;
  copyFromDevice(to, cu::Address(from), bytes);
}

bool queueLocked(const chirt_task *task, const KernelLaunch &launch) {
  CudaQueue queue;
  return queueLaunch(task, launch);
}

void launch(const chirt_task *task, const int64_t *words,
            const chirt_domain *domain) {
  int64_t iterations = iterationsOf(task, domain);
  if (iterations > 0 && !queueLocked(task, {words, domain, iterations}))
    leave();
}

void finish() {
  CudaQueue queue;
  finishQueue();
}

bool isThere() { return !startCuda(0); }

const char *architecture() { return cuda.architecture; }

int64_t freeBytes() {
  CudaQueue queue;
  size_t left = 0, all = 0;
  return cuda.memGetInfo(&left, &all) == cu::kSuccess ? int64_t(left) : 0;
}
} // namespace

static constinit const chirt_device device = {
    .name = "cuda",
    .describe = nullptr,
    .isGPU = isThere,
    .sharesHostMemory = false,
    .start = startCuda,
    .allocateHost = allocateHost,
    .freeHost = freeHost,
    .guardHost = nullptr,
    .allocate = allocateCopy,
    .release = releaseCopy,
    .launch = launch,
    .copyIn = copyIn,
    .copyOut = copyOut,
    .finish = finish,
    .fault = cudaFault,
    .architecture = architecture,
    .freeBytes = freeBytes,
    .copy = nullptr,
    .fill = nullptr,
    .counts = nullptr,
    .openBuffer = nullptr,
    .closeBuffer = nullptr,
};

const chirt_device *cudaDevice() { return &device; }

} // namespace chirt

//===- Devices.cpp - The pool as a device ---------------------------------===//
#include "chirt/support/Device.h"
#include "chirt/support/Memory.h"

namespace chirt {

namespace {
void *allocateHost(int64_t bytes) { return allocateZeroed(size_t(bytes)); }
void freeHost(void *memory, int64_t) { releaseMemory(memory); }
void launch(const chirt_task *task, const int64_t *words,
            const chirt_domain *domain) {
  task->entry(task, words, domain);
}
} // namespace

constinit const chirt_device cpuDevice = {
    .name = "cpu",
    .describe = nullptr,
    .isGPU = nullptr,
    .sharesHostMemory = true,
    .start = nullptr,
    .canRun = nullptr,
    .allocateHost = allocateHost,
    .freeHost = freeHost,
    .guardHost = nullptr,
    .allocate = nullptr,
    .release = nullptr,
    .launch = launch,
    .copyIn = nullptr,
    .copyOut = nullptr,
    .finish = nullptr,
    .raiseProblem = nullptr,
    .copy = nullptr,
    .fill = nullptr,
    .memoryLeft = nullptr,
    .architecture = nullptr,
    .counts = nullptr,
    .openBuffer = nullptr,
    .closeBuffer = nullptr,
};

} // namespace chirt

//===- Device.cpp - --arch=vulkan -----------------------------------------===//
#include "chirt/support/Device.h"

#include "chirt/device/Kernels.h"
#include "chirt/failure/Failure.h"
#include "chirt/field/Copies.h"
#include "chirt/support/Memory.h"
#include "chirt/vulkan/Launch.h"
#include "chirt/vulkan/Queue.h"
#include "chirt/vulkan/Transfers.h"

#include <pthread.h>

namespace chirt {

namespace {
/// Threads of a host share the device.
constinit pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

class Locked {
public:
  Locked() { pthread_mutex_lock(&lock); }
  ~Locked() { pthread_mutex_unlock(&lock); }
  Locked(const Locked &) = delete;
};

void *allocateHost(int64_t bytes) { return allocateZeroed(size_t(bytes)); }
void freeHost(void *memory, int64_t) { releaseMemory(memory); }

int64_t allocateCopy(int64_t bytes) {
  Locked here;
  Chunk *chunk = takeChunk(bytes);
  return chunk ? int64_t(chunk->address()) : 0;
}

void releaseCopy(int64_t address, int64_t) {
  Locked here;
  giveChunk(uint64_t(address));
}

void copyIn(int64_t to, const void *from, int64_t bytes) {
  Locked here;
  transferIn(uint64_t(to), from, bytes);
}

void copyOut(void *to, int64_t from, int64_t bytes) {
  Locked here;
  transferOut(to, uint64_t(from), bytes);
}

void copy(int64_t to, int64_t from, int64_t bytes) {
  Locked here;
  transferWithin(uint64_t(to), uint64_t(from), bytes);
}

void fill(int64_t to, uint32_t word, int64_t bytes) {
  Locked here;
  fillWords(uint64_t(to), word, bytes);
}

void finish() {
  Locked here;
  finishQueue();
}

DeviceCounts counts() { return vulkan.counts; }

void raiseProblem() {
  if (!vulkan.lost)
    return;
  const chirt_task *task = vulkan.lostTask;
  const char *why = vulkan.lost == VK_ERROR_DEVICE_LOST
                        ? "was lost, or its driver stopped a loop that ran for "
                          "too long"
                        : "does not have enough memory left for launches";
  failAt(task ? task->site : nullptr, WorldFault, "the device `%s` %s%s",
         vulkan.properties.deviceName, why,
         task ? "; it was this loop, or one launched after it" : "");
  leave();
}

bool canRun(const chirt_task *task) {
  const chirt_device_code *code = codesOf(task).vulkan;
  const char *lack = code ? whatIsLacking(code) : nullptr;
  return !lack || failAt(task->site, WorldFault, "the device `%s` %s",
                         vulkan.properties.deviceName, lack);
}

void launch(const chirt_task *task, const int64_t *words,
            const chirt_domain *domain) {
  const char *problem;
  int64_t lacking;
  {
    Locked here;
    vulkan.lacking = 0;
    problem = queueLaunch(task, words, domain);
    lacking = vulkan.lacking;
  }
  raiseProblem();
  if (__atomic_load_n(&chirt_failed, __ATOMIC_RELAXED) != 0)
    chirt_check_launch(); // of a launch before it
  if (!problem)
    return;
  if (lacking)
    failForMemory(vulkanDevice(), task, lacking);
  failAt(task->site, WorldFault, "the device `%s` %s",
         vulkan.properties.deviceName, problem);
  leave();
}
} // namespace

static constinit const chirt_device device = {
    .name = "vulkan",
    .describe = describeVulkan,
    .isGPU = hasVulkanGPU,
    .sharesHostMemory = false,
    .start = startVulkan,
    .canRun = canRun,
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
    .architecture = nullptr,
    .counts = counts,
    .openBuffer = nullptr,
    .closeBuffer = nullptr,
};

const chirt_device *vulkanDevice() { return &device; }

} // namespace chirt

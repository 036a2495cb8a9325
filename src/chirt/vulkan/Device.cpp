//===- Device.cpp - --arch=vulkan -----------------------------------------===//
// Each launch is submitted and waited for. Fields lie in memory that the host
// sees too, where the device has such memory of its own; so copies are plain.
#include "chirt/core/Device.h"

#include "chirt/core/Failure.h"
#include "chirt/core/Kernels.h"
#include "chirt/core/Memory.h"
#include "chirt/device_code.h"
#include "chirt/vulkan/Vulkan.h"

#include <cstring>
#include <pthread.h>

namespace chirt {

namespace {
/// A field's copy.
struct Copy {
  DeviceBuffer buffer;
  Copy *next;
};

/// What the launches of the process share.
struct State {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  Copy *copies = nullptr;
  /// An i32, then from kRecordsAt the records.
  DeviceBuffer failures;
  /// Parameters of kernels with more than are pushed.
  DeviceBuffer parameters;
  /// Of the trees of a launch.
  DeviceBuffer partials;
  int64_t partialBytes = 0;
  /// An i32, then from kRecordsAt what is printed.
  DeviceBuffer told;
};
constinit State state;

constexpr int64_t kRecordsAt = 64;
constexpr int64_t kFailureBytes =
    kRecordsAt + CHIRT_MAX_RECORDS * int64_t(sizeof(chirt_record));
/// Parameters of one kernel at most.
constexpr int64_t kMaxWords = 4096;

void *allocateHost(int64_t bytes) { return allocateZeroed(size_t(bytes)); }
void freeHost(void *memory, int64_t) { releaseMemory(memory); }

int64_t allocateCopy(int64_t bytes) {
  // Atomics of narrow numbers change the word of 4 bytes around them.
  DeviceBuffer buffer = makeDeviceBuffer((bytes + 3) & ~int64_t(3));
  auto *copy = static_cast<Copy *>(malloc(sizeof(Copy)));
  if (!buffer.address || !copy)
    return 0;
  pthread_mutex_lock(&state.lock);
  *copy = {buffer, state.copies};
  state.copies = copy;
  pthread_mutex_unlock(&state.lock);
  return int64_t(buffer.address);
}

void releaseCopy(int64_t address, int64_t) {
  pthread_mutex_lock(&state.lock);
  for (Copy **link = &state.copies; *link; link = &(*link)->next)
    if (Copy *copy = *link; int64_t(copy->buffer.address) == address) {
      *link = copy->next;
      freeDeviceBuffer(copy->buffer);
      free(copy);
      break;
    }
  pthread_mutex_unlock(&state.lock);
}

char *mappedAt(int64_t address) {
  pthread_mutex_lock(&state.lock);
  char *found = nullptr;
  for (Copy *copy = state.copies; copy && !found; copy = copy->next)
    if (int64_t(copy->buffer.address) == address)
      found = copy->buffer.mapped;
  pthread_mutex_unlock(&state.lock);
  return found;
}

void copyIn(int64_t to, const void *from, int64_t bytes) {
  memcpy(mappedAt(to), from, size_t(bytes));
}
void copyOut(void *to, int64_t from, int64_t bytes) {
  memcpy(to, mappedAt(from), size_t(bytes));
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

int64_t countOf(const chirt_domain *domain, int32_t axis) {
  int64_t count = domain->to[axis] - domain->from[axis];
  return count > 0 ? count : 0;
}

/// What parameters of a launch are made of.
struct Launch {
  const int64_t *words; ///< the task's arguments
  const chirt_domain *domain;
  int64_t iterations;
  int64_t parts = 0, stride = 1; ///< of kernels that join partial sums
  KernelLaunch some = {};        ///< of a kernel that prints
};

/// One parameter of a kernel.
int64_t parameter(const int32_t (&what)[3], const Launch &launch) {
  const int64_t *words = launch.words;
  const chirt_domain *domain = launch.domain;
  auto field = [&] {
    return reinterpret_cast<const chirt_field *>(words[what[1]]);
  };
  switch (what[0]) {
  case CHIRT_WORD_DATA:
    // A field of which the task uses the extents alone has no copy there.
    return !field() || field()->device
               ? 0
               : reinterpret_cast<int64_t>(field()->data);
  case CHIRT_WORD_EXTENT:
    return field() ? field()->extents[what[2]] : 0;
  case CHIRT_WORD_SCALAR:
    return words[what[1]];
  case CHIRT_WORD_FROM:
    return domain->from[what[1]];
  case CHIRT_WORD_COUNT:
    return countOf(domain, what[1]);
  case CHIRT_WORD_SEED:
    return int64_t(chirt_seed);
  case CHIRT_WORD_FAILURES:
    return int64_t(state.failures.address);
  case CHIRT_WORD_RECORDS:
    return int64_t(state.failures.address) + kRecordsAt;
  case CHIRT_WORD_PARTIALS:
    return int64_t(state.partials.address) +
           what[1] * treeBlocks(launch.iterations);
  case CHIRT_WORD_PARTS:
    return launch.parts;
  case CHIRT_WORD_STRIDE:
    return launch.stride;
  case CHIRT_WORD_FIRST:
    return launch.some.first;
  case CHIRT_WORD_LAST:
    return launch.some.last;
  case CHIRT_WORD_LINES:
    return int64_t(state.told.address);
  case CHIRT_WORD_TOLD:
    return int64_t(state.told.address) + kRecordsAt;
  }
  return 0;
}

void fillParameters(const chirt_device_code *code, const Launch &launch,
                    int64_t *to) {
  for (int64_t k = 0; k < code->num_words; ++k) {
    int32_t what[3];
    memcpy(what, code->words + 3 * k, sizeof(what));
    to[k] = parameter(what, launch);
  }
}

/// False if there is no memory for what all launches share.
bool prepare() {
  if (!state.failures.address) {
    state.failures = makeDeviceBuffer(kFailureBytes);
    if (!state.failures.address)
      return false;
    memset(state.failures.mapped, 0, size_t(kFailureBytes));
  }
  if (!state.parameters.address)
    state.parameters = makeDeviceBuffer(kMaxWords * 8);
  return state.parameters.address != 0;
}

/// False if there is no memory for the partial sums of a launch.
bool preparePartials(int64_t bytes) {
  if (bytes <= state.partialBytes)
    return true;
  if (state.partials.address)
    freeDeviceBuffer(state.partials);
  state.partials = makeDeviceBuffer(bytes);
  state.partialBytes = state.partials.address ? bytes : 0;
  return state.partials.address != 0;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// As many threads as a large device has resident: each does several iterations
/// of a longer loop.
constexpr int64_t kMaxBlocks = 1024;

uint32_t blocksFor(int64_t threads) {
  int64_t most = vulkan.properties.limits.maxComputeWorkGroupCount[0];
  most = most < kMaxBlocks ? most : kMaxBlocks;
  int64_t blocks = (threads + CHIRT_BLOCK_SIZE - 1) / CHIRT_BLOCK_SIZE;
  return uint32_t(blocks < most ? blocks : most);
}

/// What the kernel wrote is there for the host once the queue is done.
void endWithBarrier() {
  VkMemoryBarrier barrier =
      structOf<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT | VK_ACCESS_HOST_WRITE_BIT;
  vulkan.vkCmdPipelineBarrier(
      vulkan.commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
      VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
  vulkan.vkEndCommandBuffer(vulkan.commands);
}

VkResult submitAndWait() {
  VkSubmitInfo submit = structOf<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &vulkan.commands;
  VkResult result =
      vulkan.vkQueueSubmit(vulkan.queue, 1, &submit, vulkan.fence);
  if (result == VK_SUCCESS)
    result = vulkan.vkWaitForFences(vulkan.device, 1, &vulkan.fence, VK_TRUE,
                                    UINT64_MAX);
  if (result == VK_SUCCESS)
    result = vulkan.vkResetFences(vulkan.device, 1, &vulkan.fence);
  return result;
}

VkResult runKernel(VkPipeline pipeline, const int64_t *words, int64_t count,
                   uint32_t blocks) {
  VkCommandBufferBeginInfo begin = structOf<VkCommandBufferBeginInfo>(
      VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  vulkan.vkBeginCommandBuffer(vulkan.commands, &begin);
  vulkan.vkCmdBindPipeline(vulkan.commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                           pipeline);
  auto address = int64_t(state.parameters.address);
  bool fits = count * 8 <= CHIRT_PUSH_BYTES;
  if (count)
    vulkan.vkCmdPushConstants(
        vulkan.commands, vulkan.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
        fits ? uint32_t(count * 8) : 8, fits ? words : &address);
  vulkan.vkCmdDispatch(vulkan.commands, blocks, 1, 1);
  endWithBarrier();
  return submitAndWait();
}

/// Hands over what failed, and forgets it.
void takeFailures(const chirt_device_code *code) {
  int32_t count;
  memcpy(&count, state.failures.mapped, sizeof(count));
  if (!count)
    return;
  int32_t kept = count < CHIRT_MAX_RECORDS ? count : CHIRT_MAX_RECORDS;
  for (int32_t k = 0; k < kept; ++k) {
    chirt_record record;
    memcpy(&record,
           state.failures.mapped + kRecordsAt + size_t(k) * sizeof(record),
           sizeof(record));
    keepRecord(code->unit, record, "");
  }
  memset(state.failures.mapped, 0, sizeof(count));
}

VkResult runWith(const chirt_device_code *code, VkPipeline pipeline,
                 const Launch &launch, uint32_t blocks) {
  auto *parameters = reinterpret_cast<int64_t *>(state.parameters.mapped);
  fillParameters(code, launch, parameters);
  return runKernel(pipeline, parameters, code->num_words, blocks);
}

/// Joins what the lanes of trees left, CHIRT_JOIN at a time.
VkResult finishTrees(const chirt_device_code *finish, VkPipeline pipeline,
                     Launch launch) {
  launch.parts = treeBlocks(launch.iterations) * CHIRT_TREE_LANES;
  for (;;) {
    int64_t blocks = (launch.parts + CHIRT_JOIN - 1) / CHIRT_JOIN;
    VkResult result = runWith(finish, pipeline, launch, uint32_t(blocks));
    if (result != VK_SUCCESS || blocks == 1)
      return result;
    launch.parts = blocks;
    launch.stride *= CHIRT_JOIN;
  }
}

/// Some iterations at a time; prints what they tell.
VkResult runTelling(const chirt_device_code *code, VkPipeline pipeline,
                    Launch launch, uint32_t blocks) {
  int32_t used = 0, failed = 0;
  VkResult result = VK_SUCCESS;
  launch.some.iterations = launch.iterations;
  beginTelling(code, launch.some);
  do {
    memset(state.told.mapped, 0, sizeof(used));
    result = runWith(code, pipeline, launch, blocks);
    memcpy(&used, state.told.mapped, sizeof(used));
    memcpy(&failed, state.failures.mapped, sizeof(failed));
    printTold(code,
              reinterpret_cast<const int64_t *>(state.told.mapped + kRecordsAt),
              used);
  } while (result == VK_SUCCESS && !failed && goOnTelling(code, launch.some));
  return result;
}

bool prepareTold() {
  if (!state.told.address)
    state.told = makeDeviceBuffer(kRecordsAt + CHIRT_TOLD_WORDS * int64_t(8));
  return state.told.address != 0;
}

/// The kernels of a task.
struct Kernels {
  VkPipeline main, finish;
};

/// Null, or what went wrong.
const char *launchLocked(const chirt_task *task, const Kernels &kernels,
                         const Launch &launch) {
  auto *code = static_cast<const chirt_device_code *>(task->device_code);
  if (code->num_words > kMaxWords || !prepare() ||
      !preparePartials(code->partial_bytes * treeBlocks(launch.iterations)) ||
      (code->told_words && !prepareTold()))
    return "there is not enough memory to launch this loop on";
  int64_t threads =
      (launch.iterations + code->per_thread - 1) / code->per_thread;
  VkResult result =
      code->told_words
          ? runTelling(code, kernels.main, launch, blocksFor(threads))
          : runWith(code, kernels.main, launch, blocksFor(threads));
  if (result == VK_SUCCESS && code->finish)
    result = finishTrees(code->finish, kernels.finish, launch);
  if (result != VK_SUCCESS)
    return "this loop was not finished by";
  takeFailures(code);
  return nullptr;
}

void launch(const chirt_task *task, const int64_t *words,
            const chirt_domain *domain) {
  int64_t iterations = iterationsOf(task, domain);
  if (iterations == 0)
    return;
  auto *code = static_cast<const chirt_device_code *>(task->device_code);
  Kernels kernels = {pipelineOf(task, code), VK_NULL_HANDLE};
  if (code->finish)
    kernels.finish = pipelineOf(task, code->finish);
  pthread_mutex_lock(&state.lock);
  const char *problem =
      launchLocked(task, kernels, {words, domain, iterations});
  pthread_mutex_unlock(&state.lock);
  if (!problem)
    return;
  failAt(task->site, WorldFault, "%s the device `%s`", problem,
         vulkan.properties.deviceName);
  leave();
}
} // namespace

static constinit const chirt_device device = {
    .name = "vulkan",
    .sharesHostMemory = false,
    .start = startVulkan,
    .allocateHost = allocateHost,
    .freeHost = freeHost,
    .guardHost = nullptr,
    .allocate = allocateCopy,
    .release = releaseCopy,
    .launch = launch,
    .copyIn = copyIn,
    .copyOut = copyOut,
    .finish = nullptr,
    .fault = nullptr,
    .architecture = nullptr,
    .freeBytes = nullptr,
    .openBuffer = nullptr,
    .closeBuffer = nullptr,
};

const chirt_device *vulkanDevice() { return &device; }

} // namespace chirt

//===- Launch.cpp - A task on the queue of a Vulkan device ----------------===//
#include "chirt/vulkan/Launch.h"

#include "chirt/vulkan/Queue.h"
#include <cstring>

namespace chirt {

namespace {
/// Parameters of one kernel at most.
constexpr int64_t kMaxWords = 4096;
constexpr int64_t kPushWords = CHIRT_PUSH_BYTES / 8;
/// As many threads as a large device has resident: each does several iterations
/// of a longer loop, and adds up what they add to one element.
constexpr int64_t kMaxBlocks = 1024;

int64_t countOf(const chirt_domain *domain, int32_t axis) {
  int64_t count = domain->to[axis] - domain->from[axis];
  return count > 0 ? count : 0;
}

/// One launch, and where its failures go.
struct Launch {
  const chirt_task *task;
  const int64_t *words;
  const chirt_domain *domain;
  FailureSlot slot;

  int64_t iterations() const;
  int64_t parameter(const int32_t (&what)[3]) const;
  void fill(int64_t *to) const;
  const char *record(VkPipeline pipeline);
  template <typename F> void forEachUse(F &&f) const;
  void order() const;
};

/// Over all axes; one if there are none.
int64_t Launch::iterations() const {
  int64_t count = 1;
  for (int32_t axis = 0; axis < task->rank; ++axis)
    count *= countOf(domain, axis);
  return count;
}

/// One parameter of a kernel.
int64_t Launch::parameter(const int32_t (&what)[3]) const {
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
    return int64_t(slot.count);
  case CHIRT_WORD_RECORDS:
    return int64_t(slot.records);
  }
  return 0;
}

void Launch::fill(int64_t *to) const {
  auto *code = static_cast<const chirt_device_code *>(task->device_code);
  for (int64_t k = 0; k < code->num_words; ++k) {
    int32_t what[3];
    memcpy(what, code->words + 3 * k, sizeof(what));
    to[k] = parameter(what);
  }
}

/// Calls `f` with each use of a piece that holds a field's copy.
template <typename F> void Launch::forEachUse(F &&f) const {
  for (int32_t k = 0; k < task->num_arguments; ++k) {
    const chirt_argument &argument = task->arguments[k];
    auto *field = reinterpret_cast<const chirt_field *>(words[k]);
    if (!argument.is_field || !argument.uses || !field || field->device)
      continue;
    if (Piece *piece = findPiece(uint64_t(field->data)))
      f(PieceUse{piece, argument.uses != CHIRT_USE_READ});
  }
}

/// After all launches and transfers that touch a field of this one.
void Launch::order() const {
  bool meets = false;
  forEachUse([&](const PieceUse &use) { meets |= meetsPending(use); });
  if (meets)
    orderAll();
  forEachUse(noteUse);
}

uint32_t blocksFor(int64_t iterations) {
  int64_t most = vulkan.properties.limits.maxComputeWorkGroupCount[0];
  most = most < kMaxBlocks ? most : kMaxBlocks;
  int64_t blocks = (iterations + CHIRT_BLOCK_SIZE - 1) / CHIRT_BLOCK_SIZE;
  return uint32_t(blocks < most ? blocks : most);
}

const char *Launch::record(VkPipeline pipeline) {
  auto *code = static_cast<const chirt_device_code *>(task->device_code);
  int64_t count = code->num_words;
  if (count > kMaxWords)
    return "takes fewer parameters than this loop has";
  bool fits = count <= kPushWords;
  if (!openBatch(fits ? 0 : count * 8))
    return nullptr;
  slot = takeSlot(task, domain);
  int64_t pushed[kPushWords] = {};
  int64_t *parameters = pushed;
  if (!fits) {
    ArenaPart part = takeArena(count * 8);
    parameters = reinterpret_cast<int64_t *>(part.mapped);
    pushed[0] = int64_t(part.address);
  }
  fill(parameters);
  order();
  VkCommandBuffer commands = openCommands();
  vulkan.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  if (count)
    vulkan.vkCmdPushConstants(commands, vulkan.layout,
                              VK_SHADER_STAGE_COMPUTE_BIT, 0,
                              fits ? uint32_t(count * 8) : 8, pushed);
  vulkan.vkCmdDispatch(commands, blocksFor(iterations()), 1, 1);
  ++vulkan.counts.launches;
  return nullptr;
}
} // namespace

const char *queueLaunch(const chirt_task *task, const int64_t *words,
                        const chirt_domain *domain) {
  Launch launch{task, words, domain, {}};
  if (launch.iterations() == 0)
    return nullptr;
  VkPipeline pipeline = VK_NULL_HANDLE;
  if (const char *problem = findPipeline(task, pipeline))
    return problem;
  // Waiting for a batch may tell of a failure, after which nothing is queued.
  if (!openBatch(kMaxWords * 8) || hasQueueFailed()) {
    finishQueue();
    return nullptr;
  }
  return launch.record(pipeline);
}

} // namespace chirt

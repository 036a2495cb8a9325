//===- Launch.cpp - A task on the queue of a Vulkan device ----------------===//
#include "chirt/vulkan/Launch.h"

#include "chirt/vulkan/Queue.h"

namespace chirt {

namespace {
/// Parameters of one kernel at most.
constexpr int64_t kMaxWords = 4096;
constexpr int64_t kPushWords = CHIRT_PUSH_BYTES / 8;
/// As many threads as a large device has resident: each does several iterations
/// of a longer loop.
constexpr int64_t kMaxBlocks = 1024;

/// Calls `f` with each use of a piece that holds a field's copy.
template <typename F>
void forEachUse(const chirt_task *task, const int64_t *words, F &&f) {
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
void order(const chirt_task *task, const int64_t *words) {
  bool meets = false;
  forEachUse(task, words,
             [&](const PieceUse &use) { meets |= meetsPending(use); });
  if (meets)
    orderAll();
  forEachUse(task, words, noteUse);
}

uint32_t blocksFor(int64_t threads) {
  int64_t most = vulkan.properties.limits.maxComputeWorkGroupCount[0];
  most = most < kMaxBlocks ? most : kMaxBlocks;
  int64_t blocks = (threads + CHIRT_BLOCK_SIZE - 1) / CHIRT_BLOCK_SIZE;
  return uint32_t(blocks < most ? blocks : most);
}

/// Bytes of the arena that a launch of a kernel takes.
int64_t arenaBytes(const chirt_device_code *code) {
  return code->num_words <= kPushWords ? 0 : code->num_words * 8;
}

/// In the open batch, which has room.
void dispatch(const chirt_device_code *code, VkPipeline pipeline,
              const KernelLaunch &launch, uint32_t blocks) {
  int64_t pushed[kPushWords] = {};
  int64_t *parameters = pushed;
  bool fits = arenaBytes(code) == 0;
  if (!fits) {
    ArenaPart part = takeArena(arenaBytes(code));
    parameters = reinterpret_cast<int64_t *>(part.mapped);
    pushed[0] = int64_t(part.address);
  }
  fillWords(code, launch, parameters);
  VkCommandBuffer commands = openCommands();
  vulkan.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  if (code->num_words)
    vulkan.vkCmdPushConstants(commands, vulkan.layout,
                              VK_SHADER_STAGE_COMPUTE_BIT, 0,
                              fits ? uint32_t(code->num_words * 8) : 8, pushed);
  vulkan.vkCmdDispatch(commands, blocks, 1, 1);
}

/// Joins what the lanes of trees left, CHIRT_JOIN at a time. False if the
/// device was lost.
bool join(const chirt_task *task, const chirt_device_code *finish,
          VkPipeline pipeline, KernelLaunch launch, Piece *partials) {
  beginJoin(launch);
  do {
    if (!openBatch(arenaBytes(finish)))
      return false;
    orderAll();
    forEachUse(task, launch.words, noteUse);
    noteUse({partials, true});
    dispatch(finish, pipeline, launch, uint32_t(joinBlocks(launch)));
  } while (goOnJoining(launch));
  return true;
}

/// The kernels of a task.
struct Pipelines {
  VkPipeline main = VK_NULL_HANDLE, finish = VK_NULL_HANDLE;
};

const char *record(const chirt_task *task, const Pipelines &pipelines,
                   KernelLaunch launch) {
  auto *code = static_cast<const chirt_device_code *>(task->device_code);
  int64_t bytes = code->partial_bytes * treeBlocks(launch.iterations);
  Piece *partials = bytes ? takePiece(bytes) : nullptr;
  if (bytes && !partials)
    return "has not enough memory for the partial sums of this loop";
  if (!openBatch(arenaBytes(code)))
    return nullptr;
  launch.failures = takeSlot(task, launch.domain);
  if (partials && meetsPending({partials, true}))
    orderAll();
  order(task, launch.words);
  if (partials) {
    noteUse({partials, true});
    launch.partials = int64_t(partials->address());
  }
  int64_t each = code->per_thread > 1 ? code->per_thread : 1;
  dispatch(code, pipelines.main, launch,
           blocksFor((launch.iterations + each - 1) / each));
  ++vulkan.counts.launches;
  if (code->finish)
    join(task, code->finish, pipelines.finish, launch, partials);
  if (partials) // what comes next on the queue may use it again
    givePiece(partials->address());
  return nullptr;
}
} // namespace

const char *queueTask(const chirt_task *task, const int64_t *words,
                      const chirt_domain *domain) {
  int64_t iterations = iterationsOf(task, domain);
  if (iterations == 0)
    return nullptr;
  auto *code = static_cast<const chirt_device_code *>(task->device_code);
  Pipelines pipelines;
  const char *problem = findPipeline(code, pipelines.main);
  if (!problem && code->finish)
    problem = findPipeline(code->finish, pipelines.finish);
  if (problem)
    return problem;
  if (code->num_words > kMaxWords)
    return "takes fewer parameters than this loop has";
  // Waiting for a batch may tell of a failure, after which nothing is queued.
  if (!openBatch(kMaxWords * 8) || hasQueueFailed()) {
    finishBatches();
    return nullptr;
  }
  return record(task, pipelines, {words, domain, iterations});
}

} // namespace chirt

//===- Launch.cpp - A task on the queue of a Vulkan device ----------------===//
#include "chirt/vulkan/Launch.h"

#include "chirt/device/Kernels.h"
#include "chirt/device/WrittenFields.h"
#include "chirt/vulkan/EndedLoops.h"
#include "chirt/vulkan/Queue.h"
#include "chirt/vulkan/Transfers.h"
#include <algorithm>
#include <cstring>

namespace chirt {

namespace {
/// Parameters of one kernel at most.
constexpr int64_t kMaxWords = 4096;
constexpr int64_t kPushWords = CHIRT_PUSH_BYTES / 8;
/// As many threads as a large device has resident: each does several iterations
/// of a longer loop.
constexpr int64_t kMaxBlocks = 1024;
static_assert(kMaxBlocks * CHIRT_BLOCK_SIZE <= CHIRT_DEVICE_THREADS);

/// What a loop tells: a count, then the words. It is made once.
constexpr int64_t kLogOffset = 64;
constexpr int64_t kLogBytes = kLogOffset + CHIRT_DEVICE_LOG_WORDS * int64_t(8);
struct DeviceLog {
  Block block;
};
constinit DeviceLog log;

/// One launch of a task.
struct Launch {
  const chirt_task *task;
  KernelLaunch of;
  const chirt_device_code *code; ///< the form that is launched
  Chunk *partials = nullptr;     ///< of its reductions
  /// What its threads take, and where they go on.
  Chunk *arena = nullptr, *resume = nullptr;
  bool hasMemory = true;
  VkPipeline main = VK_NULL_HANDLE, finish = VK_NULL_HANDLE;

  template <typename F> void forEachUse(F &&f) const;
  void order() const;
  uint32_t blocks() const;
  bool recordMain(uint32_t blocks);
  bool recordTaking();
  bool recordOnce();
  bool recordJoins();
  void recordAll();
  void tell();
  bool takesTooMany() const;
  const char *watch();
  const char *runWhole();

private:
  bool launchTaking(int64_t bytes, uint32_t blocks);
  void beginAnew(const WrittenFields &written);
};

/// Calls `f` with each use of a chunk that holds a field's copy, or what the
/// launch has for itself.
template <typename F> void Launch::forEachUse(F &&f) const {
  for (int32_t k = 0; k < task->num_arguments; ++k) {
    const chirt_argument &argument = task->arguments[k];
    auto *field = reinterpret_cast<const chirt_field *>(of.words[k]);
    if (!argument.is_field || !argument.uses || !field || field->device)
      continue;
    if (Chunk *chunk = findChunk(uint64_t(field->data)))
      f(ChunkUse{chunk, argument.uses != CHIRT_USE_READ});
  }
  for (Chunk *own : {partials, arena, resume})
    if (own)
      f(ChunkUse{own, true});
}

/// After all launches and transfers that touch a field of this one.
void Launch::order() const {
  bool meets = false;
  forEachUse([&](const ChunkUse &use) { meets |= meetsPending(use); });
  if (meets)
    orderAll();
  forEachUse(noteUse);
}

uint32_t blocksFor(int64_t threads, int64_t most) {
  int64_t there = vulkan.properties.limits.maxComputeWorkGroupCount[0];
  int64_t blocks = (threads + CHIRT_BLOCK_SIZE - 1) / CHIRT_BLOCK_SIZE;
  return uint32_t(std::min({blocks, most, there}));
}

/// Blocks of a launch: more where the driver ends the loops of a thread, and it
/// would take many iterations.
int64_t mostBlocks(const chirt_device_code *code, int64_t threads) {
  constexpr int64_t kMost = CHIRT_DEVICE_THREADS / CHIRT_BLOCK_SIZE;
  constexpr int64_t kProbeIterations = 16,
                    kThreads = kProbeIterations * CHIRT_BLOCK_SIZE;
  if (mayBeEnded(code))
    return kMost;
  return vulkan.endsLoops ? std::clamp(threads / kThreads, kMaxBlocks, kMost)
                          : kMaxBlocks;
}

/// The open batch has room for the parameters of a kernel.
bool openFor(const chirt_device_code *code) {
  return openBatch(code->num_words <= kPushWords ? 0 : code->num_words * 8);
}

void dispatch(const chirt_device_code *code, VkPipeline pipeline,
              const KernelLaunch &launch, uint32_t blocks) {
  int64_t count = code->num_words;
  bool fits = count <= kPushWords;
  int64_t pushed[kPushWords] = {};
  int64_t *parameters = pushed;
  if (!fits) {
    ArenaChunk part = takeArena(count * 8);
    parameters = reinterpret_cast<int64_t *>(part.mapped);
    pushed[0] = int64_t(part.address);
  }
  fillKernelParams(code, launch, parameters);
  VkCommandBuffer commands = openCommands();
  vulkan.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  if (count)
    vulkan.vkCmdPushConstants(commands, vulkan.layout,
                              VK_SHADER_STAGE_COMPUTE_BIT, 0,
                              fits ? uint32_t(count * 8) : 8, pushed);
  vulkan.vkCmdDispatch(commands, blocks, 1, 1);
}

uint32_t Launch::blocks() const {
  int64_t threads = (of.iterations + code->per_thread - 1) / code->per_thread;
  return blocksFor(threads, mostBlocks(code, threads));
}

/// Of iterations that the driver allows, though each thread takes few for an
/// iteration, or for its part of a block of them.
bool Launch::takesTooMany() const {
  if (!vulkan.endsLoops || mayBeEnded(code))
    return false;
  int64_t each = code->partial_bytes ? code->per_thread : 1;
  int64_t threads = int64_t(blocks()) * CHIRT_BLOCK_SIZE;
  return of.iterations / each / threads >=
         kMostIterations / (2 * CHIRT_FEW_ITERATIONS);
}

bool Launch::recordMain(uint32_t blocks) {
  if (!openFor(code))
    return false;
  FailureSlot slot = takeSlot(task, of.domain);
  of.failures = {int64_t(slot.count), int64_t(slot.records)};
  order();
  dispatch(code, main, of, blocks);
  ++vulkan.counts.launches;
  return true;
}

bool hasFailed() {
  return vulkan.lost || __atomic_load_n(&chirt_failed, __ATOMIC_RELAXED) != 0;
}

/// Launches with an arena of a size, and waits. Were there threads that found
/// too little?
bool Launch::launchTaking(int64_t bytes, uint32_t blocks) {
  ArenaHeader header(bytes);
  arena = takeChunk(bytes);
  hasMemory = arena != nullptr;
  if (!arena)
    return false;
  of.arena = int64_t(arena->address());
  transferIn(arena->address(), &header, sizeof(header));
  if (recordMain(blocks)) {
    finishQueue();
    transferOut(&header, arena->address(), sizeof(header));
  }
  giveChunk(arena->address());
  arena = nullptr;
  of.goesOn = true;
  return !hasFailed() && !hasQueueEnded() && header.unfinished();
}

DeviceCopies copies() {
  auto allocate = [](int64_t bytes) -> int64_t {
    Chunk *chunk = takeChunk(bytes);
    return chunk ? int64_t(chunk->address()) : 0;
  };
  return {allocate,
          [](int64_t address, int64_t) { giveChunk(uint64_t(address)); },
          [](int64_t to, int64_t from, int64_t bytes) {
            transferWithin(uint64_t(to), uint64_t(from), bytes);
          }};
}

/// Starts again: restores the written fields and drops the output so far.
void Launch::beginAnew(const WrittenFields &written) {
  written.restore();
  of.goesOn = false;
  if (code->log_words)
    memset(log.block.mapped, 0, sizeof(uint32_t));
}

/// A kernel whose threads take memory: until all had enough.
bool Launch::recordTaking() {
  uint32_t count = uint32_t(arenaBlocks(code, blocks(), CHIRT_BLOCK_SIZE));
  int64_t threads = int64_t(count) * CHIRT_BLOCK_SIZE;
  of.goesOn = false;
  resume = takeChunk(threads * 8);
  hasMemory = resume != nullptr;
  if (!resume)
    return false;
  of.resume = int64_t(resume->address());
  int64_t bytes = arenaBytes(code, std::min(threads, of.iterations));
  WrittenFields written(copies());
  hasMemory = !code->restarts_all || written.save(task, of.words);
  while (hasMemory && launchTaking(bytes, count)) {
    bytes *= 4;
    if (code->restarts_all)
      beginAnew(written);
  }
  written.drop();
  giveChunk(resume->address());
  resume = nullptr;
  return hasMemory && !hasFailed();
}

bool Launch::recordOnce() {
  return code->arena_bytes ? recordTaking() : recordMain(blocks());
}

/// Joins what the lanes of reductions left.
bool Launch::recordJoins() {
  beginJoin(of, code);
  do {
    if (!openFor(code->finish))
      return false;
    orderAll();
    forEachUse(noteUse);
    dispatch(code->finish, finish, of, uint32_t(joinBlocks(of)));
  } while (goOnJoining(of));
  return true;
}

/// Some iterations at a time, waiting for each; takes what they tell.
void Launch::tell() {
  finishQueue(); // earlier failures are reported separately
  if (hasFailed())
    return;
  if (!log.block.address)
    log.block = makeBlock(kLogBytes, BlockUse::Transfers);
  hasMemory = log.block.address != 0;
  if (!hasMemory)
    return;
  of.logSize = int64_t(log.block.address);
  of.log = of.logSize + kLogOffset;
  beginLogging(code, of);
  do {
    uint32_t used = 0;
    memset(log.block.mapped, 0, sizeof(used));
    if (!recordOnce())
      return;
    finishQueue();
    memcpy(&used, log.block.mapped, sizeof(used));
    if (vulkan.lost || hasQueueEnded())
      return;
    takeDeviceLog(
        code, of,
        reinterpret_cast<const int64_t *>(log.block.mapped + kLogOffset), used);
  } while (!hasFailed() && continueLogging(of));
}

/// Its iterations, and what joins their reductions.
void Launch::recordAll() {
  bool isGood = true;
  if (code->log_words)
    tell();
  else
    isGood = recordOnce();
  if (hasMemory && isGood && code->finish)
    recordJoins();
}

/// Waits to see whether the driver has ended loops: then the processor does it.
/// Null, or why it cannot.
const char *Launch::watch() {
  finishQueue(); // earlier failures are reported separately
  if (hasFailed())
    return nullptr;
  WrittenFields written(copies());
  of.probeIterations = 2;
  hasMemory = written.save(task, of.words);
  if (hasMemory)
    recordAll();
  finishQueue();
  const char *problem = nullptr;
  if (takeQueueEnded()) {
    written.restore();
    // The output of some iterations may have been printed already.
    problem = of.first > 0 ? kExceedsIterations : runWhole();
  }
  written.drop();
  return problem;
}

/// By the processor. Null, or why it cannot.
const char *Launch::runWhole() {
  finishQueue();
  return hasFailed() ? nullptr : runByProcessor(task, of);
}

/// Null, or why it cannot be launched.
const char *findKernels(Launch &launch) {
  const chirt_device_code *code = launch.code;
  if (const char *problem = findPipeline(code, launch.main))
    return problem;
  if (code->num_words > kMaxWords)
    return "takes fewer parameters than this loop has";
  return code->finish ? findPipeline(code->finish, launch.finish) : nullptr;
}

const char *record(Launch &launch) {
  const char *kNoMemory = "does not have enough memory for this loop";
  const chirt_device_code *code = launch.code;
  if (int64_t bytes =
          code->partial_bytes * reductionBlocks(launch.of.iterations)) {
    launch.partials = takeChunk(bytes);
    if (!launch.partials)
      return kNoMemory;
    launch.of.partials = int64_t(launch.partials->address());
  }
  const char *problem = nullptr;
  if (launch.takesTooMany())
    problem = launch.runWhole();
  else if (mayBeEnded(code))
    problem = launch.watch();
  else
    launch.recordAll();
  if (launch.partials) // its next user is ordered after this
    giveChunk(launch.partials->address());
  return launch.hasMemory ? problem : kNoMemory;
}
} // namespace

const char *queueLaunch(const chirt_task *task, const int64_t *words,
                        const chirt_domain *domain) {
  KernelLaunch of{words, domain, iterationsOf(task, domain)};
  if (of.iterations == 0)
    return nullptr;
  of.task = task;
  Launch launch{task, of, codeFor(codesOf(task).vulkan, of)};
  if (const char *problem = findKernels(launch))
    return problem;
  // Waiting for a batch may report a failure, after which nothing is queued.
  if (!openBatch(kMaxWords * 8) || hasQueueFailed()) {
    finishQueue();
    return nullptr;
  }
  return record(launch);
}

} // namespace chirt

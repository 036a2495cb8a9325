//===- Barriers.cpp - Threads of a block that meet ------------------------===//
#include "Double.h"

#include <ucontext.h>

namespace cuda_double {

namespace {
constexpr size_t kStackBytes = size_t(64) << 10;

/// A thread of the block that runs, with a stack of its own, which the next
/// block's has then.
struct Thread {
  ucontext_t state;
  std::unique_ptr<char[]> stack{new char[kStackBytes]};
  bool isDone = false;
};
std::vector<Thread> &threadsOf(int count) {
  static std::vector<Thread> threads;
  if (threads.size() < size_t(count))
    threads.resize(size_t(count));
  return threads;
}

struct Block {
  void (*call)(void **parameters);
  void **parameters;
  ucontext_t between;
  std::vector<Thread> &threads;
  int current = 0;
};
/// Of the block that runs: what barriers and new threads find.
Block *&running() {
  static Block *block = nullptr;
  return block;
}

void meet() {
  Block &block = *running();
  swapcontext(&block.threads[size_t(block.current)].state, &block.between);
}

void runThread() {
  Block &block = *running();
  block.call(block.parameters);
  block.threads[size_t(block.current)].isDone = true;
}

void begin(Block &block, Thread &thread) {
  thread.isDone = false;
  getcontext(&thread.state);
  thread.state.uc_stack.ss_sp = thread.stack.get();
  thread.state.uc_stack.ss_size = kStackBytes;
  thread.state.uc_link = &block.between;
  makecontext(&thread.state, runThread, 0);
}

/// Leads each thread to its next barrier, or its end; how many ended.
int takeTurns(Block &block, Registers &registers) {
  int done = 0;
  for (block.current = 0; block.current < registers.threads; ++block.current) {
    Thread &thread = block.threads[size_t(block.current)];
    registers.thread = block.current;
    swapcontext(&block.between, &thread.state);
    done += thread.isDone;
  }
  return done;
}
} // namespace

Result runBarrier(const Hooks &hooks, void **parameters) {
  int count = hooks.registers->threads;
  Block block{hooks.call, parameters, {}, threadsOf(count), 0};
  for (int k = 0; k < count; ++k)
    begin(block, block.threads[size_t(k)]);
  running() = &block;
  *hooks.meet = meet;
  int done = 0;
  while (done == 0)
    done = takeTurns(block, *hooks.registers);
  return done == count ? Result(kSuccess) : Result(kLaunchTimeout);
}

} // namespace cuda_double

//===- BigStack.cpp -------------------------------------------------------===//
#include "chi/Driver/BigStack.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <pthread.h>

using Work = llvm::function_ref<void()>;

/// `work` must live until the thread is joined.
static std::optional<pthread_t> startThread(Work &work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, size_t(256) << 20);
  pthread_t thread;
  auto call = [](void *argument) -> void * {
    (*static_cast<Work *>(argument))();
    return nullptr;
  };
  int failure = pthread_create(&thread, &attributes, call, &work);
  pthread_attr_destroy(&attributes);
  if (failure)
    return std::nullopt;
  return thread;
}

void chi::driver::onBigStack(Work work) {
  if (auto thread = startThread(work))
    pthread_join(*thread, nullptr);
  else
    work();
}

void chi::driver::onBigStacks(unsigned helpers, Work work) {
  llvm::SmallVector<pthread_t> threads;
  for (unsigned k = 0; k < helpers; ++k)
    if (auto thread = startThread(work))
      threads.push_back(*thread);
  work();
  for (pthread_t thread : threads)
    pthread_join(thread, nullptr);
}

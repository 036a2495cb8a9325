//===- BigStack.cpp -------------------------------------------------------===//
#include "chi/Driver/BigStack.h"
#include <pthread.h>

void chi::driver::onBigStack(llvm::function_ref<void()> work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, size_t(256) << 20);
  pthread_t thread;
  auto call = [](void *argument) -> void * {
    (*static_cast<llvm::function_ref<void()> *>(argument))();
    return nullptr;
  };
  int failure = pthread_create(&thread, &attributes, call, &work);
  pthread_attr_destroy(&attributes);
  if (failure)
    return work();
  pthread_join(thread, nullptr);
}

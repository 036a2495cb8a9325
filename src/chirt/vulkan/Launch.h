//===- Launch.h - A task on the queue of a Vulkan device --------*- C++ -*-===//
#ifndef CHIRT_VULKAN_LAUNCH_H
#define CHIRT_VULKAN_LAUNCH_H

#include "chirt/chirt.h"

namespace chirt {

/// Queues a task; the word of a field is a handle with its address there.
/// Null, or the end of a sentence that begins with the device. If a launch
/// before it failed that is recorded and nothing queued. The caller holds the
/// lock.
const char *queueTask(const chirt_task *task, const int64_t *words,
                      const chirt_domain *domain);

} // namespace chirt
#endif // CHIRT_VULKAN_LAUNCH_H

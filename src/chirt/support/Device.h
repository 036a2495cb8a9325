//===- Device.h - Where tasks run -------------------------------*- C++ -*-===//
// A device runs tasks over memory that may be its own: a field then has a copy
// there (field/Copies.h). `cpuDevice` (the pool) shares the host's memory: its
// fields have one copy. `mirrorDevice` runs on the pool too, over memory that
// host code cannot reach, and reports each copy that was forgotten; it is for
// tests of Chi.
//===----------------------------------------------------------------------===//
#ifndef CHIRT_SUPPORT_DEVICE_H
#define CHIRT_SUPPORT_DEVICE_H

#include "chirt/host.h"

namespace chirt {

/// What a device did since it was started. A submission hands launches over;
/// where each goes by itself, it is a wait for those that went.
struct DeviceCounts {
  int64_t launches, submissions, copies, bytesIn, bytesOut;
};
} // namespace chirt

/// What a device does for the run time. Addresses of its memory are numbers:
/// only the device follows them.
///
/// CUDA: one stream is the queue, copies go through a ring of pinned memory.
/// Vulkan: buffers by their device addresses, transfers through a staging
/// buffer, launches in a command buffer with a barrier between two that share
/// a field, submitted when the host waits (`copyOut`, `finish`). Both load the
/// image that a task's descriptor has at its first launch, and hand it a word
/// for each parameter (chirt_kernel_param).
struct chirt_device {
  const char *name; ///< as --arch takes it
  /// What is known of the one of that number without starting it (all of
  /// `facts` but what is measured), and how many there are. Null: one, of which
  /// nothing is known.
  int32_t (*describe)(int32_t number, chirt_device_facts *facts);
  /// Whether the one that is taken by itself is a GPU. Null: it is none.
  bool (*isGPU)();
  /// Tasks use the host's copies: there are no others.
  bool sharesHostMemory;
  /// Called before any other of these functions, also again, with the number of
  /// the device among those of its kind: null, or a sentence that says why
  /// there is no such one. Null if there always is.
  const char *(*start)(int32_t number);
  /// Whether it has all that a task needs; else that is recorded as a failure.
  /// Null: every device of its kind has.
  bool (*canRun)(const chirt_task *task);

  // The host's copies of fields.
  /// Zeroed, 64-byte aligned; null if there is not enough.
  void *(*allocateHost)(int64_t bytes);
  /// Frees what `allocateHost` gave for so many bytes.
  void (*freeHost)(void *memory, int64_t bytes);
  /// `current` changed (chirt_field): what host code may do with its
  /// copy from now on. Null if the device does not care.
  void (*guardHost)(void *memory, int64_t bytes, int32_t current);

  // The device's copies. Null if it shares the host's.
  /// What the memory holds is unspecified; 0 if there is not enough.
  int64_t (*allocate)(int64_t bytes);
  /// After all that the queue holds.
  void (*release)(int64_t buffer, int64_t bytes);

  // The queue: transfers and launches happen in the order of the calls.
  /// Runs a task, or queues it; the word of a field is a handle with the
  /// device's address. Failed checks are given to keepRecord, at the latest
  /// when the queue is empty.
  void (*launch)(const chirt_task *task, const int64_t *words,
                 const chirt_domain *domain);
  /// The host's memory may change once it returned.
  void (*copyIn)(int64_t to, const void *from, int64_t bytes);
  /// The memory holds the bytes once it returned.
  void (*copyOut)(void *to, int64_t from, int64_t bytes);
  /// Waits for all that the queue holds. Null if it never holds anything.
  void (*finish)();
  /// Raises what keeps the device from going on (it was lost); returns if there
  /// is nothing. Null if there never is.
  void (*raiseProblem)();
  // Both whole buffers, or null: the host does it then.
  /// From one buffer of the device to another one.
  void (*copy)(int64_t to, int64_t from, int64_t bytes);
  /// Bytes are a multiple of 4; all words become that one.
  void (*fill)(int64_t buffer, uint32_t word, int64_t bytes);

  /// Bytes of its memory that are free; null if it has none of its own.
  int64_t (*memoryLeft)();
  /// What its code is made for ("sm_90"), once it was started. Null if code is
  /// the same for all.
  const char *(*architecture)();
  /// Null if nothing is counted.
  chirt::DeviceCounts (*counts)();

  /// Tasks may use a copy from now on, to read or to write it; or the launch is
  /// over. Null if the device does not need to know.
  void (*openBuffer)(int64_t buffer, bool isWritten);
  void (*closeBuffer)(int64_t buffer);
};

namespace chirt {

extern const chirt_device cpuDevice, mirrorDevice;
/// Null in built programs, which have no code for them.
const chirt_device *vulkanDevice();
/// The CUDA device; null in bundles without it.
const chirt_device *cudaDevice();

/// The device of that name (null: the CPU), or null if there is none.
const chirt_device *findDevice(const char *name);

} // namespace chirt
#endif // CHIRT_SUPPORT_DEVICE_H

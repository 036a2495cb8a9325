//===- WrittenFields.h - What a launch writes, as it was --------*- C++ -*-===//
#ifndef CHIRT_DEVICE_WRITTENFIELDS_H
#define CHIRT_DEVICE_WRITTENFIELDS_H

#include "chirt/chirt.h"
#include "chirt/text/Text.h"

namespace chirt {

/// How a device does it, in the order of its queue.
struct DeviceCopies {
  int64_t (*allocate)(int64_t bytes); ///< 0 if there is not enough
  /// Frees what `allocate` gave, after all that the queue holds.
  void (*release)(int64_t address, int64_t bytes);
  /// Copies between addresses of the device; the memory does not overlap.
  void (*copy)(int64_t to, int64_t from, int64_t bytes);
};

/// Copies of the fields that a task writes from before its launch, in memory of
/// the device: for kernels that start again (chirt_device_code).
class WrittenFields {
public:
  explicit WrittenFields(const DeviceCopies &device) : device(device) {}

  /// Keeps them. The word of a field is a handle with the device's address.
  /// False if there is not enough memory.
  bool save(const chirt_task *task, const int64_t *words);
  /// Makes all fields what they were.
  void restore() const;
  /// Frees the copies.
  void drop();

private:
  struct Saved {
    int64_t address, copy, bytes;
  };
  DeviceCopies device;
  Array<Saved> fields;
};

} // namespace chirt
#endif // CHIRT_DEVICE_WRITTENFIELDS_H

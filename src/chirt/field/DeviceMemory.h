//===- DeviceMemory.h - When a device's memory is short ---------*- C++ -*-===//
// Callers hold the lock of copies (Device.cpp).
#ifndef CHIRT_FIELD_DEVICEMEMORY_H
#define CHIRT_FIELD_DEVICEMEMORY_H

#include "chirt/chirt.h"

namespace chirt {

/// Lists a new field of a device with memory of its own, for the messages.
void noteOwnCopy(const chirt_field *field);
/// Takes a field off that list before it is freed; others are ignored.
void forgetOwnCopy(const chirt_field *field);

/// Records that there is no room for a field's copy: how many bytes it needs,
/// how many are free, and what takes most of the memory.
void recordShortMemory(const chirt_field *field);
/// The same for `bytes` that the launch of `task` needs besides its fields.
void recordShortMemory(const chirt_device *device, const chirt_task *task,
                       int64_t bytes);

} // namespace chirt
#endif // CHIRT_FIELD_DEVICEMEMORY_H

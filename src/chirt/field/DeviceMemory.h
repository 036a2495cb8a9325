//===- DeviceMemory.h - When a device's memory is short ---------*- C++ -*-===//
// Callers hold the lock of copies (Device.cpp).
#ifndef CHIRT_FIELD_DEVICEMEMORY_H
#define CHIRT_FIELD_DEVICEMEMORY_H

#include "chirt/chirt.h"

namespace chirt {

/// A field of a device with memory of its own was made, or goes.
void noteOwnCopy(const chirt_field *field);
void forgetOwnCopy(const chirt_field *field);

/// Records that there is no room for a field's copy, or for what a launch takes
/// besides its fields: how much it needs, how much there is, and what takes
/// most of it.
void recordShortMemory(const chirt_field *field);
void recordShortMemory(const chirt_device *device, const chirt_task *task,
                       int64_t bytes);

} // namespace chirt
#endif // CHIRT_FIELD_DEVICEMEMORY_H

//===- Copies.h - The copies of fields --------------------------*- C++ -*-===//
// A field of a device with memory of its own has two copies, and its handle
// says which are current (chirt_field::current): host code and launches acquire
// the copy that they use, and only what is stale is brought.
//===----------------------------------------------------------------------===//
#ifndef CHIRT_FIELD_COPIES_H
#define CHIRT_FIELD_COPIES_H

#include "chirt/support/Device.h"

namespace chirt {

/// Whether the field's tasks run over a copy of their own.
inline bool hasOwnCopy(const chirt_field *field) {
  return field->device && !field->device->sharesHostMemory;
}

/// The host's copy, current: to read, to change, to write all of it. That a
/// copy was brought changes nothing about a field that is only read.
const char *hostCopy(const chirt_field *field);
char *hostCopyToUpdate(chirt_field *field);
char *hostCopyToOverwrite(chirt_field *field);

/// A field is made, or released. The message that a device's memory is short
/// names the largest fields.
void watchCopies(const chirt_field *field, bool isMade);

/// A view begins to share the copies of its base, or it goes.
void linkView(chirt_field *view);
void unlinkView(chirt_field *view);

/// Frees the device's copy; the host's has to be current if it is used again.
void dropDeviceCopy(chirt_field *field);

/// Raises that a launch found no room for what it takes besides its fields. The
/// caller holds no lock.
[[noreturn]] void failForMemory(const chirt_device *device,
                                const chirt_task *task, int64_t bytes);

} // namespace chirt
#endif // CHIRT_FIELD_COPIES_H

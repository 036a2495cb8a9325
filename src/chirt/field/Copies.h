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

/// The host's copy, to read: brought from the device if it is stale, which
/// changes no value of the field.
const char *hostCopy(const chirt_field *field);
/// The host's copy, to read and write: brought if stale, and the only current
/// one afterwards.
char *hostCopyToUpdate(chirt_field *field);
/// The host's copy, to write all of it: its contents are unspecified before,
/// and it is the only current one afterwards.
char *hostCopyToOverwrite(chirt_field *field);

/// A field is made, or released. The message that a device's memory is short
/// names the largest fields.
void watchCopies(const chirt_field *field, bool isMade);

/// Adds a view to the list of its base: from then on it has the base's copies.
void linkView(chirt_field *view);
/// Takes a view off the list of its base, in which it has to be.
void unlinkView(chirt_field *view);

/// Frees the device's copy; the host's has to be current if it is used again.
void dropDeviceCopy(chirt_field *field);

/// Raises that a launch found no room for what it takes besides its fields. The
/// caller holds no lock.
[[noreturn]] void failForMemory(const chirt_device *device,
                                const chirt_task *task, int64_t bytes);

} // namespace chirt
#endif // CHIRT_FIELD_COPIES_H

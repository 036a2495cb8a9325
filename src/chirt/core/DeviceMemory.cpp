//===- DeviceMemory.cpp - When a device's memory is short -----------------===//
#include "chirt/core/DeviceMemory.h"

#include "chirt/core/Device.h"
#include "chirt/core/Failure.h"
#include "chirt/core/Field.h"

namespace chirt {

namespace {
/// The fields that may have a copy of their own at a device.
[[clang::no_destroy]] constinit Array<const chirt_field *> known;

constexpr int kToldFields = 3;

void appendBytes(Text &out, int64_t bytes) {
  constexpr int64_t mib = 1 << 20;
  if (bytes >= 10 * mib)
    out << static_cast<long long>(bytes / mib) << " MiB";
  else
    out << static_cast<long long>(bytes) << " bytes";
}

/// The largest fields there first, as many as there are to tell.
int findLargest(const chirt_field *(&largest)[kToldFields]) {
  int count = 0;
  for (const chirt_field *field : known) {
    if (!field->buffer)
      continue;
    int at = count < kToldFields ? count++ : kToldFields;
    for (; at > 0 && largest[at - 1]->bytes < field->bytes; --at)
      if (at < kToldFields)
        largest[at] = largest[at - 1];
    if (at < kToldFields)
      largest[at] = field;
  }
  return count;
}

void appendField(Text &out, const chirt_field *field) {
  appendShape(out, field->rank, field->extents);
  out << " of ";
  appendBytes(out, field->bytes);
  if (const chirt_site *site = field->made_at)
    out << " (" << site->file << ':' << site->line << ')';
}
} // namespace

void noteOwnCopy(const chirt_field *field) { known.push(field); }

void forgetOwnCopy(const chirt_field *field) {
  // What was made last goes first, most often.
  for (size_t k = known.size(); k-- > 0;)
    if (known[k] == field)
      return known.removeAt(k);
}

void recordShortMemory(const chirt_field *field) {
  Text text;
  text << "out of memory: a field of shape ";
  appendShape(text, field->rank, field->extents);
  text << " needs ";
  appendBytes(text, field->bytes);
  text << " on the device `" << field->device->name << '`';
  if (field->device->freeBytes) {
    text << ", ";
    appendBytes(text, field->device->freeBytes());
    text << " are free";
  }
  const chirt_field *largest[kToldFields];
  int count = findLargest(largest);
  for (int k = 0; k < count; ++k) {
    text << (k ? ", " : "; the largest fields there: ");
    appendField(text, largest[k]);
  }
  failAt(field->made_at, WorldFault, "%s", text.c_str());
}

} // namespace chirt

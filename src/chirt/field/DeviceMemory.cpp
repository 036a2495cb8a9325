//===- DeviceMemory.cpp - When a device's memory is short -----------------===//
#include "chirt/field/DeviceMemory.h"

#include "chirt/failure/Failure.h"
#include "chirt/field/Changes.h"
#include "chirt/field/Field.h"
#include "chirt/support/Device.h"

namespace chirt {

namespace {
/// The fields that may have a copy of their own at a device.
[[clang::no_destroy]] constinit Array<const chirt_field *> known;

constexpr int kReportedFields = 3;

/// The largest fields there first, as many as there are to tell.
int findLargest(const chirt_field *(&largest)[kReportedFields]) {
  int count = 0;
  for (const chirt_field *field : known) {
    if (!field->buffer)
      continue;
    int at = count < kReportedFields ? count++ : kReportedFields;
    for (; at > 0 && largest[at - 1]->bytes < field->bytes; --at)
      if (at < kReportedFields)
        largest[at] = largest[at - 1];
    if (at < kReportedFields)
      largest[at] = field;
  }
  return count;
}

void appendField(Text &out, const chirt_field *field) {
  appendShape(out, field->rank, field->extents);
  out << ' ';
  out.appendBytes(uint64_t(field->bytes));
  if (const chirt_site *site = field->made_at)
    out << " (" << site->file << ':' << site->line << ')';
}

/// `what`: that which needs the memory.
void recordNeed(const chirt_site *site, const chirt_device *device,
                const char *what, int64_t bytes) {
  Text text;
  text << "out of memory: " << what << " needs ";
  text.appendBytes(uint64_t(bytes));
  text << " on the device `" << device->name << '`';
  if (device->memoryLeft) {
    text << ", ";
    text.appendBytes(uint64_t(device->memoryLeft()));
    text << " are free";
  }
  const chirt_field *largest[kReportedFields];
  int count = findLargest(largest);
  for (int k = 0; k < count; ++k) {
    text << (k ? ", " : "; the largest there: ");
    appendField(text, largest[k]);
  }
  appendHeld(text);
  failAt(site, WorldFault, "%s", text.c_str());
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
  Text what;
  const chirt_site *loop = describeShort(what, field);
  what << "a field of shape ";
  appendShape(what, field->rank, field->extents);
  recordNeed(loop ? loop : field->made_at, field->device, what.c_str(),
             field->bytes);
}

void recordShortMemory(const chirt_device *device, const chirt_task *task,
                       int64_t bytes) {
  recordNeed(task->site, device, "this loop, besides its fields,", bytes);
}

} // namespace chirt

//===- WrittenFields.cpp - What a launch writes, as it was ----------------===//
#include "chirt/device/WrittenFields.h"

#include "chirt/field/Views.h"

namespace chirt {

bool WrittenFields::save(const chirt_task *task, const int64_t *words) {
  for (int32_t k = 0; k < task->num_arguments; ++k) {
    const chirt_argument &argument = task->arguments[k];
    auto *field = reinterpret_cast<const chirt_field *>(words[k]);
    if (!argument.is_field || !argument.uses ||
        argument.uses == CHIRT_USE_READ || !field || field->device ||
        field->bytes == 0)
      continue;
    int64_t bytes = spanOf(field);
    Saved saved = {int64_t(field->data), device.allocate(bytes), bytes};
    if (!saved.copy)
      return false;
    device.copy(saved.copy, saved.address, saved.bytes);
    fields.push(saved);
  }
  return true;
}

void WrittenFields::restore() const {
  for (const Saved &saved : fields)
    device.copy(saved.address, saved.copy, saved.bytes);
}

void WrittenFields::drop() {
  for (const Saved &saved : fields)
    device.release(saved.copy, saved.bytes);
  fields.clear();
}

} // namespace chirt

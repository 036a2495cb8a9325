//===- Run.cpp - A task over the copies of its fields ---------------------===//
#include "chirt/field/Copies.h"
#include "chirt/launch/Launch.h"
#include "chirt/ordered.h"
#include "chirt/support/Settings.h"

#include <algorithm>

using namespace chirt;

void chirt::beginLaunch(const LaunchField *fields, int count,
                        chirt_field *shadows) {
  // A field may be there twice: what it held is brought before it is said to be
  // overwritten.
  for (bool isOverwritten : {false, true})
    for (int k = 0; k < count; ++k)
      if ((fields[k].mode == CHIRT_TO_OVERWRITE) == isOverwritten)
        chirt_field_acquire(fields[k].field, CHIRT_AT_DEVICE, fields[k].mode);
  for (int k = 0; k < count; ++k) {
    const chirt_field *field = fields[k].field;
    shadows[k] = *field;
    if (!hasOwnCopy(field))
      continue;
    // What reads elements there finds them: they are where they should be.
    shadows[k].data = reinterpret_cast<void *>(field->buffer);
    shadows[k].current = CHIRT_AT_HOST;
    shadows[k].device = nullptr;
    if (field->buffer && field->device->openBuffer)
      field->device->openBuffer(field->buffer, fields[k].mode != CHIRT_TO_READ);
  }
}

void chirt::endLaunch(const LaunchField *fields, int count) {
  for (int k = 0; k < count; ++k)
    if (const chirt_field *field = fields[k].field;
        hasOwnCopy(field) && field->buffer && field->device->closeBuffer)
      field->device->closeBuffer(field->buffer);
}

namespace {
chirt_acquire_mode modeOf(uint8_t uses) {
  if (uses == CHIRT_USE_READ)
    return CHIRT_TO_READ;
  bool isKept = (uses & CHIRT_USE_READ) || !(uses & CHIRT_USE_OVERWRITE);
  return isKept ? CHIRT_TO_UPDATE : CHIRT_TO_OVERWRITE;
}

/// The fields of a task whose elements it uses, with the number of each among
/// its arguments. Memory for all of them is the caller's.
int usedFields(const chirt_task *task, const int64_t *words,
               LaunchField *fields, int32_t *numbers) {
  int count = 0;
  for (int k = 0; k < task->num_arguments; ++k) {
    const chirt_argument &argument = task->arguments[k];
    auto *field = reinterpret_cast<chirt_field *>(words[k]);
    if (!argument.is_field || !argument.uses || !field)
      continue;
    fields[count] = {field, modeOf(argument.uses)};
    numbers[count++] = k;
  }
  return count;
}

bool haveSameField(const LaunchField *fields, int count) {
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < a; ++b)
      if (chirt_fields_overlap(fields[a].field, fields[b].field) &&
          (fields[a].mode != CHIRT_TO_READ || fields[b].mode != CHIRT_TO_READ))
        return true;
  return false;
}

/// Must one worker take the iterations in their order?
bool isOrdered(const chirt_task *task, const LaunchField *fields, int count) {
  return (task->flags & CHIRT_TASK_ORDERED) ||
         ((task->flags & CHIRT_TASK_ORDERED_SAME) &&
          haveSameField(fields, count));
}

/// On the host's copies.
void runAtHost(const chirt_task *task, const int64_t *words,
               const chirt_domain *domain, const LaunchField *fields,
               int count) {
  for (bool isOverwritten : {false, true})
    for (int k = 0; k < count; ++k)
      if ((fields[k].mode == CHIRT_TO_OVERWRITE) == isOverwritten)
        chirt_field_acquire(fields[k].field, CHIRT_AT_HOST, fields[k].mode);
  task->entry(task, words, domain);
}
} // namespace

void chirt::runTask(const chirt_task *task, const int64_t *words,
                    const chirt_domain *domain) {
  const chirt_device *device = settings().device;
  if (device->sharesHostMemory)
    return device->launch(task, words, domain);
  // The guard to which a failure leaves gives this back.
  struct Room {
    chirt_field shadow;
    LaunchField field;
    int64_t word;
    int32_t number;
  };
  size_t most = size_t(task->num_arguments) + 1;
  void *memory = chirt_scratch_push(int64_t(most * sizeof(Room)));
  auto *shadows = static_cast<chirt_field *>(memory);
  auto *fields = reinterpret_cast<LaunchField *>(shadows + most);
  auto *seen = reinterpret_cast<int64_t *>(fields + most);
  auto *numbers = reinterpret_cast<int32_t *>(seen + most);
  int count = usedFields(task, words, fields, numbers);
  if (isOrdered(task, fields, count)) {
    runAtHost(task, words, domain, fields, count);
  } else {
    beginLaunch(fields, count, shadows);
    std::copy_n(words, task->num_arguments, seen); // none: no words
    for (int k = 0; k < count; ++k)
      seen[numbers[k]] = reinterpret_cast<int64_t>(&shadows[k]);
    device->launch(task, seen, domain);
    endLaunch(fields, count);
  }
  chirt_scratch_pop(memory);
}

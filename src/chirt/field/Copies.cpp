//===- Device.cpp - The copies of fields ----------------------------------===//
#include "chirt/support/Device.h"

#include "chirt/failure/Failure.h"
#include "chirt/field/DeviceMemory.h"
#include "chirt/field/Elements.h"
#include "chirt/field/Field.h"
#include "chirt/ordered.h"
#include "chirt/support/Settings.h"
#include <algorithm>
#include <pthread.h>

namespace chirt {

const chirt_device *findDevice(const char *name) {
  for (const chirt_device *device :
       {&cpuDevice, &mirrorDevice, vulkanDevice(), cudaDevice()})
    if (device && !strcmp(name ? name : cpuDevice.name, device->name))
      return device;
  return nullptr;
}

namespace {
/// Threads of a host may share fields.
constinit pthread_mutex_t copying = PTHREAD_MUTEX_INITIALIZER;

void setCurrent(chirt_field *field, int32_t current) {
  if (field->current == current)
    return;
  field->current = current;
  // What a caller lent us is its own business.
  if (field->device->guardHost && !field->release)
    field->device->guardHost(field->data, field->bytes, current);
}

/// The copy at the device holds what `mode` asks for; false if there is no
/// memory for it.
bool bringToDevice(chirt_field *field, int32_t mode) {
  const chirt_device *device = field->device;
  if (!field->buffer && !(field->buffer = device->allocate(field->bytes)))
    return false;
  if (!(field->current & CHIRT_AT_DEVICE) && mode != CHIRT_TO_OVERWRITE)
    device->copyIn(field->buffer, field->data, field->bytes);
  else if (mode != CHIRT_TO_OVERWRITE)
    returnElements(field);
  return true;
}

void bringToHost(chirt_field *field, int32_t mode) {
  if ((field->current & CHIRT_AT_HOST) || mode == CHIRT_TO_OVERWRITE)
    return;
  returnElements(field);
  field->device->copyOut(field->data, field->buffer, field->bytes);
}

/// Single elements of the host's are what they were as long as they are only
/// read, and no more than what all of the host's copy is.
bool keepsElements(const chirt_field *field, int32_t where, int32_t mode) {
  return mode == CHIRT_TO_READ &&
         (where == CHIRT_AT_DEVICE || (field->current & CHIRT_AT_HOST));
}

/// Brings the copy, and says so; false if there is no memory for it.
bool acquireLocked(chirt_field *field, int32_t where, int32_t mode) {
  bool isKept = keepsElements(field, where, mode);
  if (where == CHIRT_AT_HOST)
    bringToHost(field, mode);
  else if (!bringToDevice(field, mode))
    return false;
  setCurrent(field, mode == CHIRT_TO_READ ? field->current | where : where);
  if (!isKept)
    forgetElements(field);
  return true;
}

/// Raises what stands in the way of all further work, and what failed in
/// launches that were waited for.
void raiseProblems(const chirt_device *device) {
  if (device->raiseProblem)
    device->raiseProblem();
  if (__atomic_load_n(&chirt_failed, __ATOMIC_RELAXED) != 0)
    chirt_check_launch();
}
} // namespace

const char *hostCopy(const chirt_field *field) {
  // Which copies are current is no part of what a field is.
  if (!(field->current & CHIRT_AT_HOST))
    chirt_field_acquire(const_cast<chirt_field *>(field), CHIRT_AT_HOST,
                        CHIRT_TO_READ);
  return static_cast<const char *>(field->data);
}

char *hostCopyToUpdate(chirt_field *field) {
  if (field->current != CHIRT_AT_HOST)
    chirt_field_acquire(field, CHIRT_AT_HOST, CHIRT_TO_UPDATE);
  return static_cast<char *>(field->data);
}

char *hostCopyToOverwrite(chirt_field *field) {
  if (field->current != CHIRT_AT_HOST)
    chirt_field_acquire(field, CHIRT_AT_HOST, CHIRT_TO_OVERWRITE);
  return static_cast<char *>(field->data);
}

void watchCopies(const chirt_field *field, bool isMade) {
  if (!hasOwnCopy(field))
    return;
  pthread_mutex_lock(&copying);
  isMade ? noteOwnCopy(field) : forgetOwnCopy(field);
  pthread_mutex_unlock(&copying);
}

void dropDeviceCopy(chirt_field *field) {
  if (field->buffer)
    field->device->release(field->buffer, field->bytes);
  field->buffer = 0;
  field->current = CHIRT_AT_HOST;
  forgetElements(field);
}

} // namespace chirt

using namespace chirt;

void chirt_field_acquire(chirt_field *field, int32_t where, int32_t mode) {
  if (!hasOwnCopy(field) || field->bytes == 0)
    return;
  pthread_mutex_lock(&copying);
  bool isThere = acquireLocked(field, where, mode);
  if (!isThere)
    recordShortMemory(field);
  pthread_mutex_unlock(&copying);
  raiseProblems(field->device);
  if (!isThere)
    leave();
}

void chirt_field_element(chirt_field *field, int64_t scalar, int32_t mode) {
  if (!hasOwnCopy(field) || field->bytes == 0)
    return;
  pthread_mutex_lock(&copying);
  // Compiled code asked before, without the lock.
  if (field->current != CHIRT_AT_HOST && !touchElement(field, scalar, mode))
    acquireLocked(field, CHIRT_AT_HOST, mode);
  pthread_mutex_unlock(&copying);
  raiseProblems(field->device);
}

void chirt_sync() {
  const chirt_device *device = settings().device;
  if (!device->finish)
    return;
  device->finish();
  raiseProblems(device);
}

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

void chirt::failForMemory(const chirt_device *device, const chirt_task *task,
                          int64_t bytes) {
  pthread_mutex_lock(&copying);
  recordShortMemory(device, task, bytes);
  pthread_mutex_unlock(&copying);
  leave();
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
} // namespace

namespace {
bool haveSameField(const LaunchField *fields, int count) {
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < a; ++b)
      if (fields[a].field->data == fields[b].field->data &&
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

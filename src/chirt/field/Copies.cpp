//===- Copies.cpp - The copies of fields ----------------------------------===//
#include "chirt/field/Copies.h"

#include "chirt/failure/Failure.h"
#include "chirt/field/DeviceMemory.h"
#include "chirt/field/Elements.h"
#include "chirt/field/Field.h"
#include "chirt/support/Settings.h"
#include <pthread.h>

namespace chirt {

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

/// A view shows what its base has.
void showCopies(chirt_field *view) {
  const chirt_field *base = view->base;
  view->current = base->current;
  view->buffer =
      base->buffer ? base->buffer + view->offset * scalarBytes(view->dtype) : 0;
}
void showCopiesInViews(const chirt_field *base) {
  for (chirt_field *view = base->views; view; view = view->views)
    showCopies(view);
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
  showCopiesInViews(field);
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

void linkView(chirt_field *view) {
  pthread_mutex_lock(&copying);
  view->views = view->base->views;
  view->base->views = view;
  showCopies(view);
  pthread_mutex_unlock(&copying);
}

void unlinkView(chirt_field *view) {
  pthread_mutex_lock(&copying);
  chirt_field *before = view->base;
  while (before->views != view)
    before = before->views;
  before->views = view->views;
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
  if (field->base) // of whose elements the view may have some only
    return chirt_field_acquire(field->base, where,
                               mode == CHIRT_TO_READ ? mode : CHIRT_TO_UPDATE);
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
  if (field->base)
    return chirt_field_acquire(field->base, CHIRT_AT_HOST, mode);
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

void chirt::failForMemory(const chirt_device *device, const chirt_task *task,
                          int64_t bytes) {
  pthread_mutex_lock(&copying);
  recordShortMemory(device, task, bytes);
  pthread_mutex_unlock(&copying);
  leave();
}

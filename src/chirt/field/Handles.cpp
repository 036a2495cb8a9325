//===- Handles.cpp - Fields as programs make and share them ---------------===//
#include "chirt/failure/Failure.h"
#include "chirt/field/CallFields.h"
#include "chirt/field/Changes.h"
#include "chirt/field/Copies.h"
#include "chirt/field/Dual.h"
#include "chirt/field/Gradient.h"
#include "chirt/field/Making.h"
#include "chirt/field/Views.h"

using namespace chirt;

chirt_field *chirt_field_new(const chirt_site *site, const char *desc,
                             int64_t rank, int64_t e0, int64_t e1, int64_t e2,
                             int64_t e3, int64_t e4, int64_t e5, int64_t e6,
                             int64_t e7) {
  const int64_t extents[CHIRT_MAX_RANK] = {e0, e1, e2, e3, e4, e5, e6, e7};
  FieldType type;
  chirt_field *field = nullptr;
  if (readFieldType(site, desc, rank, type))
    field = makeField(site, type, int(rank), extents);
  if (!field)
    leave();
  CallFields::noteMade(field);
  return field;
}

void chirt_field_retain(chirt_field *field) {
  if (field)
    __atomic_fetch_add(&field->refcount, 1, __ATOMIC_RELAXED);
}

void chirt_field_release(chirt_field *field) {
  // Threads of a host may share it.
  if (!field || __atomic_sub_fetch(&field->refcount, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  if (field->base)
    return releaseView(field);
  CallFields::noteGone(field);
  noteGone(field);
  watchCopies(field, false);
  dropGradient(field);
  dropDual(field);
  if (field->release) // its owner finds there what the program stored
    hostCopy(field);
  dropDeviceCopy(field);
  if (field->release)
    field->release(field->owner);
  else if (field->data)
    field->device->freeHost(field->data, field->bytes);
  free(field);
}

//===- Elements.cpp - Single elements that host code uses -----------------===//
#include "chirt/field/Elements.h"

#include "chirt/field/Field.h"
#include "chirt/support/Device.h"
#include <cstdlib>

namespace chirt {

namespace {
/// Calls `f` with the bytes from the field's data, and how many, of each piece
/// of an element.
template <typename F>
void forEachChunk(const chirt_field *field, int64_t element, F &&f) {
  int components = componentsOf(field);
  int64_t scalar = scalarBytes(field->dtype);
  if (!field->is_soa)
    return f(scalarOffset(field, element, 0), components * scalar);
  for (int c = 0; c < components; ++c)
    f(scalarOffset(field, element, c), scalar);
}

void bringElement(chirt_field *field, int64_t element) {
  forEachChunk(field, element, [&](int64_t at, int64_t bytes) {
    field->device->copyOut(static_cast<char *>(field->data) + at,
                           field->buffer + at, bytes);
  });
}

/// The place of an element in the list, which may be its end.
int32_t slotOf(const chirt_touched &touched, int64_t element) {
  int32_t k = 0;
  while (k < touched.count && touched.numbers[k] != element)
    ++k;
  return k;
}
} // namespace

bool touchElement(chirt_field *field, int64_t scalar, int32_t mode) {
  // What a caller lent is not protected; a few elements come as one.
  if (field->release || field->elements <= CHIRT_TOUCHED_ELEMENTS)
    return false;
  int64_t element =
      field->is_soa ? scalar % field->elements : scalar / componentsOf(field);
  if (!field->touched)
    field->touched =
        static_cast<chirt_touched *>(calloc(1, sizeof(chirt_touched)));
  if (!field->touched || element < 0 || element >= field->elements)
    return false;
  chirt_touched &touched = *field->touched;
  int32_t slot = slotOf(touched, element);
  if (slot == CHIRT_TOUCHED_ELEMENTS)
    return false;
  if (slot == touched.count) {
    touched.numbers[touched.count++] = element;
    if (!(field->current & CHIRT_AT_HOST))
      bringElement(field, element);
  }
  if (mode != CHIRT_TO_READ)
    touched.changed |= uint32_t(1) << slot;
  if (field->device->guardHost)
    field->device->guardHost(field->data, field->bytes, CHIRT_AT_HOST);
  return true;
}

void returnElements(chirt_field *field) {
  chirt_touched *touched = field->touched;
  if (!touched || !touched->changed)
    return;
  for (int32_t k = 0; k < touched->count; ++k)
    if (touched->changed >> k & 1)
      forEachChunk(field, touched->numbers[k], [&](int64_t at, int64_t bytes) {
        field->device->copyIn(field->buffer + at,
                              static_cast<const char *>(field->data) + at,
                              bytes);
      });
  touched->changed = 0;
}

void forgetElements(chirt_field *field) {
  chirt_touched *touched = field->touched;
  if (!touched)
    return;
  bool hadSome = touched->count != 0;
  free(touched);
  field->touched = nullptr;
  if (hadSome && field->device->guardHost)
    field->device->guardHost(field->data, field->bytes, field->current);
}

} // namespace chirt

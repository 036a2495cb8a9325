//===- Views.h - Fields over elements of other fields -----------*- C++ -*-===//
#ifndef CHIRT_FIELD_VIEWS_H
#define CHIRT_FIELD_VIEWS_H

#include "chirt/chirt.h"
#include "chirt/text/Element.h"

namespace chirt {

/// The elements of `base`, which is no view, that `view` has of a field of its
/// base's extents, order and number of components. A new reference.
chirt_field *makeViewLike(const chirt_field *view, chirt_field *base);

/// Frees a view that has no reference any more.
void releaseView(chirt_field *view);

/// The field whose memory a field shares, or itself.
inline const chirt_field *baseOf(const chirt_field *field) {
  return field->base ? field->base : field;
}

/// Where the first scalar of the base lies, in the copy that `data` is of.
inline char *dataOfBase(const chirt_field *field) {
  return static_cast<char *>(field->data) -
         field->offset * scalarBytes(field->dtype);
}

/// Bytes from the first element to behind the last.
int64_t spanOf(const chirt_field *field);

} // namespace chirt
#endif // CHIRT_FIELD_VIEWS_H

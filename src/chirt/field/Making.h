//===- Making.h - New fields ------------------------------------*- C++ -*-===//
#ifndef CHIRT_FIELD_MAKING_H
#define CHIRT_FIELD_MAKING_H

#include "chirt/field/Field.h"

namespace chirt {

/// Makes a zeroed field. Fails at `site`, returning null, if an extent is
/// negative or memory is short.
chirt_field *makeField(const chirt_site *site, const FieldType &type, int rank,
                       const int64_t *extents);

} // namespace chirt
#endif // CHIRT_FIELD_MAKING_H

//===- Dual.h - The tangents of fields --------------------------*- C++ -*-===//
#ifndef CHIRT_FIELD_DUAL_H
#define CHIRT_FIELD_DUAL_H

#include "chirt/chirt.h"

namespace chirt {

/// The tangents of a field, or of the elements of a view; null if they are
/// zero.
chirt_field *knownDual(chirt_field *field);
/// The same; zeroed ones are made if there are none. Fails at `site`, returning
/// null, if memory is short.
chirt_field *dualOf(const chirt_site *site, chirt_field *field);
/// The field goes, and gives up its tangents.
void dropDual(chirt_field *field);
/// Frees the tangents of all fields that a program may not ask for them.
void dropHiddenDuals();

} // namespace chirt
#endif // CHIRT_FIELD_DUAL_H

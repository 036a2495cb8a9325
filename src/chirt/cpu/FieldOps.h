//===- FieldOps.h - What operations on two fields share ---------*- C++ -*-===//
#ifndef CHIRT_CPU_FIELDOPS_H
#define CHIRT_CPU_FIELDOPS_H

#include "chirt/chirt.h"

namespace chirt {

/// Whether both have the same element type and shape; else fails at `site` in
/// the name of the operation `what`.
bool checkFieldsAgree(const chirt_site *site, const char *what,
                      const chirt_field *a, const chirt_field *b);

// What no tape hears of.
/// `value`: as chirt_field_fill takes it.
void fillField(chirt_field *field, const void *value);
/// Sets all scalars to zero.
void zeroField(chirt_field *field);
/// Sets the scalars at these numbers to zero.
void zeroScalars(chirt_field *field, const int64_t *offsets, int64_t count);
/// Of equal element types and extents.
void copyField(chirt_field *to, const chirt_field *from);
/// A new field with the elements of a view. Leaves if memory is short.
chirt_field *copyWithoutGaps(const chirt_field *field);
/// The same, of f32 or f64.
void addField(chirt_field *to, const chirt_field *from);

} // namespace chirt
#endif // CHIRT_CPU_FIELDOPS_H

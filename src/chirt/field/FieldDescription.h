//===- FieldDescription.h - Types of fields as text -------------*- C++ -*-===//
#ifndef CHIRT_FIELD_FIELDDESCRIPTION_H
#define CHIRT_FIELD_FIELDDESCRIPTION_H

#include "chirt/field/Field.h"

namespace chirt {

/// Appends what describes the type of a field, which is no view, as
/// chirt_field_new reads it: "f32:2;soa;order=1,0;grad;dual".
void appendDescription(Text &out, const chirt_field *field);

} // namespace chirt
#endif // CHIRT_FIELD_FIELDDESCRIPTION_H

//===- Gradient.h - The fields that go with fields --------------*- C++ -*-===//
#ifndef CHIRT_FIELD_GRADIENT_H
#define CHIRT_FIELD_GRADIENT_H

#include "chirt/chirt.h"
#include "chirt/text/Text.h"

namespace chirt {

/// The type that adjoints of a field are kept in: f32 for f16 and bf16.
inline int32_t adjointType(int32_t dtype) {
  return dtype == CHIRT_F16 || dtype == CHIRT_BF16 ? int32_t(CHIRT_F32) : dtype;
}
/// Makes a zeroed field for adjoints of `field`: its extents and its layout.
/// Fails at `site`, returning null, if memory is short.
chirt_field *makeAdjoint(const chirt_site *site, const chirt_field *field);

/// The gradient of a field, made if it has none yet, whether a program may ask
/// for it or not. Fails at `site`, returning null, if memory is short.
chirt_field *gradientOf(const chirt_site *site, chirt_field *field);
/// The field goes, and gives up its gradient.
void dropGradient(chirt_field *field);
/// The same, but the gradient goes to the caller, with its reference. Null: the
/// field has none.
chirt_field *takeGradient(chirt_field *field);

/// The gradients of all fields of the process, each with a reference of its
/// own.
Array<chirt_field *> allGradients();

} // namespace chirt
#endif // CHIRT_FIELD_GRADIENT_H

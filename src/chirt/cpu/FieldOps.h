//===- FieldOps.h - What operations on two fields share ---------*- C++ -*-===//
#ifndef CHIRT_CPU_FIELDOPS_H
#define CHIRT_CPU_FIELDOPS_H

#include "chirt/chirt.h"

namespace chirt {

/// Whether both have the same element type and shape; else fails at `site` in
/// the name of the operation `what`.
bool checkFieldsAgree(const chirt_site *site, const char *what,
                      const chirt_field *a, const chirt_field *b);

} // namespace chirt
#endif // CHIRT_CPU_FIELDOPS_H

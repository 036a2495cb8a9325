//===- Making.h - New fields ------------------------------------*- C++ -*-===//
#ifndef CHIRT_FIELD_MAKING_H
#define CHIRT_FIELD_MAKING_H

#include "chirt/field/Field.h"

namespace chirt {

/// Makes a zeroed field. Fails at `site`, returning null, if an extent is
/// negative or memory is short.
chirt_field *makeField(const chirt_site *site, const FieldType &type, int rank,
                       const int64_t *extents);

/// Memory that the run time did not allocate, and what gives it back.
struct ForeignMemory {
  void *data;
  /// Called once with `owner`, when the last reference to the field is dropped.
  void (*release)(void *owner);
  void *owner;
};
/// Makes a field over such memory, which holds its elements compactly and with
/// the alignment of a scalar. Fails at `site`, returning null, as makeField
/// does; the memory is the caller's then.
chirt_field *makeFieldOver(const chirt_site *site, const FieldType &type,
                           int rank, const int64_t *extents,
                           const ForeignMemory &memory);

/// Describes a caller's memory as a field for the time of a call: the handle is
/// the caller's too, and nothing frees either. Fails, returning false, as
/// makeField does.
bool lendField(chirt_field &handle, const FieldType &type, int rank,
               const int64_t *extents, void *data);

} // namespace chirt
#endif // CHIRT_FIELD_MAKING_H

//===- CallFields.cpp - Fields that a call of a library makes -------------===//
#include "chirt/field/CallFields.h"

namespace chirt {

thread_local constinit CallFields *CallFields::current = nullptr;

void CallFields::forget(const chirt_field *field) {
  // Those that were made last go first.
  for (size_t k = made.size(); k-- > 0;)
    if (made[k] == field)
      return made.removeAt(k);
  if (outer)
    outer->forget(field);
}

void CallFields::releaseAll() {
  while (!made.empty()) {
    chirt_field *field = made.back();
    field->refcount = 1;
    chirt_field_release(field);
  }
}

} // namespace chirt

//===- Elements.h - Single elements that host code uses ---------*- C++ -*-===//
// Of a field that is current at a device alone, host code may want one number.
// A few elements are copied one by one into the host's copy, which stays stale
// except for them. What host code changes there returns to the device before
// anything else happens to the field. Callers hold the lock of copies
// (Device.cpp).
#ifndef CHIRT_FIELD_ELEMENTS_H
#define CHIRT_FIELD_ELEMENTS_H

#include "chirt/chirt.h"

/// As many elements of a field are brought alone.
constexpr int32_t CHIRT_TOUCHED_ELEMENTS = 16;

/// The elements of one field that the host's copy has, by their numbers.
struct chirt_touched {
  int32_t count;
  uint32_t changed; ///< a bit for each: host code may have changed it
  int64_t numbers[CHIRT_TOUCHED_ELEMENTS];
};

namespace chirt {

/// The host's copy has the element of that scalar, and host code may use it as
/// `mode` says. False, and nothing done, if all of the field should be brought.
bool touchElement(chirt_field *field, int64_t scalar, int32_t mode);

/// The device's copy has what host code changed.
void returnElements(chirt_field *field);

/// The host's copy has no single elements any longer.
void forgetElements(chirt_field *field);

} // namespace chirt
#endif // CHIRT_FIELD_ELEMENTS_H

//===- CallFields.h - Fields that a call of a library makes -----*- C++ -*-===//
#ifndef CHIRT_FIELD_CALLFIELDS_H
#define CHIRT_FIELD_CALLFIELDS_H

#include "chirt/chirt.h"
#include "chirt/text/Text.h"

namespace chirt {

/// The fields that host code of this thread makes while the object lives. A
/// call that fails leaves the frames that would release them.
class CallFields {
public:
  CallFields() : outer(current) { current = this; }
  CallFields(const CallFields &) = delete;
  ~CallFields() { current = outer; }
  /// Releases all that are still there, whoever seems to have them: after a
  /// failure nobody has.
  void releaseAll();

  /// Host code made a field.
  static void noteMade(chirt_field *field) {
    if (current) [[unlikely]]
      current->made.push(field);
  }
  /// A field is freed.
  static void noteGone(const chirt_field *field) {
    if (current) [[unlikely]]
      current->forget(field);
  }

private:
  void forget(const chirt_field *field);

  static thread_local constinit CallFields *current;
  CallFields *outer;
  Array<chirt_field *> made;
};

} // namespace chirt
#endif // CHIRT_FIELD_CALLFIELDS_H

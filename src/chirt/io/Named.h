//===- Named.h - Values that a program names --------------------*- C++ -*-===//
#ifndef CHIRT_IO_NAMED_H
#define CHIRT_IO_NAMED_H

#include "chirt/field/Field.h"

namespace chirt {

/// A value with its name: a field, a str, or a scalar, vec or mat.
struct NamedValue {
  const char *name = nullptr;
  const chirt_field *field = nullptr;
  const char *text = nullptr;
  FieldType type;
  size_t at = 0; ///< of its scalars among the bytes of all
};

/// What chirt_name_* gathered on this thread.
class NamedValues {
public:
  /// Adds a value; the texts and the field live until `clear`.
  void add(const NamedValue &value) { items.push(value); }
  /// The same, and copies its scalars.
  void add(NamedValue value, const void *scalars);
  /// The scalars of a value that is neither a field nor a str.
  const char *scalars(const NamedValue &value) const {
    return bytes.data() + value.at;
  }
  void clear() { items.clear(), bytes.clear(); }

  size_t size() const { return items.size(); }
  const NamedValue *begin() const { return items.begin(); }
  const NamedValue *end() const { return items.end(); }

private:
  Array<NamedValue> items;
  Array<char> bytes;
};

/// Those of this thread.
NamedValues &namedValues();

/// A value as `print` shows it; it is no field.
void appendValue(Text &out, const NamedValues &values, const NamedValue &value);

} // namespace chirt
#endif // CHIRT_IO_NAMED_H

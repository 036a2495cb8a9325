//===- Named.cpp ----------------------------------------------------------===//
#include "chirt/io/Named.h"

#include "chirt/support/ThreadEnd.h"
#include "chirt/text/Format.h"

namespace chirt {

namespace {
/// Those of a thread, made at the first use; they go with the thread.
thread_local constinit NamedValues *named = nullptr;

void dropNamed(void *) {
  named->~NamedValues();
  free(named);
  named = nullptr;
}
} // namespace

NamedValues &namedValues() {
  if (!named) [[unlikely]] {
    void *memory = malloc(sizeof(NamedValues));
    if (!memory)
      outOfMemory();
    named = new (memory) NamedValues();
    atThreadEnd(dropNamed, nullptr);
  }
  return *named;
}

void NamedValues::add(NamedValue value, const void *scalars) {
  value.at = bytes.size();
  bytes.append(static_cast<const char *>(scalars),
               size_t(value.type.rows) * size_t(value.type.columns) *
                   size_t(scalarBytes(value.type.dtype)));
  items.push(value);
}

void appendValue(Text &out, const NamedValues &values,
                 const NamedValue &value) {
  if (value.text) {
    out << value.text;
    return;
  }
  const FieldType &type = value.type;
  FormatSpec spec;
  spec.isComplex = type.isComplex;
  formatValue(out, type.dtype, type.elementRank, type.rows, type.columns,
              values.scalars(value), spec);
}

} // namespace chirt

using namespace chirt;

void chirt_name_value(const char *name, const char *desc, const void *values) {
  NamedValue value;
  value.name = name;
  parseFieldType(desc, value.type);
  namedValues().add(value, values);
}

void chirt_name_str(const char *name, const char *text) {
  NamedValue value;
  value.name = name;
  value.text = text ? text : "";
  namedValues().add(value);
}

void chirt_name_field(const char *name, const chirt_field *field) {
  NamedValue value;
  value.name = name;
  value.field = field;
  namedValues().add(value);
}

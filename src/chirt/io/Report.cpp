//===- Report.cpp - report(): named values of a run -----------------------===//
#include "chirt/failure/Failure.h"
#include "chirt/io/Lines.h"
#include "chirt/io/Named.h"
#include "chirt/support/Settings.h"
#include "chirt/text/Json.h"
#include "chirt/text/Output.h"

using namespace chirt;

namespace {
void printLines(const NamedValues &values) {
  Text out;
  for (const NamedValue &value : values) {
    out << value.name << " = ";
    appendValue(out, values, value);
    out << '\n';
  }
  writeOut(out);
}

/// {"report": {"loss": 0.5, "steps": 3}}
void appendRecord(Text &out, const NamedValues &values) {
  out << "{\"report\": {";
  for (const NamedValue &value : values) {
    out << (&value == values.begin() ? "" : ", ");
    appendJsonText(out, value.name);
    out << ": ";
    const FieldType &type = value.type;
    if (value.text)
      appendJsonText(out, value.text);
    else
      appendJsonValue(out, type.dtype, type.elementRank, type.rows,
                      type.columns, values.scalars(value));
  }
  out << "}}\n";
}

bool report(const chirt_site *site, const NamedValues &values) {
  printLines(values);
  const char *path = getenv("CHI_REPORT");
  if (!path || !*path || settings().isTrial())
    return true;
  Text record;
  appendRecord(record, values);
  int error = appendToFile(path, record);
  return !error || failAt(site, WorldFault,
                          "cannot write `%s`, which CHI_REPORT names: %s", path,
                          strerror(error));
}
} // namespace

void chirt_report(const chirt_site *site) {
  chirt_sync();
  bool isDone = report(site, namedValues());
  namedValues().clear();
  if (!isDone)
    leave();
}

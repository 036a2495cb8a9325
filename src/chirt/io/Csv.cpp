//===- Csv.cpp - append(): rows of tables ---------------------------------===//
// Format: RFC 4180.
#include "chirt/failure/Failure.h"
#include "chirt/io/Lines.h"
#include "chirt/io/Named.h"
#include "chirt/support/Settings.h"

using namespace chirt;

namespace {
/// A text, in quotes if it could be taken for several.
void appendCell(Text &row, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == text.npos) {
    row << text;
    return;
  }
  row << '"';
  for (char c : text) {
    if (c == '"')
      row << c;
    row << c;
  }
  row << '"';
}

void makeHeader(Text &header, const NamedValues &values) {
  for (const NamedValue &value : values) {
    header << (&value == values.begin() ? "" : ",");
    appendCell(header, value.name);
  }
}

void makeRow(Text &row, const NamedValues &values) {
  for (const NamedValue &value : values) {
    Text cell;
    appendValue(cell, values, value);
    row << (&value == values.begin() ? "" : ",");
    appendCell(row, cell);
  }
}

/// Appends what goes to the end of the file, or fails.
bool makeLines(const chirt_site *site, const char *path, LineFile &file,
               const NamedValues &values, Text &lines) {
  Text header;
  makeHeader(header, values);
  std::string_view end = "\n";
  if (file.isEmpty()) {
    lines << header << end;
  } else {
    Text there;
    file.readFirst(there);
    if (there.view().ends_with('\r')) {
      there.truncate(there.size() - 1);
      end = "\r\n";
    }
    if (!file.error() && there.view() != header.view())
      return failAt(site, UserFault,
                    "`%s` has the columns `%s`, and the row `%s`", path,
                    there.c_str(), header.c_str());
    if (!file.isEnded()) // what a killed run left of its last row
      lines << end;
  }
  makeRow(lines, values);
  lines << end;
  return true;
}

bool append(const chirt_site *site, const char *path,
            const NamedValues &values) {
  if (settings().isTrial()) // writes no files
    return true;
  LineFile file(path);
  Text lines;
  if (!file.error() && !makeLines(site, path, file, values, lines))
    return false;
  file.append(lines);
  return !file.error() || failAt(site, WorldFault, "cannot write `%s`: %s",
                                 path, strerror(file.error()));
}
} // namespace

void chirt_append(const chirt_site *site, const char *path) {
  bool isDone = append(site, path, namedValues());
  namedValues().clear();
  if (!isDone)
    leave();
}

//===- CsvRows.cpp - Rows of comma-separated values (RFC 4180) ------------===//
#include "chirt/containers/Object.h"
#include "chirt/containers/Points.h"
#include "chirt/text/Str.h"

namespace chirt {

namespace {
/// Reads cells from a text. In quotes a cell may hold commas, ends of lines,
/// and quotes, written twice.
struct Cells {
  std::string_view rest;

  bool takeEnd() {
    size_t size = rest.starts_with("\r\n")                           ? 2
                  : rest.starts_with('\n') || rest.starts_with('\r') ? 1
                                                                     : 0;
    rest = slice(rest, size);
    return size != 0;
  }
  void takeQuoted(Text &cell) {
    rest = slice(rest, 1);
    while (!rest.empty()) {
      if (rest.starts_with("\"\"")) {
        cell << '"';
        rest = slice(rest, 2);
      } else if (rest.starts_with('"')) {
        rest = slice(rest, 1);
        return;
      } else {
        cell << rest[0];
        rest = slice(rest, 1);
      }
    }
  }
  const char *take() {
    Text cell;
    if (rest.starts_with('"'))
      takeQuoted(cell);
    size_t size = rest.find_first_of(",\r\n");
    cell << slice(rest, 0, size);
    rest = slice(rest, size == rest.npos ? rest.size() : size);
    return makeStr(cell);
  }
};

List *rowsOf(std::string_view text) {
  List *rows = makeList("o");
  Cells cells{text};
  while (!cells.rest.empty()) {
    if (cells.takeEnd())
      continue; // an empty line
    List *row = makeStrList();
    rows->words.push(chirt_word_of_object(row));
    pushStr(*row, cells.take());
    while (cells.rest.starts_with(',')) {
      cells.rest = slice(cells.rest, 1);
      pushStr(*row, cells.take());
    }
    cells.takeEnd();
  }
  return rows;
}
} // namespace

} // namespace chirt

using namespace chirt;

chirt_object *chirt_csv_read(const chirt_site *site, const char *path) {
  chirt_object *file = chirt_file_open(site, path, "r");
  const char *text = chirt_file_read(site, file);
  chirt_object_release(file);
  std::string_view all = viewOf(text);
  if (all.starts_with("\xef\xbb\xbf")) // a byte order mark
    all = slice(all, 3);
  List *rows = rowsOf(all);
  chirt_str_release(text);
  return rows;
}

//===- CsvRows.cpp - Rows of comma-separated values (RFC 4180) ------------===//
#include "chirt/containers/Object.h"
#include "chirt/containers/Points.h"
#include "chirt/failure/Failure.h"
#include "chirt/params/Value.h"
#include "chirt/text/Str.h"

namespace chirt {

namespace {
/// Reads cells from a text. In quotes a cell may hold commas, ends of lines,
/// and quotes, written twice.
struct Cells {
  std::string_view rest;
  std::string_view unclosed; ///< from a quote that nothing closes, to the end

  bool takeEnd() {
    size_t size = rest.starts_with("\r\n")                           ? 2
                  : rest.starts_with('\n') || rest.starts_with('\r') ? 1
                                                                     : 0;
    rest = slice(rest, size);
    return size != 0;
  }
  void takeQuoted(Text &cell) {
    std::string_view begin = rest;
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
    unclosed = begin;
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

/// The rows; `unclosed` is what an open quote swallowed, or empty.
List *rowsOf(std::string_view text, std::string_view &unclosed) {
  List *rows = makeList("o");
  Cells cells{text, {}};
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
  unclosed = cells.unclosed;
  return rows;
}
/// An empty cell is nan.
bool readNumber(std::string_view cell, double &number) {
  while (!cell.empty() && (cell.front() == ' ' || cell.front() == '\t'))
    cell = slice(cell, 1);
  while (!cell.empty() && (cell.back() == ' ' || cell.back() == '\t'))
    cell = slice(cell, 0, cell.size() - 1);
  if (cell.size() > 1 && cell[0] == '+' && cell[1] != '-')
    cell = slice(cell, 1);
  ParamScalar scalar;
  if (cell.empty())
    number = __builtin_nan("");
  else if (parseScalar(cell, CHIRT_F64, scalar))
    number = scalar.real;
  else
    return false;
  return true;
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
  std::string_view unclosed;
  List *rows = rowsOf(all, unclosed);
  size_t line = 1;
  for (char c : slice(all, 0, all.size() - unclosed.size()))
    line += c == '\n';
  bool isWhole = unclosed.empty();
  chirt_str_release(text);
  if (isWhole)
    return rows;
  chirt_object_release(rows);
  failAt(site, WorldFault, "%s:%zu: the quote of a cell is not closed",
         path ? path : "", line);
  leave();
}

chirt_object *chirt_csv_numbers(const chirt_site *site, const char *path,
                                const chirt_object *rows, int64_t column) {
  const List &table = listOf(rows);
  List *numbers = makeList("d");
  for (int64_t row = 1; row < table.size(); ++row) {
    const List &cells = listOf(chirt_object_of_word(*table.at(row)));
    const char *cell =
        column < cells.size() ? chirt_str_of_word(*cells.at(column)) : "";
    double number = 0;
    if (!readNumber(viewOf(cell), number)) {
      chirt_object_release(numbers);
      failAt(site, WorldFault, "%s: row %lld: `%s` is no number",
             path ? path : "", static_cast<long long>(row), cell);
      leave();
    }
    int64_t word = 0;
    memcpy(&word, &number, sizeof(word));
    numbers->words.push(word);
  }
  return numbers;
}

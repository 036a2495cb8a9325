//===- TableFiles.cpp - Tables as text, CSV, JSON and NPZ -----------------===//
#include "chi/Sweep/Store/TableFiles.h"
#include "chi/Sweep/Points/Numbers.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include <cmath>
#include <limits>

using namespace chi;
using namespace chi::sweep;

void sweep::writeText(const Table &table, llvm::raw_ostream &out) {
  std::vector<size_t> widths;
  std::vector<bool> areTexts;
  for (size_t k = 0; k < table.columns.size(); ++k) {
    size_t width = table.columns[k].size();
    bool isText = false;
    for (const auto &row : table.rows) {
      width = std::max(width, row[k].text.size());
      isText |= !row[k].number && !row[k].text.empty();
    }
    widths.push_back(width);
    areTexts.push_back(isText);
  }
  auto writeLine = [&](auto textOf) {
    std::string line;
    llvm::raw_string_ostream text(line);
    for (size_t k = 0; k < widths.size(); ++k) {
      text << (k ? "  " : "");
      if (areTexts[k])
        text << llvm::left_justify(textOf(k), unsigned(widths[k]));
      else
        text << llvm::right_justify(textOf(k), unsigned(widths[k]));
    }
    out << llvm::StringRef(line).rtrim() << "\n";
  };
  writeLine([&](size_t k) -> llvm::StringRef { return table.columns[k]; });
  for (const auto &row : table.rows)
    writeLine([&](size_t k) -> llvm::StringRef { return row[k].text; });
}

static void writeCell(llvm::StringRef text, llvm::raw_ostream &out) {
  if (text.find_first_of(",\"\r\n") == llvm::StringRef::npos) {
    out << text;
    return;
  }
  out << '"';
  for (char c : text)
    out << (c == '"' ? "\"" : "") << c;
  out << '"';
}

void sweep::writeCsv(const Table &table, llvm::raw_ostream &out) {
  auto separate = [&] { out << ","; };
  llvm::interleave(
      table.columns, [&](const std::string &name) { writeCell(name, out); },
      separate);
  out << "\n";
  for (const auto &row : table.rows) {
    llvm::interleave(
        row, [&](const Cell &cell) { writeCell(cell.text, out); }, separate);
    out << "\n";
  }
}

void sweep::writeJson(const Table &table, llvm::raw_ostream &out) {
  llvm::json::OStream json(out, 2);
  json.array([&] {
    for (const auto &row : table.rows)
      json.object([&] {
        for (auto [name, cell] : llvm::zip(table.columns, row)) {
          if (cell.text.empty())
            json.attribute(name, nullptr);
          else if (!cell.number || !std::isfinite(*cell.number))
            json.attribute(name, llvm::json::fixUTF8(cell.text));
          else if (double whole; std::modf(*cell.number, &whole) == 0 &&
                                 std::abs(whole) < 0x1p53)
            json.attribute(name, int64_t(whole));
          else
            json.attributeBegin(name), json.rawValue(exactText(*cell.number)),
                json.attributeEnd();
        }
      });
  });
  out << "\n";
}

//===--- NPZ --------------------------------------------------------------===//

/// Appends a number, little-endian.
template <typename T> static void append(std::string &bytes, T value) {
  for (size_t k = 0; k < sizeof(T); ++k)
    bytes += char(value >> (8 * k));
}

/// A vector in NumPy's format.
static std::string npyOf(const std::string &type, size_t count,
                         llvm::StringRef data) {
  std::string header = "{'descr': '" + type +
                       "', 'fortran_order': False, 'shape': (" +
                       std::to_string(count) + ",), }";
  constexpr size_t kPrefix = 10, kAlignment = 64;
  while ((kPrefix + header.size() + 1) % kAlignment)
    header += ' ';
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  append(bytes, uint16_t(header.size()));
  return bytes + header + data.str();
}

static std::string npyOfTexts(const Table &table, size_t column) {
  std::vector<std::vector<llvm::UTF32>> texts;
  size_t longest = 1;
  for (const auto &row : table.rows) {
    auto &text = texts.emplace_back(row[column].text.size());
    auto *from = reinterpret_cast<const llvm::UTF8 *>(row[column].text.data());
    llvm::UTF32 *to = text.data();
    llvm::ConvertUTF8toUTF32(&from, from + row[column].text.size(), &to,
                             to + text.size(), llvm::lenientConversion);
    text.resize(size_t(to - text.data()));
    longest = std::max(longest, text.size());
  }
  std::string data;
  for (auto &text : texts) {
    text.resize(longest);
    for (llvm::UTF32 c : text)
      append(data, uint32_t(c));
  }
  return npyOf("<U" + std::to_string(longest), texts.size(), data);
}

static std::string npyOfColumn(const Table &table, size_t column) {
  bool isText = false, isWhole = true;
  for (const auto &row : table.rows) {
    const Cell &cell = row[column];
    isText |= !cell.number && !cell.text.empty();
    isWhole &= cell.number && std::abs(*cell.number) < 0x1p53 &&
               *cell.number == std::floor(*cell.number) &&
               cell.text.find_first_of(".e") == std::string::npos;
  }
  if (isText)
    return npyOfTexts(table, column);
  std::string data;
  for (const auto &row : table.rows) {
    double value =
        row[column].number.value_or(std::numeric_limits<double>::quiet_NaN());
    append(data, isWhole ? uint64_t(int64_t(value))
                         : llvm::bit_cast<uint64_t>(value));
  }
  return npyOf(isWhole ? "<i8" : "<f8", table.rows.size(), data);
}

/// What the local and the central header of a ZIP file share.
static std::string zipFields(llvm::StringRef name, llvm::StringRef data) {
  std::string bytes;
  append(bytes, uint16_t(20));           // version
  append(bytes, uint16_t(1 << 11));      // names are UTF-8
  append(bytes, uint16_t(0));            // stored
  append(bytes, uint16_t(0));            // no time
  append(bytes, uint16_t((1 << 5) | 1)); // 1980-01-01
  append(bytes, uint32_t(llvm::crc32(llvm::arrayRefFromStringRef(data))));
  append(bytes, uint32_t(data.size()));
  append(bytes, uint32_t(data.size()));
  append(bytes, uint16_t(name.size()));
  append(bytes, uint16_t(0)); // nothing extra
  return bytes;
}

std::string sweep::npzOf(const Table &table) {
  std::string file, directory;
  for (size_t k = 0; k < table.columns.size(); ++k) {
    std::string name = table.columns[k] + ".npy", data = npyOfColumn(table, k);
    std::string fields = zipFields(name, data);
    append(directory, uint32_t(0x02014b50));
    append(directory, uint16_t(20));
    directory += fields;
    append(directory, uint16_t(0)); // no comment
    append(directory, uint16_t(0)); // disk
    append(directory, uint16_t(0));
    append(directory, uint32_t(0));
    append(directory, uint32_t(file.size()));
    directory += name;
    append(file, uint32_t(0x04034b50));
    file += fields + name + data;
  }
  size_t begin = file.size();
  file += directory;
  append(file, uint32_t(0x06054b50));
  append(file, uint32_t(0));
  append(file, uint16_t(table.columns.size()));
  append(file, uint16_t(table.columns.size()));
  append(file, uint32_t(directory.size()));
  append(file, uint32_t(begin));
  append(file, uint16_t(0));
  return file;
}

//===- Json.cpp - The texts of a checkpoint -------------------------------===//
#include "chirt/checkpoint/Json.h"

namespace chirt {

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Control characters, which texts seldom have, are written as \\u00XX.
static void appendQuoted(Text &out, std::string_view text) {
  out << '"';
  for (char c : text) {
    if (c == '"' || c == '\\')
      out << '\\' << c;
    else if (static_cast<unsigned char>(c) < 0x20)
      out.appendf("\\u%04x", unsigned(c));
    else
      out << c;
  }
  out << '"';
}

void JsonWriter::beginMember(std::string_view name) {
  out << (isEmpty ? "\n" : ",\n");
  out.fill(' ', size_t(2 * depth));
  appendQuoted(out, name);
  out << ": ";
  isEmpty = false;
}

void JsonWriter::begin(std::string_view name) {
  beginMember(name);
  out << '{';
  ++depth;
  isEmpty = true;
}

void JsonWriter::end() {
  --depth;
  if (!isEmpty) {
    out << '\n';
    out.fill(' ', size_t(2 * depth));
  }
  out << '}';
  isEmpty = false;
}

void JsonWriter::add(std::string_view name, std::string_view text) {
  beginMember(name);
  appendQuoted(out, text);
}

void JsonWriter::addNull(std::string_view name) {
  beginMember(name);
  out << "null";
}

std::string_view JsonWriter::finish() {
  end();
  out << '\n';
  return out.view();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

void JsonReader::skipSpaces() {
  while (place < source.size() &&
         (source[place] == ' ' || source[place] == '\n'))
    ++place;
}

bool JsonReader::take(char c) {
  skipSpaces();
  if (place >= source.size() || source[place] != c)
    return false;
  ++place;
  return true;
}

/// Of \\u00XX, the XX.
static bool readHex(std::string_view digits, char &c) {
  if (digits.size() != 4)
    return false;
  int value = 0;
  for (char digit : digits) {
    int number = digit >= '0' && digit <= '9'   ? digit - '0'
                 : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10
                                                : -1;
    if (number < 0)
      return false;
    value = value * 16 + number;
  }
  c = char(value);
  return value < 0x20;
}

bool JsonReader::readString(size_t &at, size_t &size) {
  if (!take('"'))
    return false;
  at = pool.size();
  for (; place < source.size() && source[place] != '"'; ++place) {
    char c = source[place];
    if (c == '\\') {
      if (++place >= source.size())
        return false;
      c = source[place];
      if (c == 'u') {
        if (!readHex(slice(source, place + 1, 4), c))
          return false;
        place += 4;
      }
    }
    pool << c;
  }
  size = pool.size() - at;
  return take('"');
}

bool JsonReader::readMember(Item &around) {
  Item item = around;
  if (item.depth == kDeepest ||
      !readString(item.nameAt[item.depth], item.nameSize[item.depth]) ||
      !take(':'))
    return false;
  ++item.depth;
  skipSpaces();
  if (take('{'))
    return items.push(item), readObject(item);
  if (slice(source, place, 4) == "null") {
    place += 4;
    return items.push(item), true;
  }
  item.isText = true;
  if (!readString(item.textAt, item.textSize))
    return false;
  items.push(item);
  return true;
}

/// What follows its brace.
bool JsonReader::readObject(Item &around) {
  if (take('}'))
    return true;
  do
    if (!readMember(around))
      return false;
  while (take(','));
  return take('}');
}

bool JsonReader::read(std::string_view text) {
  source = text;
  place = 0;
  items.clear();
  Item whole = {};
  if (!take('{') || !readObject(whole))
    return false;
  skipSpaces();
  return place == source.size();
}

const JsonReader::Item *JsonReader::find(std::string_view a, std::string_view b,
                                         std::string_view c) const {
  int depth = 1 + int(b.data() != nullptr) + int(c.data() != nullptr);
  for (const Item &item : items)
    if (item.depth == depth && part(item, 0) == a &&
        (depth < 2 || part(item, 1) == b) && (depth < 3 || part(item, 2) == c))
      return &item;
  return nullptr;
}

std::string_view JsonReader::text(std::string_view a, std::string_view b,
                                  std::string_view c) const {
  const Item *item = find(a, b, c);
  return item && item->isText ? slice(pool, item->textAt, item->textSize)
                              : std::string_view();
}

bool JsonReader::has(std::string_view a, std::string_view b,
                     std::string_view c) const {
  return find(a, b, c) != nullptr;
}

} // namespace chirt

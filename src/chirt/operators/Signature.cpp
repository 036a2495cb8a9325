//===- Signature.cpp - The parameters of an operator ----------------------===//
#include "chirt/operators/Signature.h"

namespace chirt {

/// The part of `text` before `end`, which goes with it.
static std::string_view take(std::string_view &text, char end) {
  size_t length = 0;
  while (length < text.size() && text[length] != end)
    ++length;
  std::string_view part = slice(text, 0, length);
  text = slice(text, length + 1);
  return part;
}

/// The type, without the letter of its kind.
static void readType(std::string_view text, Item &item) {
  item.type = {};
  item.rank = 0;
  if (item.kind == ItemKind::Text)
    return;
  if (item.kind == ItemKind::Field) {
    item.rank = text[0] - '0';
    text = slice(text, 1);
  }
  Text terminated;
  terminated << text;
  parseFieldType(terminated.c_str(), item.type);
}

bool SignatureReader::next(Item &item) {
  const char *end = strchr(at, '|');
  if (!end)
    return false;
  std::string_view text(at, size_t(end - at));
  at = end + 1;
  item.name = text[0] == '>' ? std::string_view() : take(text, ' ');
  if (item.isResult())
    text = slice(text, 1);
  char letter = text[0];
  item.isWritten = letter == 'W';
  item.kind = item.isWritten ? ItemKind::Field : ItemKind(letter);
  text = slice(text, 1);
  readType(take(text, ' '), item);
  item.defaultBits = strtoull(text.data(), nullptr, 16);
  take(text, ' ');
  item.defaultText = text;
  return true;
}

} // namespace chirt

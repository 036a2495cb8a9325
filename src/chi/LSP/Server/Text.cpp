//===- Text.cpp - A text with the positions of the protocol ---------------===//
#include "chi/LSP/Server/Text.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace chi;
using namespace chi::lsp;
using llvm::StringRef;

Text::Text(std::string given) : text(std::move(given)), starts{0} {
  for (size_t at = text.find('\n'); at != std::string::npos;
       at = text.find('\n', at + 1))
    starts.push_back(uint32_t(at + 1));
}

/// The bytes of the code point that begins with a byte, and its units.
static std::pair<unsigned, unsigned> sizesOf(unsigned char first) {
  if (first >= 0xF0)
    return {4, 2};
  if (first >= 0xE0)
    return {3, 1};
  if (first >= 0xC0)
    return {2, 1};
  return {1, 1};
}

uint32_t Text::lineEnd(size_t line) const {
  size_t end = line + 1 < starts.size() ? starts[line + 1] : text.size();
  while (end > starts[line] && (text[end - 1] == '\n' || text[end - 1] == '\r'))
    --end;
  return uint32_t(end);
}

uint32_t Text::offset(protocol::Position position) const {
  if (position.line < 0)
    return 0;
  if (size_t(position.line) >= starts.size())
    return uint32_t(text.size());
  uint32_t at = starts[position.line], end = lineEnd(position.line);
  for (int units = 0; at < end && units < position.character;) {
    auto [bytes, wide] = sizesOf(text[at]);
    units += wide;
    at += bytes;
  }
  return std::min(at, end);
}

size_t Text::lineOf(uint32_t offset) const {
  auto after = std::upper_bound(starts.begin(), starts.end(), offset);
  return size_t(after - starts.begin()) - 1;
}

protocol::Position Text::position(uint32_t offset) const {
  offset = std::min<uint32_t>(offset, text.size());
  size_t line = lineOf(offset);
  int units = 0;
  for (uint32_t at = starts[line]; at < offset;) {
    auto [bytes, wide] = sizesOf(text[at]);
    units += wide;
    at += bytes;
  }
  return {int(line), units};
}

bool lsp::isOfName(char c) {
  return llvm::isAlnum(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

StringRef Text::wordAt(uint32_t offset, uint32_t &begin) const {
  offset = std::min<uint32_t>(offset, text.size());
  begin = offset;
  while (begin > 0 && isOfName(text[begin - 1]))
    --begin;
  uint32_t end = offset;
  while (end < text.size() && isOfName(text[end]))
    ++end;
  return StringRef(text).slice(begin, end);
}

void Text::replace(protocol::Range range, StringRef with) {
  uint32_t begin = offset(range.start);
  uint32_t end = std::max(begin, offset(range.end));
  std::string next = text.substr(0, begin) + with.str() + text.substr(end);
  *this = Text(std::move(next));
}
